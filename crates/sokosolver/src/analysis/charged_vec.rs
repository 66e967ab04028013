//! A vector whose memory is charged before it grows.

use sokosearch::{Charge, MemoryAccount, Stop};

/// The first capacity.
const MIN_CAPACITY: usize = 256;

/// A vector that charges its memory.
#[derive(Debug)]
pub(super) struct ChargedVec<T> {
    items: Vec<T>,
    charge: Charge,
    account: MemoryAccount,
}

impl<T> ChargedVec<T> {
    /// Makes an empty vector that is charged to `account`.
    pub(super) fn new(account: &MemoryAccount) -> Self {
        Self { items: Vec::new(), charge: account.nothing(), account: account.clone() }
    }

    /// Makes a vector of `n` equal items.
    ///
    /// # Errors
    /// [`Stop::Memory`] if there is no room for it.
    pub(super) fn filled(account: &MemoryAccount, n: usize, item: T) -> Result<Self, Stop>
    where
        T: Clone,
    {
        let charge = account.charge(bytes_of::<T>(n))?;
        Ok(Self { items: vec![item; n], charge, account: account.clone() })
    }

    /// Adds an item.
    ///
    /// # Errors
    /// [`Stop::Memory`], adding nothing, if there is no room for it.
    pub(super) fn push(&mut self, item: T) -> Result<(), Stop> {
        if self.items.len() == self.items.capacity() {
            let more = self.items.len().max(MIN_CAPACITY);
            // The old items and the new ones are both held while they are copied.
            let charge = self.account.charge(bytes_of::<T>(self.items.len() + more))?;
            self.items.reserve_exact(more);
            self.charge = charge;
        }
        self.items.push(item);
        Ok(())
    }

    /// Returns the items to change them in place.
    pub(super) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<T> std::ops::Deref for ChargedVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

fn bytes_of<T>(n: usize) -> u64 {
    (n as u64).saturating_mul(size_of::<T>() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_stays_within_its_account() {
        let account = MemoryAccount::new(1 << 14);
        let mut list = ChargedVec::new(&account);
        let n = (0_u64..).take_while(|&item| list.push(item).is_ok()).count();
        assert!(n >= MIN_CAPACITY && account.used() <= account.limit(), "{n}");
        assert_eq!(list.len(), n);
        assert!(ChargedVec::filled(&account, 1 << 14, 0_u8).is_err());
        drop(list);
        assert_eq!(account.used(), 0);
    }
}
