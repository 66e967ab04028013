import gzip
import pickle

import pytest

import soko

TEXT = "First\n\n######\n#@$ .#\n######\n\nSolution 2/2\nRR\n\nSecond\n\n#####\n#@$.#\n#####\n"
BOXOBAN = "; 0\n#####\n#@$.#\n#####\n\n; 1\n#####\n#.$@#\n#####\n"
REFUSED = "Good\n\n#####\n#@$.#\n#####\n\nBad\n\n######\n#@$$.#\n######\n"


def test_a_collection_is_a_sequence_of_levels():
    levels = soko.loads(TEXT)
    assert len(levels) == 2 and [level.title for level in levels] == ["First", "Second"]
    assert levels[-1] == levels[1] == levels[0:2][1] and levels[1].number == 2
    assert soko.Level("#####\n#@$.#\n#####") in levels and soko.Level("#####\n#.$@#\n#####") not in levels
    assert [solution.moves for solution in levels.solutions(0)] == ["RR"] and levels.solutions(1) == []
    with pytest.raises(IndexError, match="there is no level 2; there are 2"):
        levels[2]


def test_files_are_read_and_written(tmp_path):
    path = tmp_path / "levels.sok"
    path.write_text(TEXT)
    levels = soko.load(path)
    levels.add_solution(1, soko.Solution(levels[1], "R"), notes=["Solver: me"])
    with pytest.raises(FileExistsError, match="overwrite=True"):
        levels.save(path)
    levels.save(path, overwrite=True)
    assert path.read_text() == levels.to_text() and levels.to_text().startswith(TEXT)
    assert [solution.moves for solution in soko.load(str(path)).solutions(1)] == ["R"]
    with pytest.raises(FileNotFoundError):
        levels.save(tmp_path / "no" / "folder.sok")


def test_boxoban_and_gzip(tmp_path):
    path = tmp_path / "000.txt.gz"
    path.write_bytes(gzip.compress(BOXOBAN.encode()))
    levels = soko.load(path)
    assert [level.number for level in levels] == [1, 2] and levels[0].id_up_to_symmetry == levels[1].id_up_to_symmetry


def test_what_is_wrong_is_named(tmp_path):
    with pytest.raises(soko.LevelError, match=r'the text, line 9, Bad: .* 2 boxes but only 1 goal.* errors="skip"'):
        soko.loads(REFUSED)
    levels = soko.loads(REFUSED, errors="skip")
    assert len(levels) == 1 and levels.refused[0][0] == 2 and "1 refused" in repr(levels)
    with pytest.raises(soko.LevelError, match="no level found"):
        soko.loads("nothing")
    with pytest.raises(ValueError, match="'raise' or 'skip'"):
        soko.loads(TEXT, errors="ignore")
    with pytest.raises(FileNotFoundError, match="no-such-file"):
        soko.load(tmp_path / "no-such-file")
    with pytest.raises(IsADirectoryError):
        soko.load(tmp_path)


def test_wrong_solutions_are_named():
    levels = soko.loads("######\n#@$ .#\n######\n\nSolution\nR\n\nSolution\nRR\n")
    with pytest.raises(soko.MovesError, match="level 1: .*1 box off goal"):
        levels.solutions(0)
    assert [solution.moves for solution in levels.solutions(0, errors="skip")] == ["RR"]


def test_a_solution_of_another_level_is_refused(small):
    levels = soko.loads(TEXT)
    with pytest.raises(soko.MovesError, match="of another level than 'First'"):
        levels.add_solution(0, soko.Solution(small, "drruurDullDrdL"))
    assert levels.to_text() == TEXT


def test_collections_are_made_of_levels(two_steps, small):
    levels = soko.Collection([two_steps, small])
    levels.add_solution(0, soko.Solution(two_steps, "RR"))
    again = soko.loads(levels.to_text())
    assert again == levels and again[0].title == "Two steps" and len(again.solutions(0)) == 1
    assert len(soko.Collection()) == 0 and repr(soko.Collection()) == "Collection(no levels)"


def test_equality_pickles_and_pictures():
    levels = soko.loads(TEXT)
    again = pickle.loads(pickle.dumps(levels))
    assert again == levels and again.to_text() == TEXT and again != soko.loads(BOXOBAN)
    assert pickle.loads(pickle.dumps(soko.Collection())) == soko.Collection()
    with pytest.raises(TypeError):
        hash(levels)
    assert repr(levels) == "Collection(2 levels: 'First', 'Second')"
    assert levels._repr_html_().count("<img ") == 2
