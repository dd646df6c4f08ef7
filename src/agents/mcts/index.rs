//! An exact table from 64-bit keys to small numbers: open addressing, cleared per decision.

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// 0 where the entry is free.
    value: u32,
}

const FREE: Entry = Entry { key: 0, value: 0 };

/// Where there is no value.
pub(in crate::agents) const NONE: u32 = u32::MAX;

/// The key of a pair.
#[inline]
pub(super) fn pair(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// Keys with positive numbers. Keys are kept whole, so that none is ever taken for another.
#[derive(Debug)]
pub(in crate::agents) struct Index {
    /// A power of two of entries, at least twice as many as keys.
    table: Vec<Entry>,
    /// 64 - log2 of the table's length.
    shift: u32,
    keys: usize,
}

impl Index {
    pub(in crate::agents) fn new() -> Self {
        let mut index = Self {
            table: Vec::new(),
            shift: 64,
            keys: 0,
        };
        index.clear(0);
        index
    }

    /// No keys are left; there is room for `keys` without allocating.
    pub(in crate::agents) fn clear(&mut self, keys: usize) {
        self.table.clear();
        self.keys = 0;
        self.make_room(keys);
    }

    fn make_room(&mut self, keys: usize) {
        let length = (2 * keys).next_power_of_two().max(64);
        self.shift = 64 - length.trailing_zeros();
        self.table.resize(length, FREE);
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        // Fibonacci hashing: the high bits of the product depend on all bits of the key.
        usize::try_from(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift).unwrap_or(0)
    }

    /// The number of `key`, or [`NONE`].
    #[inline]
    pub(in crate::agents) fn get(&self, key: u64) -> u32 {
        let mask = self.table.len() - 1;
        let mut at = self.home(key);
        loop {
            let entry = self.table[at & mask];
            if entry.value == 0 {
                return NONE;
            }
            if entry.key == key {
                return entry.value;
            }
            at += 1;
        }
    }

    /// Adds a key that is not there yet, with a positive number.
    pub(in crate::agents) fn insert(&mut self, key: u64, value: u32) {
        debug_assert!(value != 0 && self.get(key) == NONE);
        if 2 * (self.keys + 1) > self.table.len() {
            self.grow();
        }
        self.place(Entry { key, value });
        self.keys += 1;
    }

    fn place(&mut self, entry: Entry) {
        let mask = self.table.len() - 1;
        let mut at = self.home(entry.key);
        while self.table[at & mask].value != 0 {
            at += 1;
        }
        self.table[at & mask] = entry;
    }

    /// Doubles the table: only where the number of keys was not known beforehand.
    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.make_room(old.len());
        for entry in old {
            if entry.value != 0 {
                self.place(entry);
            }
        }
    }

    /// The number of `key`: the one it has, else the next that is free, counting from 1; [`NONE`]
    /// if that is above `most`.
    pub(super) fn intern(&mut self, key: u64, most: usize) -> u32 {
        match self.get(key) {
            NONE if self.keys >= most => NONE,
            NONE => {
                let value = u32::try_from(self.keys + 1).unwrap_or(NONE);
                self.insert(key, value);
                value
            }
            value => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_again_after_growth_and_absent_ones_are_not() {
        let mut index = Index::new();
        let keys: Vec<u64> = (0..5000_u64).map(|n| ((n * n) << 20) | (n % 3)).collect();
        for (number, &key) in keys.iter().enumerate() {
            assert_eq!(index.intern(key, 5000), u32::try_from(number + 1).unwrap());
        }
        for (number, &key) in keys.iter().enumerate() {
            assert_eq!(index.get(key), u32::try_from(number + 1).unwrap());
            assert_eq!(index.intern(key, 0), u32::try_from(number + 1).unwrap());
            assert_eq!(index.get(key + 3), NONE);
        }
        assert_eq!(index.intern(7, 5000), NONE);
        index.clear(10);
        assert_eq!(index.get(keys[1]), NONE);
    }
}
