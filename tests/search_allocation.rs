//! A simulation allocates nothing: counted by an allocator that counts.

#![expect(
    unsafe_code,
    reason = "a global allocator is an unsafe trait; this one only counts and passes on"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use evalctl::agents::{GameAgents, Player, build};
use evalctl::games::connect_four::ConnectFour;
use evalctl::games::durak::Durak;
use evalctl::games::tictactoe::TicTacToe;
use evalctl::rng::Seed;
use evalctl::spec::{Settings, Value};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter any more; nothing is measured there.
    let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
}

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of the second choice of an agent: the first may make its buffers.
fn of_second_choice<G: GameAgents>(game: &G, settings: &Settings) -> u64 {
    let state = game.deal(&mut Seed::root(1).rng());
    let seat = game.to_move(&state).expect("a game begins");
    let mut legal = Vec::new();
    game.legal_into(&state, &mut legal);
    let view = game.view(&state, seat);
    let player = build(game, settings).unwrap_or_else(|e| panic!("{settings}: {e}"));
    let counted = |mut choose: Box<dyn FnMut() + '_>| {
        choose();
        let before = ALLOCATIONS.with(Cell::get);
        choose();
        ALLOCATIONS.with(Cell::get) - before
    };
    match player {
        Player::Honest(mut agent) => {
            agent.start(game, seat, Seed::root(2)).expect("starts");
            counted(Box::new(move || {
                agent.choose(game, &view, &legal).expect("chooses");
            }))
        }
        Player::Cheating(mut agent) => {
            agent.start(game, seat, Seed::root(2)).expect("starts");
            counted(Box::new(move || {
                agent.choose(game, &state, &legal).expect("chooses");
            }))
        }
    }
}

fn settings(name: &str, extra: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::named(name);
    settings
        .values
        .insert("simulations".to_owned(), Value::Integer(500));
    for (key, value) in extra {
        settings.values.insert((*key).to_owned(), value.clone());
    }
    settings
}

#[test]
fn searching_allocates_nothing_once_the_buffers_are_there() {
    let word = |key, value: &str| (key, Value::Text(value.to_owned()));
    for name in ["flat-mc", "pimc", "ismcts", "mo-ismcts", "cheating-uct"] {
        let plain = settings(name, &[]);
        assert_eq!(of_second_choice(&Durak::default(), &plain), 0, "{plain}");
        let lowest = settings(name, &[word("rollout", "lowest")]);
        assert_eq!(of_second_choice(&Durak::default(), &lowest), 0, "{lowest}");
    }
    for options in [
        vec![],
        vec![word("selection", "ucb1-tuned")],
        vec![word("solver", "on")],
    ] {
        let uct = settings("uct", &options);
        assert_eq!(of_second_choice(&TicTacToe, &uct), 0, "{uct}");
        assert_eq!(of_second_choice(&ConnectFour, &uct), 0, "{uct}");
    }
}

#[test]
fn a_search_makes_its_room_before_the_first_simulation() {
    // Ten times the simulations, hardly more allocations: none is made per simulation.
    let first_choice = |simulations: i64| {
        let game = Durak::default();
        let state = game.deal_for_test();
        let seat = state.1;
        let mut settings = settings("ismcts", &[]);
        settings
            .values
            .insert("simulations".to_owned(), Value::Integer(simulations));
        let Ok(Player::Honest(mut agent)) = build(&game, &settings) else {
            panic!("ismcts plays Durak");
        };
        agent.start(&game, seat, Seed::root(2)).expect("starts");
        let before = ALLOCATIONS.with(Cell::get);
        agent.choose(&game, &state.0, &state.2).expect("chooses");
        ALLOCATIONS.with(Cell::get) - before
    };
    assert!(first_choice(3000) <= first_choice(300) + 10);
}

/// A position to choose in: the mover's view, the mover, its moves.
trait Dealt {
    type View;
    type Move;
    fn deal_for_test(&self) -> (Self::View, usize, Vec<Self::Move>);
}

impl<G: GameAgents> Dealt for G {
    type View = G::View;
    type Move = G::Move;

    fn deal_for_test(&self) -> (G::View, usize, Vec<G::Move>) {
        let state = self.deal(&mut Seed::root(1).rng());
        let seat = self.to_move(&state).expect("a game begins");
        let mut legal = Vec::new();
        self.legal_into(&state, &mut legal);
        (self.view(&state, seat), seat, legal)
    }
}
