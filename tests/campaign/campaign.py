#!/usr/bin/python3
"""campaign.py [--short] [--seed N] [PART...]: disturbs earshot and its daemon in all the ways that there are, at random moments, and looks whether what they
tell stays true.

Each case has a seed of its own, made of the campaign's, the part's name and the case's number; what fails is told with what repeats it.
"""
import argparse
import importlib
import os
import random
import sys
import time
import traceback

import ground

PARTS = ["kills", "disk", "crowd", "usb", "day", "memcheck", "plug"]


class Shown:
    """On a terminal one line tells where it is."""

    def __init__(self):
        self.terminal = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    def progress(self, text):
        if self.terminal:
            print(f"\r\033[K{text}"[:os.get_terminal_size().columns + 4], end="", flush=True)

    def line(self, text):
        print(("\r\033[K" if self.terminal else "") + text, flush=True)


def run_part(name, options, shown):
    """(name, what it is about, passed, failed, figures, seconds)"""
    part, figures, failed = importlib.import_module(name), ground.Figures(), 0
    count = options.cases or part.CASES["short" if options.short else "full"]
    begin = time.monotonic()
    numbers = [options.case] if options.case is not None else range(count)
    for number in numbers:
        shown.progress(f"{name}: {number + 1} of {count}, {failed} failed; {figures}")
        try:
            part.case(random.Random(f"{options.seed}/{name}/{number}"), figures)
        except Exception as why:  # whatever it is, the other cases still run
            failed += 1
            told = str(why) if isinstance(why, ground.Wrong) else traceback.format_exc()
            shown.line(f"FAIL {name}: {told}\n  again: campaign.py --seed {options.seed} --case {number} {name}")
    return name, part.ABOUT, len(numbers) - failed, failed, figures, time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which (default: all): {', '.join(PARTS)}")
    parser.add_argument("--short", action="store_true", help="a few cases of each")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED") or random.SystemRandom().randrange(1 << 31)))
    parser.add_argument("--cases", type=int, metavar="N", help="so many of each part")
    parser.add_argument("--case", type=int, metavar="N", help="only this one")
    options = parser.parse_args()
    if set(options.parts) - set(PARTS):
        parser.error(f"parts are {', '.join(PARTS)}")
    ground.SHORT = options.short
    shown = Shown()
    shown.line(f"SEED={options.seed}")
    done = [run_part(name, options, shown) for name in PARTS if not options.parts or name in options.parts]
    shown.line("")
    for name, about, passed, failed, figures, seconds in done:
        shown.line(f"{name}: {about}\n  {passed} passed, {failed} failed in {seconds:.0f} s: {figures}")
    shown.line(f"{sum(row[2] for row in done)} passed, {sum(row[3] for row in done)} failed")
    return int(any(row[3] for row in done))


if __name__ == "__main__":
    sys.exit(main())
