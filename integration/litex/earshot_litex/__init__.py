"""Earshot's probe in a LiteX SoC (docs/litex.md).

    from earshot_litex import Earshot
    self.submodules.earshot = Earshot(self.cpu, link="uart", pads=platform.request("earshot"))
"""
from .probe import Earshot

__all__ = ["Earshot"]
