"""Paths of activations: their text, and which activation of a call stack they denote (docs/statements.md, "Paths")."""
import instructions

MAIN = 'main'


class Path:
    """steps: ('any',), ('name', procedure), ('call', procedure, site), ('nested', procedure, count)."""

    def __init__(self, steps, text):
        self.steps, self.text = steps, text

    def end(self):
        return self.steps[-1][1]

    def find(self, activations):
        """Index of the innermost activation that the path denotes; None when there is none."""
        # where the next step's activation may stand: exactly there, or, after a gap, anywhere from there on
        starts, gap = {0}, False
        for step in self.steps:
            if step[0] == 'any':
                gap = True
                continue
            ends = set()
            for start in starts:
                if step[0] == 'nested':
                    end = nested(activations, start, gap, step[1], step[2])
                    if end is not None:
                        ends.add(end)
                    continue
                for at in range(start, len(activations) if gap else min(start + 1, len(activations))):
                    if fits(step, activations[at]):
                        ends.add(at)
            starts, gap = {end + 1 for end in ends}, False
        return max(starts) - 1 if starts else None

    def exists(self, activations):
        return self.find(activations) is not None

    def is_innermost(self, activations):
        """The innermost activation of all is one that the path denotes."""
        return bool(activations) and self.find(activations) == len(activations) - 1


def fits(step, activation):
    if activation.procedure is not step[1]:
        return False
    return step[0] == 'name' or (activation.site == step[2] and not activation.is_interrupt)


def nested(activations, start, gap, procedure, count):
    """The count-th activation of a procedure from `start` on; the first stands right there unless there is a gap."""
    found = [at for at in range(start, len(activations)) if activations[at].procedure is procedure]
    if not gap and found[:1] != [start]:
        return None
    return found[count - 1] if len(found) >= count else None


def is_call(insn):
    """jal, jalr that keep the return address in ra or t0."""
    return insn & 0x7F in (0x6F, 0x67) and insn >> 7 & 31 in (1, 5)


def callee(program, address, insn):
    """The procedure that a call goes to; None through a pointer."""
    if insn & 0x7F == 0x6F:
        offset = (insn >> 21 & 0x3FF) << 1 | (insn >> 20 & 1) << 11 | (insn >> 12 & 0xFF) << 12
        offset -= (insn >> 31) << 20
        return program.entries.get(address + offset & 0xFFFFFFFF)
    before, _ = instructions.at(program, address - 4) or (0, 4)
    if before & 0x7F == 0x17 and before >> 7 & 31 == insn >> 15 & 31:  # auipc, jalr
        offset = (before & 0xFFFFF000) + ((insn >> 20) - (insn >> 31 << 12))
        return program.entries.get(address - 4 + offset & 0xFFFFFFFF)
    return None


def call(program, caller, number):
    """(procedure, site) of the number-th call in the source of a procedure; None."""
    calls = []
    for address, insn, _ in instructions.of(program, caller.low, caller.high):
        if is_call(insn):
            to = callee(program, address, insn)
            if not to or not to.name.startswith('__'):
                position = program.line(address)
                calls.append((position[1] if position else 0, address, to))
    if not 1 <= number <= len(calls):
        return None
    _, site, to = sorted(calls, key=lambda c: c[:2])[number - 1]
    return (to, site) if to else None
