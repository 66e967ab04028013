"""Levels that the tests share. They are our own."""

import pytest

import soko

TWO_STEPS = "######\n#@$ .#\n######"
SMALL = "######\n##   #\n#@$ $#\n#.  .#\n######"
UNSOLVABLE = "#######\n#@  .##\n#    $#\n#######"
# Proving a shortest solution of it takes far longer than any test waits.
LARGE = """
################
#      #       #
# $ $  #  $ $  #
#  $ $   $ $   #
#      #   $   #
### ####### ####
#      #       #
# ...    ...   #
# ...  #    @  #
################
"""


@pytest.fixture
def two_steps():
    return soko.Level(TWO_STEPS, title="Two steps")


@pytest.fixture
def small():
    return soko.Level(SMALL)


@pytest.fixture
def unsolvable():
    return soko.Level(UNSOLVABLE)


@pytest.fixture
def large():
    return soko.Level(LARGE)
