"""The oracle's own reading of tasks: whose stack the stack pointer points into. It looks at the current-task pointer for names only.

A task's stack is an object of the program, part of its control block or not; what lies in no object is the stack that start-up code
set up. Each stack has its activations. A stack of its own for interrupts is nobody's: on it, things go on for the task that was interrupted.
"""
import bisect
import re

INTERRUPT_STACKS = ('interrupt_stack', 'xISRStack')   # by name: ours, FreeRTOS's
DIRECTIVE = re.compile(r'^[ \t]*tasks[ \t]+(\w+)[ \t]*$', re.MULTILINE)


def split(texts):
    """(name of the pointer or None, the texts without it)."""
    names = [name for text in texts for name in DIRECTIVE.findall(text)]
    return (names[0] if names else None), [DIRECTIVE.sub('', text) for text in texts]


class Tasks:
    """of: the oracle, whose call stack is switched."""

    def __init__(self, program, oracle, name):
        self.oracle, self.stack = oracle, oracle.stack
        self.pointer = program.globals[name][0].address
        self.objects = sorted(program.objects)         # (low, high, name)
        self.lows = [low for low, _, _ in self.objects]
        self.here = None                               # name of the object in which the stack lies; None: start-up code's
        self.left = {}                                 # the same -> (activations, a jump that an interrupt kept from arriving, where an interrupt had come)
        self.main = None                               # what start-up code's stack was found to be
        self.came = 0                                  # what the pointer held when an interrupt came upon that stack

    def restart(self):
        """Start-up code's stack is the only one."""
        self.here, self.main, self.came = None, None, 0
        self.left.clear()

    def place(self, sp):
        """Which object the stack lies in; it grows down from sp."""
        at = bisect.bisect_right(self.lows, sp - 1) - 1
        if at < 0 or not self.objects[at][0] < sp <= self.objects[at][1]:
            return None
        name = self.objects[at][2]
        return self.here if name in INTERRUPT_STACKS else name

    def address(self):
        """What the pointer holds for the task that runs: where its control block is."""
        name = self.main if self.here is None else self.here
        return next((low for low, _, other in self.objects if other == name), None)

    def arrive(self, sp, pending=None, found=None, pc=None):
        """The stack pointer is sp now; after an mret, which went to pc, its interrupt had come at `found`: (place, stack pointer). Returns
        (whether that is another stack, what was pending on that one)."""
        place = self.place(sp)
        if place == self.here:
            return False, pending
        self.left[self.here] = (self.stack.activations, pending, found)
        self.stack.activations, pending, left_at = self.left.pop(place, ([], None, None))
        if pc is not None and left_at and self.made_anew(left_at, pc, sp):
            self.stack.activations, pending = [], None
        self.here = place
        if place is None and self.main is None:        # start-up code goes on as a task
            self.name_main(self.oracle.program.number(self.oracle.memory.word(self.pointer)))
        self.oracle.frames.settle()
        return True, pending

    def made_anew(self, left_at, pc, sp):
        """An mret leads to another place of a stack than the one that it was left at, or that of the instruction after an ecall: another
        task was made there."""
        place, left_sp = left_at
        return sp != left_sp or pc in self.oracle.program.entries and not 0 <= pc - place <= 4

    def interrupted(self):
        """Before the interrupt's activation is there."""
        if self.here is None and not any(a.is_interrupt for a in self.stack.activations):
            self.came = self.oracle.program.number(self.oracle.memory.word(self.pointer))

    def written(self):
        """After the pointer was written."""
        if self.here is None and self.main is None and self.came and any(a.is_interrupt for a in self.stack.activations):
            self.name_main(self.came)

    def name_main(self, address):
        self.main = next((name for low, _, name in self.objects if low == address), None)
