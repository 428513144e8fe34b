"""Whether a mutant behaves as the original does, proved by yosys and abc: such a mutant is no fault, and not counted.

Looked at is the mutated module with all that it contains, in several sets of parameters; each output must be the same
in every clock after a reset, where registers that it does not set hold 0. Memories and queues are made small for that.
What is not proved in time is not called the same.
"""
import os
import re
import sys

import killers

# parameters other than the default ones; a module that is not named here has no parameter that matters
SETS = {
    "es_bits": ["ROWS_LOG2=2"],
    "es_ram": ["LOG2=2"],
    "es_spram": ["LOG2=2"],
    "es_capture": ["TAPS=1", "TAPS=3 TIME_W=12 FIFO_LOG2=6", "TAPS=2 TIME_W=24 ADDR_W=16 QUEUE=2 FIFO_LOG2=5"],
    "es_fifo_async": ["WIDTH=2 LOG2=3", "WIDTH=2 LOG2=4"],
    "es_hitq": ["WIDTH=2 LOG2=1", "WIDTH=2 LOG2=2"],
    "es_pipeline": ["WINDOW_LOG2=6", "SPRAM=1 ADDR_W=16 WINDOW_LOG2=16 TIME_W=16",
                    "TAPS=3 WINDOW_LOG2=12 TIME_W=12 HITQ_LOG2=1"],
    "es_phantom": ["LOG2=6 SPRAM=0", "LOG2=6 SPRAM=1", "WINDOW_LOG2=6"],
    "es_planes": ["LOG2=6", "WINDOW_LOG2=6"],
    "es_regs": ["", "TAPS=3 TIME_W=12 READ_HITS=0 OUTPUTS=0 TIME_NOW=0"],
    "es_soc": ["MEM_LOG2=6 WINDOW_LOG2=8", "MEM_LOG2=6 WINDOW_LOG2=28 SPRAM=1"],
    "es_probe": ["MEM_LOG2=6 WINDOW_LOG2=6 FIFO_LOG2=5 EVQ_LOG2=6"],
    "es_event_queue": ["LOG2=2", "LOG2=6"],
    "es_framer": ["EVQ_LOG2=6"],
    "es_link": ["EVQ_LOG2=6"],
    "es_ft245": ["TX_LOG2=4 RX_LOG2=4"],
    "es_uart": ["CLK_HZ=12000000 BAUD=1000000", "CLK_HZ=4 BAUD=1", "CLK_HZ=5 BAUD=1"],
    "es_tap_lanes": [f"DATA_W={w} BIG_ENDIAN={big}" for w in (8, 16, 32) for big in (0, 1)],
    "es_tap_memvalid": ["DATA_W=8 ADDR_W=16", "DATA_W=32 BIG_ENDIAN=1"],
    "es_tap_sram": ["DATA_W=8 ADDRESS_ENDS=1", "DATA_W=16", "DATA_W=32 ADDR_W=32"],
    "es_tap_mark": ["ADDR_W=24", "ADDR_W=32"],
    "es_cpu": ["TRAPS=0", "TRAPS=1"],
}

def script(build, tree, module, parameters, reset):
    """yosys commands that compare the module in the folders `gold` and `gate`. reset: the module has one."""
    after = "sim -clock clk -reset rst -rstlen 2 -n 2 -zinit -w -q {}; " if reset else ""
    def side(name):
        changes = "".join(f" -chparam {p.replace('=', ' ')}" for p in parameters.split())
        return (f"read_verilog -DVERILATOR -DRISCV_FORMAL -I{build}/gen {tree}/{name}/*.v; "
                f"hierarchy -top {module}{changes}; proc; flatten; memory_map; opt -fast; dffunmap; opt_clean; "
                f"rename -top {name}; design -stash {name}; design -reset; ")
    return (side("gold") + side("gate") +
            "design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; design -save pair; "
            "equiv_make gold gate both; hierarchy -top both; opt -fast; equiv_simple; equiv_induct -seq 3; "
            f"tee -o {tree}/status equiv_status; design -load pair; {after.format('gold')}{after.format('gate')}"
            "miter -equiv -flatten gold gate miter; hierarchy -top miter; async2sync; setundef -init -undriven -zero; "
            "opt -fast; techmap; opt -fast; dffunmap; simplemap; abc -g AND -fast; opt_clean; "
            f"write_aiger -zinit {tree}/miter.aig")


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
    module, env = os.path.basename(name)[:-2], dict(os.environ)
    reset = re.search(r"\binput +wire +rst\b", mutated) is not None
    for parameters in SETS.get(module, [""]):
        for made in ("status", "miter.aig"):
            if os.path.exists(f"{tree}/{made}"):
                os.remove(f"{tree}/{made}")
        with open(f"{tree}/equal.ys", "w", encoding="utf-8") as file:
            file.write(script(build, tree, module, parameters, reset).replace("; ", "\n") + "\n")
        _, said = killers.run(["yosys", "-q", f"{tree}/equal.ys"], root, env, 100)
        if os.path.exists(f"{tree}/status"):
            with open(f"{tree}/status", encoding="utf-8") as file:
                if "Equivalence successfully proven" in file.read():
                    continue
        if not os.path.exists(f"{tree}/miter.aig") or not os.path.getsize(f"{tree}/miter.aig"):
            print(f"{module} {parameters}: not compared: {said[-300:]}", file=sys.stderr)
            return False
        check = f"read_aiger {tree}/miter.aig; fold; strash; scorr; pdr -T 60"
        _, said = killers.run(["yosys-abc", "-c", check], root, env, 60)
        if "Property proved" not in said and "Networks are equivalent" not in said:
            return False
    return True
