/* A tic-tac-toe player in the board dialect, as the programs of a public match runner are written:
 * the first free cell in reading order.
 *
 *     cc -O2 -o board_bot examples/bots/board_bot.c
 *     evalctl match exec:./board_bot exec:./board_bot --game tictactoe --protocol board
 */
#include <stdio.h>

int main(void) {
    char mark, board[3][4];
    while (scanf(" %c %3s %3s %3s", &mark, board[0], board[1], board[2]) == 4) {
        int row = -1, column = -1;
        for (int cell = 8; cell >= 0; cell--) {
            if (board[cell / 3][cell % 3] == '.') {
                row = cell / 3;
                column = cell % 3;
            }
        }
        printf("%d %d\n", row, column);
        fflush(stdout);
    }
    return 0;
}
