#!/usr/bin/env node
// A player for evalctl in JavaScript, json dialect: any game, and a little sense in tic-tac-toe.
//
//     evalctl match "exec:node examples/bots/json_bot.js" random --game tictactoe
"use strict";

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

// Whether `mark` in `cell` makes a line of three.
const completes = (board, cell, mark) =>
  LINES.some((line) => line.includes(cell) && line.every((c) => c === cell || board[c] === mark));

// Win, else block, else the centre, else a corner, else the first legal move.
function choose(legal, { board = "", mark }) {
  if (board.length !== 9 || (mark !== "o" && mark !== "x")) return legal[0];
  const cellOf = (move) => 3 * Number(move[0]) + Number(move[2]);
  for (const who of [mark, mark === "o" ? "x" : "o"]) {
    const move = legal.find((m) => completes(board, cellOf(m), who));
    if (move !== undefined) return move;
  }
  for (const wanted of [4, 0, 2, 6, 8]) {
    const move = legal.find((m) => cellOf(m) === wanted);
    if (move !== undefined) return move;
  }
  return legal[0];
}

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.type === "hello") say({ type: "ready", name: "json-bot", version: "js" });
    else if (message.type === "act") say({ id: message.id, move: choose(message.legal, message.observation) });
    else if (message.type === "quit") process.exit(0);
    // "start", "event" and "end" need no answer.
  });
