"""The original and a mutant of a module, as netlists of yosys, side by side over one set of registers.

A register of the mutant that has the same name in the original is left out, and what it would hold is taken from the
original's. Checked is then, clock by clock, that both would load the same into it, and show the same at their outputs:
so the mutant never gets the chance to differ, as long as the original's registers are what they can become. Registers
that do differ, but that nobody may see, are kept in both (`apart`), each with what it loads itself.
"""


class NotUnderstood(Exception):
    """A netlist that has more than logic and flip-flops of its inputs' clocks."""


class Side:
    """One netlist: what its bits are called, its registers, and its logic."""

    def __init__(self, module):
        self.module = module
        self.names = {}    # bit: (name, place) of the net that it belongs to
        self.inits = {}    # bit: what it holds at first
        self.registers = {}  # name: {place: (bit, what it loads, its clock)}
        self.logic = []
        # a bit goes by the name of its port, if there is one, as the clocks do
        for name, net in sorted(module["netnames"].items(), key=lambda item: (
                item[0] not in module["ports"], item[1].get("hide_name", 0), item[0])):
            init = net.get("attributes", {}).get("init", "")
            for place, bit in enumerate(net["bits"]):
                self.names.setdefault(bit, (name, place))
                if place < len(init) and init[-1 - place] in "01":
                    self.inits[bit] = init[-1 - place]
        for cell in module["cells"].values():
            wires = cell["connections"]
            if cell["type"] == "$dff":
                for bit, value in zip(wires["Q"], wires["D"]):
                    name, place = self.names[bit]
                    self.registers.setdefault(name, {})[place] = (bit, value, self.names.get(wires["CLK"][0]),
                                                                  cell["parameters"]["CLK_POLARITY"])
            elif {"CLK", "Q", "EN", "MEMID"} & {*wires, *cell["parameters"]}:
                raise NotUnderstood(cell["type"])
            else:
                self.logic.append(cell)

    def same_register(self, other, name):
        """Whether a register is there in the other one as well: as wide, with the same clock, the same at first."""
        mine, others = self.registers.get(name), other.registers.get(name)
        return mine and others and mine.keys() == others.keys() and all(
            mine[k][2:] == others[k][2:] and self.inits.get(mine[k][0], "0") == other.inits.get(others[k][0], "0")
            for k in mine)


