//! CRC-32 (ISO 3309, reflected polynomial `0xEDB88320`), eight bytes at a time.
//!
//! It finds every flipped bit and every burst up to 32 bits, which is what a journal needs; it is
//! no protection against forgery (the manifest's hashes and the replay are). Tables for eight
//! bytes at a time: M. Kounavis, F. Berry, "Novel table lookup-based algorithms for
//! high-performance CRC generation", IEEE Transactions on Computers 57(11), 2008.

const TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0_u32; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "below 256")]
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut slice = 1;
    while slice < 8 {
        let mut byte = 0;
        while byte < 256 {
            let previous = tables[slice - 1][byte];
            tables[slice][byte] = (previous >> 8) ^ tables[0][(previous & 0xff) as usize];
            byte += 1;
        }
        slice += 1;
    }
    tables
}

/// The checksum of `bytes`, started from `seed` (0 for the standard CRC-32).
///
/// A seed that depends on where the bytes belong makes a misplaced record as invalid as a
/// damaged one, at no cost in bytes.
#[inline]
pub(crate) fn crc32(seed: u32, bytes: &[u8]) -> u32 {
    let mut crc = !seed;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        let word = u64::from_le_bytes(*chunk) ^ u64::from(crc);
        let at = |slice: usize, shift: u32| TABLES[slice][((word >> shift) & 0xff) as usize];
        crc = at(7, 0)
            ^ at(6, 8)
            ^ at(5, 16)
            ^ at(4, 24)
            ^ at(3, 32)
            ^ at(2, 40)
            ^ at(1, 48)
            ^ at(0, 56);
    }
    // A block of two games leaves six bytes: four of them at once.
    let (words, rest) = rest.as_chunks::<4>();
    for word in words {
        let word = u32::from_le_bytes(*word) ^ crc;
        let at = |slice: usize, shift: u32| TABLES[slice][((word >> shift) & 0xff) as usize];
        crc = at(3, 0) ^ at(2, 8) ^ at(1, 16) ^ at(0, 24);
    }
    for &byte in rest {
        crc = (crc >> 8) ^ TABLES[0][((crc ^ u32::from(byte)) & 0xff) as usize];
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_standard_crc_32() {
        // The check value of the catalogue of parametrised CRC algorithms.
        assert_eq!(crc32(0, b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(0, b""), 0);
        assert_eq!(
            crc32(0, b"The quick brown fox jumps over the lazy dog"),
            0x414f_a339
        );
    }

    #[test]
    fn every_flipped_bit_and_every_other_seed_shows() {
        let data: Vec<u8> = (0..29).collect();
        let good = crc32(7, &data);
        assert_ne!(good, crc32(8, &data));
        for bit in 0..data.len() * 8 {
            let mut bad = data.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(good, crc32(7, &bad), "bit {bit}");
        }
    }
}
