"""Whether a mutant behaves as the original does, proved by yosys and abc: such a mutant is no fault, and not counted.

Looked at is the mutated module with all that it contains, in several sets of parameters; each output must be the same
in every clock after a reset, where registers that it does not set hold 0, whatever the inputs are. Memories and queues
are made small for that. What is not proved in time is not called the same.

The mutant shares the registers of the original (product.py), so that abc has to find out only which values those can
have together, not that two machines run alike. A register that may differ gets a double: then no output, and no
register that is shared, may ever depend on which of the two it is.
"""
import hashlib
import json
import os
import re
import sys

import killers
import product

# parameters other than the default ones; a module that is not named here has no parameter that matters
SETS = {
    "es_bits": ["ROWS_LOG2=2"],
    "es_ram": ["LOG2=2"],
    "es_spram": ["LOG2=2"],
    "es_capture": ["TAPS=1", "TAPS=6 PER_TAP=3 FIFO_LOG2=5", "TAPS=1 TIME_W=23", "TAPS=3 TIME_W=12 FIFO_LOG2=6",
                   "TAPS=2 TIME_W=24 ADDR_W=16 QUEUE=2 FIFO_LOG2=5"],
    "es_fifo_async": ["WIDTH=2 LOG2=3", "WIDTH=2 LOG2=4"],
    "es_hitq": ["WIDTH=2 LOG2=1", "WIDTH=2 LOG2=2"],
    "es_pipeline": ["WINDOW_LOG2=6", "SPRAM=1 ADDR_W=16 WINDOW_LOG2=16 TIME_W=16",
                    "TAPS=3 WINDOW_LOG2=12 TIME_W=12 HITQ_LOG2=1"],
    "es_phantom": ["WORDS_LOG2=5 SPRAM=0", "WORDS_LOG2=6 SPRAM=1"],
    "es_plane": ["WORDS_LOG2=5", "WORDS_LOG2=5 SWEEP=1"],
    "es_planes": ["WORDS_LOG2=5"],
    "es_sync": [f"WIDTH=2 STAGES={stages} RESET={reset}" for stages in (1, 2) for reset in (0, 1)],
    "es_dispatch": ["ADDR_W=16", "ADDR_W=32"],
    "es_regs": ["", "TAPS=3 TIME_W=12 READ_HITS=0 OUTPUTS=0 TIME_NOW=0", "OUTPUTS=1 MARKS=1 FETCHES=1 TARGET_BIG_ENDIAN=1"],
    "es_soc": ["MEM_LOG2=6 WINDOW_LOG2=8", "MEM_LOG2=6 WINDOW_LOG2=28 SPRAM=1"],
    "es_probe": ["MEM_LOG2=6 WINDOW_LOG2=8 FIFO_LOG2=5 EVQ_LOG2=6 TARGET_ADDR_W=16",
                 "MEM_LOG2=6 WINDOW_LOG2=8 FIFO_LOG2=5 EVQ_LOG2=6 TAPS=3 SPRAM=1 TIME_W=16 OUTPUTS=1 TIME_NOW=0"],
    "es_event_queue": ["LOG2=2", "LOG2=6"],
    "es_framer": ["EVQ_LOG2=6"],
    "es_link": ["EVQ_LOG2=6"],
    "es_ft245": ["TX_LOG2=4 RX_LOG2=4"],
    "es_uart": ["CLK_HZ=12000000 BAUD=1000000", "CLK_HZ=4 BAUD=1", "CLK_HZ=5 BAUD=1"],
    "es_tap_lanes": [f"DATA_W={w} BIG_ENDIAN={big}" for w in (8, 16, 32) for big in (0, 1)],
    "es_tap_memvalid": ["DATA_W=8 ADDR_W=16", "DATA_W=32 BIG_ENDIAN=1"],
    "es_tap_sram": ["DATA_W=8 ADDRESS_ENDS=1", "DATA_W=16", "DATA_W=32 ADDR_W=32"],
    "es_tap_rvfi": ["ALIGNED=0", "ALIGNED=1 READ_MASKS=0"],
    "es_tap_queue": ["WIDTH=2", "WIDTH=2 DEPTH=3 SAME_CLOCK=1"],
    "es_tap_wishbone": ["DATA_W=16 BIG_ENDIAN=1", "PIPELINED=1 DATA_W=8 ADDR_W=16 OUTSTANDING=2"],
    "es_tap_obi": ["", "ADDR_W=16 BIG_ENDIAN=1"],
    "es_tap_merge": [""],
    "es_tap_ahb": ["", "ADDR_W=16 BIG_ENDIAN=1"],
    "es_tap_axi_lite": ["", "ADDR_W=16 BIG_ENDIAN=1"],
    "es_tap_axi": ["ID_W=1 OUTSTANDING=2 BEATS=2 QUEUE=2", "ADDR_W=16 ID_W=2 OUTSTANDING=4 BEATS=2 QUEUE=4 BIG_ENDIAN=1"],
    "es_tap_axi_next": [""],
    "es_tap_axi_reads": ["ID_W=1 OUTSTANDING=2", "ID_W=2 OUTSTANDING=4"],
    "es_tap_axi_writes": ["ID_W=1 OUTSTANDING=2 BEATS=2", "ID_W=2 OUTSTANDING=4 BEATS=2"],
    "es_follow": ["", "ADDR_W=16 SETTLE=2 IRQ=1"],
    "es_tap_mark": ["ADDR_W=24", "ADDR_W=32"],
    "es_cpu": ["TRAPS=0", "TRAPS=1", "TRAPS=1 COMPRESSED=1", "MULDIV=1"],
}