class Product:
    """Both together. checks: what the outputs are about, in their order: ('output' or 'register', name)."""

    def __init__(self, gold, gate, apart):
        self.gold, self.gate = Side(gold), Side(gate)
        self.apart = {name for name in {**self.gold.registers, **self.gate.registers}
                      if name in apart or not self.gold.same_register(self.gate, name)}
        self.ports, self.cells, self.nets, self.checks = {}, {}, {}, []
        self.next_bit = 1 + max([bit for side in (gold, gate) for net in side["netnames"].values()
                                 for bit in net["bits"] if isinstance(bit, int)] + [1])
        self.gate_bits = {}
        self.ticks = {}    # clock: the bit that says whether it ticks
        self.clock = self.bit()
        self.ports["clk"] = {"direction": "input", "bits": [self.clock]}
        self.share()
        clocks = {bits[2:] for side in (self.gold, self.gate) for group in side.registers.values()
                  for bits in group.values()}
        if len(clocks) == 1: # it ticks always
            self.ticks = {clock: "1" for clock in clocks}
        self.build()

    def bit(self):
        """A new one."""
        self.next_bit += 1
        return self.next_bit

    def of_gate(self, bit):
        """What a bit of the mutant is called in the product."""
        if isinstance(bit, str):
            return bit
        if bit not in self.gate_bits:
            self.gate_bits[bit] = self.bit()
        return self.gate_bits[bit]

    def share(self):
        """Inputs, and the registers that are not apart, are the original's."""
        for name, port in self.gold.module["ports"].items():
            if port["direction"] == "input":
                self.ports["in." + name] = {"direction": "input", "bits": port["bits"]}
                self.gate_bits.update(zip(self.gate.module["ports"][name]["bits"], port["bits"]))
        for name, bits in self.gold.registers.items():
            if name not in self.apart:
                for place, (bit, *_) in bits.items():
                    self.gate_bits[self.gate.registers[name][place][0]] = bit

    def tick(self, clock):
        """The bit that says whether a clock ticks. Several clocks are free of one another."""
        if clock[0] is None or clock[0][0] not in self.gold.module["ports"]:
            raise NotUnderstood(f"clock {clock[0]}")
        if clock not in self.ticks:
            self.ticks[clock] = self.bit()
            self.ports[f"tick.{len(self.ticks)}"] = {"direction": "input", "bits": [self.ticks[clock]]}
        return self.ticks[clock]

    def register(self, name, bits, inits, of):
        """A register; of: what bits are called."""
        held = [of(bit) for bit, *_ in bits.values()]
        loads = []
        for bit, value, *clock in bits.values():
            loads.append(self.bit())
            self.cells[f"{name}.{len(loads)}"] = {
                "hide_name": 0, "type": "$mux", "parameters": {"WIDTH": 1}, "attributes": {},
                "port_directions": {"A": "input", "B": "input", "S": "input", "Y": "output"},
                "connections": {"A": [of(bit)], "B": [of(value)], "S": [self.tick(tuple(clock))], "Y": [loads[-1]]}}
        self.cells[name] = {
            "hide_name": 0, "type": "$dff", "parameters": {"WIDTH": len(held), "CLK_POLARITY": 1}, "attributes": {},
            "port_directions": {"CLK": "input", "D": "input", "Q": "output"},
            "connections": {"CLK": [self.clock], "D": loads, "Q": held}}
        init = "".join(inits.get(bit, "0") for bit, *_ in bits.values())[::-1]
        self.nets["held." + name] = {"hide_name": 0, "bits": held, "attributes": {"init": init}}

    def check(self, sort, name, golds, gates):
        """Compares bits of both."""
        differs = self.bit()
        self.ports[f"differs.{len(self.checks)}"] = {"direction": "output", "bits": [differs]}
        self.cells[f"check.{len(self.checks)}"] = {
            "hide_name": 0, "type": "$ne", "attributes": {}, "parameters": {
                "A_SIGNED": 0, "B_SIGNED": 0, "A_WIDTH": len(golds), "B_WIDTH": len(gates), "Y_WIDTH": 1},
            "port_directions": {"A": "input", "B": "input", "Y": "output"},
            "connections": {"A": golds, "B": [self.of_gate(bit) for bit in gates], "Y": [differs]}}
        self.checks.append((sort, name))

    def build(self):
        """Logic of both, registers, and checks."""
        for side, of, mark in ((self.gold, lambda bit: bit, "gold"), (self.gate, self.of_gate, "gate")):
            for number, cell in enumerate(side.logic):
                wires = {port: [of(bit) for bit in bits] for port, bits in cell["connections"].items()}
                self.cells[f"{mark}.logic.{number}"] = {**cell, "connections": wires}
            for name, bits in side.registers.items():
                if side is self.gold or name in self.apart:
                    self.register(f"{mark}.{name}", bits, side.inits, of)
        for name, port in self.gold.module["ports"].items():
            if port["direction"] == "output":
                self.check("output", name, port["bits"], self.gate.module["ports"][name]["bits"])
        for name, bits in self.gold.registers.items():
            if name not in self.apart:
                gates = self.gate.registers[name]
                self.check("register", name, [bits[k][1] for k in bits], [gates[k][1] for k in bits])

    def netlist(self):
        """For yosys: module `product`."""
        return {"creator": "product.py", "modules": {"product": {
            "attributes": {}, "ports": self.ports, "cells": self.cells, "netnames": self.nets}}}
