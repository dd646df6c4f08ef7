#!/usr/bin/env python3
"""A player for evalctl in Python, json dialect: any game, and a little sense in tic-tac-toe.

    evalctl match "exec:python3 examples/bots/json_bot.py" random --game tictactoe
"""

import json
import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def completes(board, cell, mark):
    """Whether `mark` in `cell` makes a line of three."""
    return any(
        cell in line and all(board[c] == mark for c in line if c != cell) for line in LINES
    )


def choose(legal, observation):
    """Win, else block, else the centre, else a corner, else the first legal move."""
    board, mark = observation.get("board", ""), observation.get("mark")
    if len(board) != 9 or mark not in ("o", "x"):
        return legal[0]
    other = "x" if mark == "o" else "o"
    cell_of = {move: 3 * int(move[0]) + int(move[2]) for move in legal}
    for who in (mark, other):
        for move in legal:
            if completes(board, cell_of[move], who):
                return move
    for wanted in (4, 0, 2, 6, 8):
        for move in legal:
            if cell_of[move] == wanted:
                return move
    return legal[0]


def say(message):
    # flush: without it the answer waits in a buffer and the time runs out.
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "ready", "name": "json-bot", "version": "py"})
    elif message["type"] == "act":
        say({"id": message["id"], "move": choose(message["legal"], message["observation"])})
    elif message["type"] == "quit":
        break
    # "start", "event" and "end" need no answer.
