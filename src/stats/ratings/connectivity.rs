//! Whether a set of results can be rated at all.
//!
//! Maximum likelihood strengths are finite exactly if no split of the players has all points of the
//! games between the two parts on one side (L. R. Ford 1957): the graph "took a point from" must be
//! strongly connected.

use super::super::StatsError;

/// The groups of players within which everyone took points from everyone, directly or through
/// others; in the order of their first players. One group: the ratings are finite.
///
/// `points[i][j]` is what i scored against j; entries outside the square are ignored.
pub fn strongly_connected_groups(points: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let players = points.len();
    let edge = |from: usize, to: usize| points[from].get(to).is_some_and(|p| *p > 0.0);
    // Kosaraju's algorithm with explicit stacks: finishing order forwards, then backwards.
    let mut order = Vec::with_capacity(players);
    let mut seen = vec![false; players];
    for start in 0..players {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut stack = vec![(start, 0)];
        while let Some((player, next)) = stack.pop() {
            match (next..players).find(|other| !seen[*other] && edge(player, *other)) {
                Some(other) => {
                    seen[other] = true;
                    stack.push((player, other + 1));
                    stack.push((other, 0));
                }
                None => order.push(player),
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut grouped = vec![false; players];
    for start in order.into_iter().rev() {
        if grouped[start] {
            continue;
        }
        grouped[start] = true;
        let mut group = Vec::new();
        let mut stack = vec![start];
        while let Some(player) = stack.pop() {
            group.push(player);
            for (other, grouped) in grouped.iter_mut().enumerate() {
                if !*grouped && edge(other, player) {
                    *grouped = true;
                    stack.push(other);
                }
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups.sort_unstable();
    groups
}

/// Refuses results that cannot be rated, naming the groups.
pub(super) fn check_connected(
    argument: &str,
    points: &[Vec<f64>],
    name: impl Fn(usize) -> String,
) -> Result<(), StatsError> {
    let groups = strongly_connected_groups(points);
    if groups.len() <= 1 {
        return Ok(());
    }
    let listed: Vec<String> = groups
        .iter()
        .map(|group| {
            let names: Vec<String> = group.iter().map(|player| name(*player)).collect();
            format!("{{{}}}", names.join(", "))
        })
        .collect();
    Err(StatsError::undefined(
        argument,
        format!(
            "the players fall into {} groups ({}) between which one side took every point or no \
             game was played, so the distance between them is unbounded; rate each group by \
             itself, or play until every group has both won and lost points",
            groups.len(),
            listed.join(", ")
        ),
    ))
}
