"""The host's side of link="sim": a pseudo terminal beside LiteX's simulation, for `earshot watch --probe uart:FILE`.

    sim_config = SimConfig(default_clk="sys_clk", default_clk_freq=sys_clk_freq)
    builder.build(sim_config=sim_config, **simulation.terminal(sim_config, builder, sys_clk_freq))
"""
import os
import shutil

from .links import PADS, SIM_CLOCK, SIM_RATIO

MODULE = "earshot_terminal"  # of LiteX's simulator, below simulator/

_SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "simulator")


def terminal(sim_config, builder, sys_clk_freq, path="earshot-link"):
    """Adds the probe's clock and the terminal to the simulation. path: a link to the terminal, made when the simulation starts.
    Returns what Builder.build has to be told."""
    folder = os.path.abspath(os.path.join(builder.output_dir, "earshot", "simulation"))  # LiteX writes there, too
    shutil.copytree(_SOURCES, folder, dirs_exist_ok=True)
    sim_config.add_clocker(SIM_CLOCK, int(sys_clk_freq) * SIM_RATIO)
    sim_config.add_module(MODULE, PADS, clocks=SIM_CLOCK, args={"path": os.path.abspath(path)})
    return {"extra_mods": [MODULE], "extra_mods_path": folder}
