#!/usr/bin/python3
"""Numbers of 64 bits in two registers: what is told as assigned was assigned, never a mixture of two values. Truth: the same program without
optimisation on the probe, which hears each assignment on the bus."""
import os
import sys
import tempfile

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli")]

from copies import hits  # noqa: E402
from harness import run_all  # noqa: E402
from pointers import program  # noqa: E402

# by name: how many of its assignments are seen in optimised code, at least
NUMBERS = {"generate\\s": 7, "add_up\\sum": 7, "read_timer\\now": 3, "mix\\m": 5, "nest\\w": 9, "average\\m": 7}


def assigned(path, side):
    """By name, the values that were assigned."""
    found = {name: [] for name in NUMBERS}
    for hit in hits(path, [f"write({name}) {{ print {name} }}" for name in NUMBERS], side):
        for name, value in hit["values"].items():
            found[name].append(value)
    return found


def never_a_mixture():
    with tempfile.TemporaryDirectory() as folder:
        truth = assigned(program(folder, "O0", "halves"), "--probe-only")
        for level in "Og", "O1", "O2", "Os", "O3":
            for name, told in assigned(program(folder, level, "halves"), "--replay").items():
                left = iter(truth[name])
                distinct = [value for i, value in enumerate(told) if i == 0 or told[i - 1] != value]
                assert all(value in left for value in distinct), (name, level, told, truth[name])   # in this order
                assert len(told) >= NUMBERS[name], (name, level, told, truth[name])


def why_it_is_not_known():
    with tempfile.TemporaryDirectory() as folder:
        found = hits(program(folder, "O2", "halves"), ["write(told) { print told, mix\\m }"], "--replay")
        reasons = {hit["unknown"]["mix\\m"] for hit in found if hit.get("unknown") and "mix" in hit["path"]}
        assert reasons <= {"optimised out here", "one of its two words was set, the other one not yet, or it was overwritten"}, reasons
        known = [(hit["values"]["told"], hit["values"]["mix\\m"]) for hit in found if hit["values"]["mix\\m"] is not None]
        assert known and all(told == value for told, value in known), known


if __name__ == "__main__":
    sys.exit(run_all([never_a_mixture, why_it_is_not_known]))
