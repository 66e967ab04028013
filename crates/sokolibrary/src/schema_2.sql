-- What version 2 of the schema adds to version 1.

-- A run of searches over levels, as the program that began it describes it: `soko serve`, in JSON.
CREATE TABLE run (
    run_id INTEGER PRIMARY KEY,
    -- What was asked for.
    request TEXT NOT NULL,
    -- What it has come to so far: its phase, its time in seconds, its sums, its last gains.
    account TEXT NOT NULL,
    begun_at TEXT NOT NULL,
    -- When the account was written.
    at TEXT NOT NULL
);
