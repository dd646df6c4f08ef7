//! Tests of the rules.

use super::*;
use crate::games::conformance;

#[test]
fn conforms_with_the_default_rules() {
    conformance::check(&Durak::default(), 60);
}
