"""What tells variables apart, and what says where they are."""
from operands import Element


def chain(reference):
    """A reference and the variables that say where it is: pointers, indices."""
    via = reference.via
    if isinstance(via, Element):
        return [reference] + [each for named in via.references for each in chain(named)] + (chain(via.via) if via.via else [])
    return [reference] + (chain(via) if via else [])


def variable(reference):
    """What tells variables apart, wherever they are now."""
    if isinstance(reference, Element):
        return reference.text, reference.address
    return (reference.frame(), reference.offset, reference.bit_first, reference.bits, reference.via and variable(reference.via))


def aged(reference):
    """What tells variables apart whose ages are asked for: what a pointer leads to is another one when it moves, which forgets the age."""
    return variable(reference) if reference.via else (reference.frame(), reference.place(), id(reference.life))
