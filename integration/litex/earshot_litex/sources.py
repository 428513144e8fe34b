"""Where the probe's Verilog is: in the package, or in the checkout that it was installed from with `pip install -e`."""
import glob
import os
import re
import subprocess
import sys

FOLDER = "probe"  # of the package
ROOMS = ("rtl/core", "rtl/cpu", "rtl/link", "rtl/tap")
DEFINE = "scripts/gen-defs"
DEFINITIONS = ("interface/probe.def", "interface/rv32.def")
PORTS = "scripts/vexriscv-ports"
HEADER = "probe_defs.vh"

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def of_checkout(checkout):
    """Paths of what the package takes from a checkout as it is."""
    return [path for room in ROOMS for path in sorted(glob.glob(os.path.join(checkout, room, "*.v")))] + [os.path.join(checkout, PORTS)]


class Sources:
    """files: Verilog, include: folder of its header, ports: the program that gives a VexRiscv the outputs that its tap wants."""

    def __init__(self, scratch):
        """scratch: a folder where what the checkout does not have is made; it is not used with an installed package."""
        root = os.path.join(_PACKAGE, FOLDER)
        self.include = root
        if not os.path.isdir(root):
            root = os.path.dirname(os.path.dirname(os.path.dirname(_PACKAGE)))
            if not os.path.exists(os.path.join(root, DEFINE)):
                raise RuntimeError(f"earshot_litex: {_PACKAGE} has no Verilog and is not in a checkout of Earshot: "
                                   "install it with `pip install CHECKOUT/integration/litex`")
            self.include = os.path.abspath(scratch)
            os.makedirs(scratch, exist_ok=True)
            with open(os.path.join(scratch, HEADER), "w", encoding="utf-8") as out:
                subprocess.run([sys.executable, os.path.join(root, DEFINE), "verilog"] + [os.path.join(root, path) for path in DEFINITIONS],
                               check=True, stdout=out)
        self.files = [path for path in of_checkout(root) if path.endswith(".v")]
        self.ports = os.path.join(root, PORTS)

    def number(self, name):
        """A number of interface/probe.def."""
        with open(os.path.join(self.include, HEADER), encoding="utf-8") as stream:
            found = re.search(rf"^`define ES_{name} 32'h([0-9a-f]+)", stream.read(), re.M)
        if not found:
            raise KeyError(name)
        return int(found.group(1), 16)
