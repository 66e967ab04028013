//! The token of a server: 128 random bits, new at every start.

use std::fmt::{self, Write as _};

/// Random bytes of a token.
const N_BYTES: usize = 16;

/// What a request must show to change something.
pub(crate) struct Token(String);

impl Token {
    /// Takes one from the system's random numbers.
    pub(crate) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; N_BYTES];
        getrandom::fill(&mut bytes)?;
        let mut digits = String::with_capacity(2 * N_BYTES);
        for byte in bytes {
            // Writing to a String cannot fail.
            let _ = write!(digits, "{byte:02x}");
        }
        Ok(Self(digits))
    }

    #[cfg(test)]
    pub(crate) fn of_digits(digits: &str) -> Self {
        Self(digits.to_owned())
    }

    /// Whether this is the token. The time it takes depends on its length alone.
    pub(crate) fn is(&self, shown: &[u8]) -> bool {
        let ours = self.0.as_bytes();
        let differ = ours.iter().zip(shown).fold(0, |differ, (a, b)| differ | (a ^ b));
        ours.len() == shown.len() && differ == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Logs do not show it.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_are_compared_as_a_whole() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(one.to_string().len(), 32);
        assert!(one.is(one.to_string().as_bytes()));
        assert!(!one.is(other.to_string().as_bytes()));
        assert!(!one.is(&one.to_string().as_bytes()[..31]));
        assert!(!one.is(b""));
        assert_eq!(format!("{one:?}"), "Token");
    }
}
