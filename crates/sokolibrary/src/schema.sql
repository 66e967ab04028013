-- The schema of a library, version 1. Times are UTC, such as 2026-11-23T21:04:09.250Z. Texts that are not known are empty.

-- A level: the board as it can be played, in standard letters, without margins.
CREATE TABLE level (
    level_id INTEGER PRIMARY KEY,
    -- The identity, 32 hexadecimal digits; equal for equal boards.
    identity TEXT NOT NULL UNIQUE,
    -- The same for the eight images of a board.
    family TEXT NOT NULL,
    board TEXT NOT NULL,
    n_boxes INTEGER NOT NULL,
    -- No solution has fewer moves or pushes. Proved by a matching of boxes to goals, or by a claim in `proof`.
    least_moves INTEGER NOT NULL,
    least_pushes INTEGER NOT NULL,
    added_at TEXT NOT NULL
);
CREATE INDEX level_family ON level (family);

-- A file of levels, as it came.
CREATE TABLE collection (
    collection_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    -- Where it was read from.
    file TEXT NOT NULL,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    -- The text, deflated (zlib), and its SHA-256.
    text BLOB NOT NULL,
    digest TEXT NOT NULL,
    added_at TEXT NOT NULL,
    -- When it was exported last; empty if never.
    exported_at TEXT NOT NULL
);

-- A board of a collection, in its place.
CREATE TABLE entry (
    entry_id INTEGER PRIMARY KEY,
    collection_id INTEGER NOT NULL REFERENCES collection (collection_id) ON DELETE CASCADE,
    -- From 1.
    number INTEGER NOT NULL,
    -- NULL for a board that is no level.
    level_id INTEGER REFERENCES level (level_id),
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    notes TEXT NOT NULL,
    UNIQUE (collection_id, number)
);
CREATE INDEX entry_level ON entry (level_id);

-- Where solutions and proofs are from.
CREATE TABLE origin (
    origin_id INTEGER PRIMARY KEY,
    -- The program that found it, and its version.
    program TEXT NOT NULL,
    version TEXT NOT NULL,
    -- The file it was read from.
    file TEXT NOT NULL,
    -- The options of the run, the seed among them.
    settings TEXT NOT NULL,
    UNIQUE (program, version, file, settings)
);

-- A solution that replays and is in some metric better than each other one of its level.
CREATE TABLE solution (
    solution_id INTEGER PRIMARY KEY,
    level_id INTEGER NOT NULL REFERENCES level (level_id),
    moves INTEGER NOT NULL,
    pushes INTEGER NOT NULL,
    box_lines INTEGER NOT NULL,
    box_changes INTEGER NOT NULL,
    pushing_sessions INTEGER NOT NULL,
    player_lines INTEGER NOT NULL,
    -- The moves, as letters.
    lurd TEXT NOT NULL,
    -- What it was searched for.
    objective TEXT NOT NULL,
    -- The method or strategy that found it.
    method TEXT NOT NULL,
    -- What the file says about it, a line each.
    notes TEXT NOT NULL,
    -- Seconds of search until it was found; NULL if not known.
    seconds REAL,
    origin_id INTEGER NOT NULL REFERENCES origin (origin_id),
    found_at TEXT NOT NULL
);
CREATE INDEX solution_level ON solution (level_id, moves, pushes, found_at);

-- Each time that the best solution of a level by moves or by pushes became better.
CREATE TABLE gain (
    gain_id INTEGER PRIMARY KEY,
    level_id INTEGER NOT NULL REFERENCES level (level_id),
    objective TEXT NOT NULL CHECK (objective IN ('moves', 'pushes')),
    moves INTEGER NOT NULL,
    pushes INTEGER NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX gain_level ON gain (level_id, objective);

-- What is proved about a level, in the words of a note of a solution file.
CREATE TABLE proof (
    proof_id INTEGER PRIMARY KEY,
    level_id INTEGER NOT NULL REFERENCES level (level_id),
    claim TEXT NOT NULL,
    origin_id INTEGER NOT NULL REFERENCES origin (origin_id),
    at TEXT NOT NULL,
    UNIQUE (level_id, claim)
);

-- What was done on a level for one purpose: an objective, or `solve`.
CREATE TABLE work (
    work_id INTEGER PRIMARY KEY,
    level_id INTEGER NOT NULL REFERENCES level (level_id),
    purpose TEXT NOT NULL,
    n_runs INTEGER NOT NULL,
    seconds REAL NOT NULL,
    -- Seconds of the runs since the last one that gained something.
    dry_seconds REAL NOT NULL,
    ticks INTEGER NOT NULL,
    -- How the last run ended, and with which settings.
    ended TEXT NOT NULL,
    settings TEXT NOT NULL,
    -- The checkpoint of the last run, encoded by the optimizer; empty without one.
    checkpoint BLOB NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (level_id, purpose)
);

-- For each level that has a solution: fewest moves and fewest pushes.
CREATE VIEW best AS
    SELECT level_id, MIN(moves) AS moves, MIN(pushes) AS pushes, COUNT(*) AS n_solutions
    FROM solution GROUP BY level_id;
