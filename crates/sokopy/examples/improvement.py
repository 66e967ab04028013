# %% [markdown]
# # How a solution gets better
#
# Solves the levels of a file, draws the first solution of one beside the best one, and plots the moves over time.
# It needs matplotlib and pandas: `pip install matplotlib pandas`.
#
# Run it cell by cell in an editor that knows `# %%`, such as VS Code or Spyder, or as a program:
#
#     python improvement.py [FILE] [PICTURE]

# %%
import io
import sys

import matplotlib.pyplot as plt
import pandas as pd

import soko

LEVELS = """\
Three rooms

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

Corner

######
##   #
#@$ $#
#.  .#
######
"""

arguments = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
levels = soko.load(arguments[0]) if arguments else soko.loads(LEVELS)
levels

# %% [markdown]
# ## All levels, a level on each core

# %%
results = soko.solve_many(levels, time=30)
table = pd.DataFrame(result.to_dict() for result in results)
print(table[["title", "status", "by", "moves", "pushes", "seconds", "expanded"]].to_string(index=False))

# %% [markdown]
# ## One of them, better and better
#
# `history` has every better solution with its time.

# %%
solved = [result for result in results if result.solved]
if not solved:
    sys.exit("none of the levels was solved; give it a file with easier ones")
first = max(solved, key=lambda result: result.metrics.moves).solution
best = soko.optimize(first, objective="moves/pushes", time=10)
print(best.before.metrics, "->", best.metrics, "in", round(best.seconds, 1), "s,", best.end)

# %% [markdown]
# ## Two solutions, half way
#
# A notebook shows the animations by itself: `first` or `best.solution` in a cell of its own is enough.

# %%
figure, (left, right, below) = plt.subplots(1, 3, figsize=(15, 4), width_ratios=[1, 1, 1.2], layout="constrained")
for axes, name, solution in [(left, "first", first), (right, "best", best.solution)]:
    half_way = solution.position(len(solution) // 2)
    axes.imshow(plt.imread(io.BytesIO(half_way.to_png(square_size=24))))
    axes.set_title(f"{name}: {solution.metrics.moves} moves, {solution.metrics.pushes} pushes")
    axes.axis("off")

# %% [markdown]
# ## Moves over time

# %%
history = pd.DataFrame(gain.to_dict() for gain in best.history)
seconds = [0.0, *history.get("seconds", []), best.seconds]
moves = [first.metrics.moves, *history.get("moves", []), best.metrics.moves]
below.step(seconds, moves, where="post", marker=".")
below.set_xlabel("seconds")
below.set_ylabel("moves")
below.set_title(first.level.title or "")

# %%
if len(arguments) > 1:
    figure.savefig(arguments[1], dpi=100)
    print("the picture is in", arguments[1])
else:
    plt.show()
