#!/usr/bin/env python3
"""A tic-tac-toe player in the board dialect: the first free cell in reading order.

    evalctl match "exec:python3 examples/bots/board_bot.py" random --game tictactoe --protocol board
"""

import sys

for mark in sys.stdin:  # a line with the own mark, then three lines of three cells
    board = [sys.stdin.readline() for _ in range(3)]
    free = [(r, c) for r in range(3) for c in range(3) if board[r][c : c + 1] == "."]
    print(*(free[0] if free else (-1, -1)), flush=True)
