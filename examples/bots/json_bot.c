/* A player for evalctl in C, json dialect: any game, and a little sense in tic-tac-toe.
 *
 *     cc -O2 -o json_bot examples/bots/json_bot.c
 *     evalctl match exec:./json_bot random --game tictactoe
 *
 * It looks for the few keys it needs instead of reading JSON in full; messages are one a line and
 * the harness writes them without spaces. A longer program would use a JSON library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MOVES 256

static const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

/* Whether `mark` in `cell` makes a line of three. */
static int completes(const char *board, int cell, char mark) {
    for (int l = 0; l < 8; l++) {
        int on_line = 0, marks = 0;
        for (int i = 0; i < 3; i++) {
            int c = LINES[l][i];
            on_line |= c == cell;
            marks += c != cell && board[c] == mark;
        }
        if (on_line && marks == 2) return 1;
    }
    return 0;
}

static int cell_of(const char *move) { return 3 * (move[0] - '0') + (move[2] - '0'); }

/* Win, else block, else the centre, else a corner, else the first legal move. */
static int choose(char *const legal[], int count, const char *board, char mark) {
    static const int WANTED[] = {4, 0, 2, 6, 8};
    if (strlen(board) != 9 || (mark != 'o' && mark != 'x')) return 0;
    char marks[2] = {mark, mark == 'o' ? 'x' : 'o'};
    for (int who = 0; who < 2; who++)
        for (int i = 0; i < count; i++)
            if (completes(board, cell_of(legal[i]), marks[who])) return i;
    for (int w = 0; w < 5; w++)
        for (int i = 0; i < count; i++)
            if (cell_of(legal[i]) == WANTED[w]) return i;
    return 0;
}

/* What follows `key` in the line, or NULL. */
static char *after(char *line, const char *key) {
    char *found = strstr(line, key);
    return found ? found + strlen(key) : NULL;
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (strstr(line, "\"type\":\"hello\"")) {
            puts("{\"type\":\"ready\",\"name\":\"json-bot\",\"version\":\"c\"}");
        } else if (strstr(line, "\"type\":\"act\"")) {
            char *id = after(line, "\"id\":"), *list = after(line, "\"legal\":[");
            char *mark = after(line, "\"mark\":\""), *board = after(line, "\"board\":\"");
            char *legal[MAX_MOVES];
            int count = 0;
            if (id == NULL || list == NULL) return 1;
            long number = strtol(id, NULL, 10);
            char cells[10] = ""; /* another game has another board, or none */
            if (board && strcspn(board, "\"") == 9) memcpy(cells, board, 9);
            char own = mark ? *mark : '?';
            /* Cut the list of quoted moves at its quotes; it ends with `]`. */
            for (char *p = list; *p == '"' && count < MAX_MOVES; p += *p == ',') {
                legal[count++] = ++p;
                p += strcspn(p, "\"");
                *p++ = '\0';
            }
            if (count == 0) return 1;
            int best = choose(legal, count, cells, own);
            printf("{\"id\":%ld,\"move\":\"%s\"}\n", number, legal[best]);
        } else if (strstr(line, "\"type\":\"quit\"")) {
            break;
        }
        /* "start", "event" and "end" need no answer. */
        fflush(stdout); /* else the answer waits in a buffer and the time runs out */
    }
    free(line);
    return 0;
}
