#!/usr/bin/python3
"""bios.py RETIRED BUS FOLLOWED: folders of built SoCs (logged_soc.py), with the probe at VexRiscv's last stage, at its buses, and at PicoRV32's
bus. What `earshot watch` says of LiteX's own BIOS while that boots and runs a command is compared with a log of what the processor executed and
wrote, and with the console."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cli"))
from harness import run_all  # noqa: E402
from simulated import Simulated  # noqa: E402

RETIRED, BUS, FOLLOWED = sys.argv[1:]
COMMAND = b"crc 0 64\n"
TYPED = (b"reboot\n", COMMAND)
CALLS = ("main", "crc32", "isr", "uart_write", "command_dispatcher")


def hits_of(records, name):
    return [record for record in records if record["event"] == "hit" and record["statement"] == name]


def writes_to(writes, address):
    """Values of a word: it is written whole."""
    return [data for _, at, lanes, data in writes if at == address and lanes == 15]


def at_first_byte(writes, addresses):
    """For each write of rx_buf[0], its value and what rx_produce was then."""
    produce, rows = None, []
    for _, address, lanes, data in writes:
        if address == addresses["rx_produce"]:
            produce = data
        elif address == addresses["rx_buf"] and lanes & 1:
            rows.append({"rx_buf[0]": data & 0xFF, "rx_produce": produce})
    return rows


def calls_and_variables_are_the_processors_own():
    statements = [f"{name}: enter({name}) {{ print path }}" for name in CALLS if name != "uart_write"]
    statements += ["uart_write: enter(uart_write) { count written }", "crc32_ends: leave(crc32) { print }",
                   "typed: when write(rx_produce) { print rx_produce }", "first: when write(rx_buf[0]) { print rx_buf[0], rx_produce }",
                   "never: when rx_produce > 127 { print }"]
    with Simulated(RETIRED) as soc:
        many = [f"when rx_produce == {number} && tx_produce < {number} {{ print rx_produce }}" for number in range(200)]
        code, _, said, _ = soc.watch(many, ())
        assert code == 2 and "the probe has 8,192" in said, (code, said)   # of 32 KiB
        code, records, said, printed = soc.watch(statements, TYPED)
        jumps, writes = soc.executed()
    assert code == 0, (code, said)
    summary = records[-1]
    assert summary["event"] == "summary" and summary["lost"] == 0, summary
    at = soc.addresses

    # both count clocks of the bus, from another one on
    shift = hits_of(records, "main")[0]["cycle"] - jumps[at["main"]][0]
    compared = 0
    for name in CALLS:
        clocks = jumps[at[name]]
        assert summary["statements"][name] == len(clocks), (name, summary["statements"], len(clocks))
        compared += len(clocks)
        if name != "uart_write":
            assert [hit["cycle"] - shift for hit in hits_of(records, name)] == clocks, name
    expected = writes_to(writes, at["rx_produce"])
    assert [hit["values"]["rx_produce"] for hit in hits_of(records, "typed")] == expected
    compared += len(expected)
    expected = at_first_byte(writes, at)
    assert [hit["values"] for hit in hits_of(records, "first")] == expected
    compared += len(expected)
    assert summary["statements"]["never"] == 0
    assert summary["statements"]["crc32_ends"] == summary["statements"]["crc32"] == 2

    # what was typed and printed, without any log
    typed = [hit["values"]["rx_produce"] for hit in hits_of(records, "typed")]
    assert typed[-len(COMMAND):] == list(range(1, len(COMMAND) + 1)), typed
    assert hits_of(records, "first")[-1]["values"]["rx_buf[0]"] == COMMAND[0]
    echoed = b"reboot\n\r"
    assert printed.startswith(echoed) and len(printed) - len(echoed) == summary["statements"]["uart_write"], (printed, summary["statements"])
    paths = [hit["path"] for hit in hits_of(records, "crc32")]
    assert paths[0] == ["main", "crcbios", "crc32"] and paths[1][0] == "main" and paths[1][-2:] == ["crc_handler", "crc32"], paths
    print(f"{compared} hits the same, {summary['hits']} in all, {len(printed) - len(echoed)} bytes printed")


def what_the_buses_cannot_prove_is_refused_and_writes_are_exact():
    """The same processor watched by its two buses, where it fetches ahead."""
    statements = ["typed: when write(rx_produce) { print rx_produce }", "first: when write(rx_buf[0]) { print rx_buf[0], rx_produce }",
                  "never: when rx_produce > 127 { print }"]
    with Simulated(BUS) as soc:
        code, _, said, _ = soc.watch(["enter(crc32)"], ())
        assert code == 2 and "fetch" in said, (code, said)
        code, records, said, _ = soc.watch(statements, TYPED)
        _, writes = soc.executed()
    assert code == 0, (code, said)
    summary = records[-1]
    assert summary["lost"] == 0 and summary["statements"]["never"] == 0, summary
    # it began before the reset, which these buses do not show
    expected = list(range(1, 1 + len(TYPED[0]))) + writes_to(writes, soc.addresses["rx_produce"])
    assert [hit["values"]["rx_produce"] for hit in hits_of(records, "typed")] == expected, (expected, hits_of(records, "typed"))
    # the first of them is of a byte in a word of which nothing else is known yet
    known = [hit["values"] for hit in hits_of(records, "first") if None not in hit["values"].values()]
    assert known == at_first_byte(writes, soc.addresses), hits_of(records, "first")
    assert len(hits_of(records, "first")) == len(known) + 1 and summary["unknown"] == 0, summary
    assert not any("path" in hit and hit["path"] for hit in records), records


def what_picorv32_fetches_in_vain_is_left_out():
    """By its bus alone. Its interrupts are of its own kind, on a stack of their own: no path is known from the first one on, and none is told."""
    statements = ["written: enter(uart_write) { count written }", "crc32: enter(crc32) { print path }", "crc32_ends: leave(crc32) { count ends }",
                  "typed: when write(rx_produce) { print rx_produce }", "isr: enter(isr) { count interrupts }", "isr_ends: leave(isr) { count ends }"]
    with Simulated(FOLLOWED) as soc:
        code, records, said, printed = soc.watch(statements, TYPED)
    summary = records[-1]
    assert code == 0 and summary["lost"] == 0, (code, said)
    echoed = b"reboot\n\r"
    assert printed.startswith(echoed) and len(printed) - len(echoed) == summary["statements"]["written"], (printed, summary)
    assert [hit["values"]["rx_produce"] for hit in hits_of(records, "typed")] == [0, 0, *range(1, len(COMMAND) + 1)]
    assert [hit["path"] for hit in hits_of(records, "crc32")] == [["main", "crcbios", "crc32"], None]
    assert summary["statements"]["crc32_ends"] == 2 and summary["statements"]["isr"] == summary["statements"]["isr_ends"] > 0, summary


if __name__ == "__main__":
    sys.exit(run_all([calls_and_variables_are_the_processors_own, what_the_buses_cannot_prove_is_refused_and_writes_are_exact,
                      what_picorv32_fetches_in_vain_is_left_out]))
