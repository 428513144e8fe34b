"""Which words of memory are whose events."""
from arithmetic import MASK
from parts import State


class Watched:
    """Word address -> the statements (and what counts among them: a Times, a Pointers, a Holding) that a write there is an event of."""

    def __init__(self, place):
        """place: where a reference lies now."""
        self.place = place
        self.rows = {}     # word address -> [(statement, reference)]
        self.half = {}     # (statement, reference) -> State of what has been written in parts

    def __contains__(self, address):
        return address in self.rows

    def at(self, address):
        return self.rows.get(address, ())

    def add_word(self, address, statement, reference):
        row = self.rows.setdefault(address & MASK, [])
        row.append((statement, reference))
        row.sort(key=lambda pair: pair[0].number)

    def add(self, statement, reference):
        for i in range(reference.words):
            self.add_word(self.place(reference) + 4 * i, statement, reference)

    def remove(self, statement, reference):
        for place in range(self.place(reference), self.place(reference) + 4 * reference.words, 4):
            self.rows[place].remove((statement, reference))
            if not self.rows[place]:
                del self.rows[place]

    def state(self, statement, reference):
        return self.half.setdefault((statement, reference), State())

    def forget_parts(self, statement, reference):
        self.half.pop((statement, reference), None)

    def forget_all_parts(self):
        self.half.clear()
