"""Puts the probe's Verilog, its headers and what reads netlists into the package, from the checkout around it."""
import os
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(HERE))

sys.path.insert(0, os.path.join(HERE, "earshot_litex"))  # the package itself wants LiteX
import sources  # noqa: E402


class WithSources(build_py):
    """As without it, and the probe's sources below earshot_litex/probe/."""

    def run(self):
        super().run()
        if getattr(self, "editable_mode", False):  # which finds the checkout's own
            return
        folder = os.path.join(self.build_lib, "earshot_litex", sources.FOLDER)
        shutil.rmtree(folder, ignore_errors=True)
        for path in sources.of_checkout(CHECKOUT):
            target = os.path.join(folder, os.path.relpath(path, CHECKOUT))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(path, target)
        subprocess.run([sys.executable, os.path.join(CHECKOUT, sources.DEFINE), "verilog"]
                       + [os.path.join(CHECKOUT, path) for path in sources.DEFINITIONS], check=True,
                       stdout=open(os.path.join(folder, sources.HEADER), "w", encoding="utf-8"))


with open(os.path.join(CHECKOUT, "VERSION"), encoding="utf-8") as stream:
    setup(version=stream.read().strip(), cmdclass={"build_py": WithSources})
