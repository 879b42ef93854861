//! A head as twelve words, to compare over the telephone.

use super::digest::Digest;

/// The first 132 bits of a hash as twelve words of the BIP-39 English list (2,048 words, 11 bits each).
#[must_use]
pub fn twelve_words(digest: &Digest) -> String {
    let list = bip39::Language::English.word_list();
    let bit = |n: usize| usize::from(digest.0[n / 8] >> (7 - n % 8) & 1);
    let word = |w: usize| list[(0..11).fold(0, |index, b| index * 2 + bit(w * 11 + b))];
    (0..12).map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_last_word_of_the_list_and_the_order_of_bits() {
        assert_eq!(twelve_words(&Digest([0; 32])), ["abandon"; 12].join(" "));
        assert_eq!(twelve_words(&Digest([255; 32])), ["zoo"; 12].join(" "));
        let mut one = [0u8; 32];
        one[1] = 0b0010_0000; // bit 10, the lowest of the first word
        assert!(twelve_words(&Digest(one)).starts_with("ability abandon"));
    }
}
