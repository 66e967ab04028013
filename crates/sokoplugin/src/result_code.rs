//! What the functions of the plug-in return.

/// The result of a call, as the interface numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum ResultCode {
    /// Solved, or improved. Also the answer of `Terminate`.
    Ok = 0,
    /// The board is smaller than 3 x 3 or larger than `GetConstraints` says.
    ConstraintsViolation = 1,
    /// The board cannot be played: an unknown letter, an open border, two players, a wrong length.
    InvalidLevel = 2,
    /// It is proved that the level has no solution.
    Unsolvable = 3,
    /// The search has ended without a solution, or without a better one.
    Unsolved = 4,
    /// The result does not fit into the buffer.
    GameTooLong = 5,
    /// The settings file is wrong; the status text says where.
    InvalidSettings = 6,
    /// The game cannot be replayed on the board, or something went wrong inside.
    Failed = 7,
    /// The time of the settings was used up before a result.
    Timeout = 8,
    /// The callback or `Terminate` stopped the call before a result.
    Terminated = 9,
}

/// The end of a call: its result, and a line that says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallEnd {
    pub(crate) code: ResultCode,
    pub(crate) text: String,
}

impl CallEnd {
    /// Adds something that the host should know.
    pub(crate) fn with_remark(mut self, remark: Option<&str>) -> Self {
        if let Some(remark) = remark {
            self.text = format!("{}; {remark}", self.text);
        }
        self
    }
}

impl ResultCode {
    /// Ends a call with this result.
    pub(crate) fn because(self, text: impl Into<String>) -> CallEnd {
        CallEnd { code: self, text: text.into() }
    }
}
