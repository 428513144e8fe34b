"""Who is active: the call stack by the rules of docs/architecture.md ("Semantics of a hit"), from jumps that were executed.

Unlike the probe, which sees fetches only, this knows the stack pointer and what every jump really did, so it needs no evidence.
"""

import instructions

LINKS = (1, 5)
MRET = 0x30200073
OPCODE_JAL, OPCODE_JALR = 0x6F, 0x67


class Activation:
    __slots__ = ('procedure', 'site', 'returns_to', 'cfa', 'is_interrupt', 'pending', 'after', 'begun', 'written')

    def __init__(self, procedure, site, returns_to, cfa, is_interrupt=False):
        self.procedure = procedure
        self.site = site                # the call instruction; of an interrupt: the place where it came
        self.returns_to = returns_to
        self.cfa = cfa                  # the stack pointer on entry
        self.is_interrupt = is_interrupt
        self.after = site              # of an interrupt: the instruction that was executed before it
        self.begun = False              # its prologue is over
        self.written = {}               # word of its frame -> lanes that have been written since it began
        self.pending = None             # of an interrupt: a jump that it kept from arriving


class CallStack:
    """Calls back on_enter(time), on_leave(time, pc) with the activation still on top, and on_drop(activation) when it goes;
    on_restart(time) before the program starts anew."""

    def __init__(self, program, on_enter, on_leave, on_push, on_drop, on_restart=lambda time: None):
        self.program = program
        self.on_restart = on_restart
        self.activations = []
        self.on_enter, self.on_leave, self.on_push, self.on_drop = on_enter, on_leave, on_push, on_drop
        self.unknown = False
        self.resumed = None             # where the interrupt had come that ended last

    def _push(self, activation, time):
        self.activations.append(activation)
        self.on_push(activation)
        self.on_enter(time)

    def _drop(self):
        self.on_drop(self.activations.pop())

    def jump(self, pc, target, insn, sp, time):
        """A jal or jalr at pc went to target, whose fetch was at `time`. No pc: a task begins there, on an empty stack."""
        if target == self.program.entry:
            self._restart(time)
            return
        if pc is None:
            self._begin(target, sp, time)
            return
        if insn & 3 != 3:
            insn = instructions.expand(insn)
        rd = insn >> 7 & 31
        procedure = self.program.entries.get(target)
        if rd in LINKS:
            if procedure:
                found = instructions.at(self.program, pc)
                self._push(Activation(procedure, pc, pc + (found[1] if found else 4), sp), time)
        elif procedure and not procedure.low <= pc < procedure.high:
            self._tail_call(procedure, pc, sp, time)
        elif insn & 0x7F == OPCODE_JALR:
            self._return(pc, target, sp, time)

    def _restart(self, time):
        """Whoever was active is gone: the processor's registers are what start-up code makes them."""
        self.on_restart(time)
        while self.activations:
            self._drop()
        self.unknown = False

    def _begin(self, pc, sp, time):
        procedure = self.program.entries.get(pc)
        if procedure:
            self._push(Activation(procedure, None, None, sp), time)

    def _tail_call(self, procedure, pc, sp, time):
        site, returns_to, is_interrupt = pc, None, False
        if self.activations:
            top = self.activations[-1]
            site, returns_to, is_interrupt = top.site, top.returns_to, top.is_interrupt
            self.on_leave(time, pc)
            self._drop()
        self._push(Activation(procedure, site, returns_to, sp, is_interrupt), time)

    def _return(self, pc, target, sp, time):
        if not self.activations:
            return
        top = self.activations[-1]
        if top.returns_to == target and top.cfa == sp and not top.is_interrupt:
            self.on_leave(time, pc)
            self._drop()
            return
        if top.procedure.low <= target < top.procedure.high and sp <= top.cfa:
            return  # a jump table
        # longjmp: to an activation's return address, or into an activation that is still there
        for depth in range(len(self.activations) - 1, -1, -1):
            activation = self.activations[depth]
            returns = activation.returns_to == target and activation.cfa == sp
            if returns or activation.procedure.low <= target < activation.procedure.high and sp <= activation.cfa:
                while len(self.activations) > depth + 1:
                    self._drop()
                if returns:
                    self.on_leave(time, pc)
                    self._drop()
                return
        self.unknown = True

    def interrupt(self, pc, place, sp, time, pending, after=None):
        """The fetch of pc began a trap handler, after an instruction; after an mret, it is where the one before came.
        pending: arguments of jump() for a jump whose target was not fetched yet."""
        procedure = self.program.entries.get(pc)
        if procedure and procedure.is_interrupt:
            activation = Activation(procedure, place, None, sp, True)
            activation.pending = pending
            activation.after = self.resumed if after is not None and instructions.at(self.program, after) == (MRET, 4) else after
            self._push(activation, time)

    def mret(self, pc, fetched):
        """The fetch of an mret at clock `fetched`. Returns (the jump that the interrupt had kept waiting or None, where the interrupt came:
        place, stack pointer)."""
        for depth in range(len(self.activations) - 1, -1, -1):
            if self.activations[depth].is_interrupt:
                while len(self.activations) > depth + 1:
                    self._drop()
                pending, found = self.activations[-1].pending, (self.activations[-1].site, self.activations[-1].cfa)
                self.resumed = self.activations[-1].after
                self.on_leave(fetched, pc)
                self._drop()
                return pending, found
        return None, None
