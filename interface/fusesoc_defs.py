#!/usr/bin/python3
"""FuseSoC's generator of probe_defs.vh: called with a file that says how the core is to be named, it writes the header and a core file to the
current folder."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = "probe_defs.vh"


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        named = re.search(r"^vlnv: *['\"]?([^'\"\s]+)", stream.read(), re.M)
    if not named:
        sys.exit(f"fusesoc_defs: {sys.argv[1]} names no core (vlnv)")
    with open(HEADER, "w", encoding="utf-8") as out:
        subprocess.run([sys.executable, os.path.join(HERE, "..", "scripts", "gen-defs"), "verilog", os.path.join(HERE, "probe.def"),
                        os.path.join(HERE, "rv32.def")], check=True, stdout=out)
    with open("earshot_defs_made.core", "w", encoding="utf-8") as out:
        out.write(f"CAPI=2:\nname: {named.group(1)}\nfilesets:\n  header:\n    file_type: verilogSource\n    files:\n"
                  f"      - {HEADER}: {{is_include_file: true}}\ntargets:\n  default:\n    filesets: [header]\n")


if __name__ == "__main__":
    main()