# of computing, for each of yosys's and abc's steps; and of these, for abc's proof
SECONDS, PDR_SECONDS = 300, 200


def version():
    """Changes with the way in which mutants are compared."""
    key = hashlib.sha256()
    for path in (__file__, product.__file__):
        with open(path, "rb") as file:
            key.update(file.read())
    return key.hexdigest()[:20]


def netlists(build, tree, module, parameters, reset):
    """yosys commands that leave the module in the folders `gold` and `gate` as netlists of logic and flip-flops."""
    changes = "".join(f" -chparam {p.replace('=', ' ')}" for p in parameters.split())
    after = "sim -clock clk -reset rst -rstlen 2 -n 2 -zinit -w -q; " if reset else ""
    return "".join(
        f"read_verilog -DVERILATOR -DRISCV_FORMAL -I{build}/gen {tree}/{side}/*.v; hierarchy -top {module}{changes}; "
        f"proc; flatten; memory_map; opt_expr; opt_clean; dffunmap; {after}setundef -undriven -zero; "
        f"setundef -init -zero; opt_clean; rename -top module; write_json {tree}/{side}.json; design -reset; "
        for side in ("gold", "gate"))


def yosys(tree, commands):
    """Runs commands of yosys: whether they were done."""
    with open(f"{tree}/equal.ys", "w", encoding="utf-8") as file:
        file.write(commands.replace("; ", "\n") + "\n")
    status, said = killers.run(["yosys", "-q", f"{tree}/equal.ys"], tree, dict(os.environ), SECONDS)
    if status:
        print(f"not compared: {said[-300:]}", file=sys.stderr)
    return status == 0


def never_differ(tree):
    """Whether the two netlists in a tree show the same in every clock."""
    sides = []
    for side in ("gold", "gate"):
        with open(f"{tree}/{side}.json", encoding="utf-8") as file:
            sides.append(json.load(file)["modules"]["module"])
    apart = set()
    while True:
        both = product.Product(*sides, apart)
        with open(f"{tree}/product.json", "w", encoding="utf-8") as file:
            json.dump(both.netlist(), file)
        if not yosys(tree, f"read_json {tree}/product.json; hierarchy -top product; opt_merge; opt_expr; opt_clean; "
                     f"techmap; simplemap; aigmap; opt_clean; write_aiger -zinit {tree}/product.aig"):
            return False
        _, said = killers.run(["yosys-abc", "-c", f"read_aiger {tree}/product.aig; strash; scorr; "
                               f"pdr -a -T {PDR_SECONDS}"], tree, dict(os.environ), SECONDS)
        differ = [both.checks[int(number)] for number in re.findall(r"Output +(\d+) was asserted", said)]
        if not differ:
            return " Disproved = 0. Undecided = 0." in said
        if any(sort == "output" for sort, _ in differ):
            return False
        apart |= {name for _, name in differ}


def write_sides(root, tree, name, mutated):
    """All modules below tree/gold, and below tree/gate with the mutated one; without checks of how they are used."""
    for side in ("gold", "gate"):
        os.makedirs(f"{tree}/{side}", exist_ok=True)
        for room in ("core", "cpu", "link", "tap"):
            for file in os.listdir(f"{root}/rtl/{room}"):
                if file.endswith(".v"):
                    path = f"rtl/{room}/{file}"
                    with open(f"{root}/{path}", encoding="utf-8") as original:
                        text = mutated if side == "gate" and path == name else original.read()
                    with open(f"{tree}/{side}/{file}", "w", encoding="utf-8") as copy:
                        copy.write(re.sub(r"\$error\([^;]*\);", ";", text))


def proved(root, build, tree, name, mutated):
    """Whether the mutant of the file `name` does what the original does. tree: a folder for files on the way."""
    write_sides(root, tree, name, mutated)
    module = os.path.basename(name)[:-2]
    with open(f"{tree}/gold/{module}.v", encoding="utf-8") as file:
        reset = re.search(r"\binput +wire +rst\b", file.read()) is not None
    for parameters in SETS.get(module, [""]):
        try:
            if not yosys(tree, netlists(build, tree, module, parameters, reset)) or not never_differ(tree):
                return False
        except product.NotUnderstood as what:
            print(f"{module} {parameters}: not compared: has {what}", file=sys.stderr)
            return False
    return True
