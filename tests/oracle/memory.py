"""What the probe can know of the target's memory."""


class Memory:
    """The target's memory, and what of it the probe can know: a word becomes known by one access to all its lanes, or by accesses that
    cover them with no access to another unknown word between; a stack word that no referenced local fills also by any write. What is
    known stays so; of locals, activations know. The target's RAM starts as zeros, but the probe
    cannot know that."""

    def __init__(self, words):
        self.words = dict(words)
        self.known = set(words)
        self.part = (None, 0)    # the one word that is being covered, and the lanes so far
        self.covered = set()     # stack words that any write makes known

    def word(self, address):
        return self.words.get(address, 0)

    def is_known(self, address):
        return address in self.known

    def known_word(self, address):
        """What the word holds, or None."""
        return self.word(address) if self.is_known(address) else None

    def access(self, address, lanes):
        """Notes an access to a word that is not known."""
        if self.part[0] == address:
            lanes |= self.part[1]
        if lanes == 15:
            self.known.add(address)
        else:
            self.part = (address, lanes)
