//! Monte Carlo tree search: the family that people mean by the word.
//!
//! Every member shares its options ([`options`]), its formula (`ucb`) and its rollouts
//! (`rollout`); each file beside this one holds one algorithm, with its paper:
//!
//! | agent | file | sees |
//! |---|---|---|
//! | `flat-mc` | [`flat`] | what its seat may know |
//! | `uct` | [`uct`] | the position, in games without hidden information |
//! | `pimc` | [`pimc`] | what its seat may know |
//! | `ismcts` | [`ismcts`] | what its seat may know |
//! | `mo-ismcts` | [`mo_ismcts`] | what its seat may know |
//! | `cheating-uct` | [`cheating`] | everything |
//!
//! What holds for all of them:
//! * UCB1 is mean reward + exploration x sqrt(ln(visits of the parent) / visits of the child),
//!   rewards in `[0, 1]`, unvisited children first and among these in random order.
//! * Rewards are kept per seat (max^n): a node holds the reward of the seat that moved into it.
//!   Seats may move several times in a row, so nothing is ever flipped by ply.
//! * Equal values are settled in favour of the child that was opened first inside the tree, and of
//!   the move that the game lists first at the root.
//! * Three random streams, all derived from the agent's own seed: hidden cards, the order in which
//!   children are opened, rollouts. None is shared with the deal.
//! * A decision with a single legal move is answered without search.
//! * A simulation allocates nothing: nodes live in an arena that is cleared per decision and whose
//!   size `nodes` bounds.

mod arena;
pub(crate) mod cheating;
pub(crate) mod flat;
pub(in crate::agents) mod index;
pub(crate) mod ismcts;
pub(crate) mod mo_ismcts;
pub(crate) mod options;
pub(crate) mod pimc;
mod rollout;
mod shared;
mod tree;
mod ucb;
pub(crate) mod uct;
