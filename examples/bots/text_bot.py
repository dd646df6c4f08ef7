#!/usr/bin/env python3
"""A player for evalctl in ten lines, text dialect: any legal move, chosen at random.

    evalctl match "exec:python3 examples/bots/text_bot.py" random --game durak --protocol text
"""

import random
import sys

for line in sys.stdin:  # "obs FIELD=VALUE ...", then "moves MOVE;MOVE;..."
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "moves":
        print(random.choice(rest.split(";")), flush=True)
