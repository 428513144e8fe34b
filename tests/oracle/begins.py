"""The oracle's own answer to where debuggers stop at a procedure: there a statement that names its locals has its enter()."""
import instructions
import lives

ARGUMENTS = range(10, 18)
SP, S0 = 2, 8


def begin(program, procedure):
    """After the prologue: at the second row of the line table, but not after the first jump. Without one, after the stores of its
    arguments. The procedure's first instruction when there is no such place."""
    low, high = procedure.low, procedure.high
    straight = stored = low
    kept = set(ARGUMENTS)
    insns = {pc: lives.Insn(pc, word, length) for pc, word, length in instructions.of(program, low, high)}
    while straight in insns:
        insn = insns[straight]
        if insn.opcode in (0x63, 0x67, 0x6F, 0x73) or insn.size and insn.rs1 not in (SP, S0):
            break
        if insn.size and insn.rs2 in kept:
            stored = insn.next
        kept.discard(insn.rd)
        straight = insn.next
    second = min((row for row in program.row_counts if low < row < high), default=None)
    found = min(second if second and program.row_counts.get(low) == 1 else stored, straight)
    for insn in insns.values():
        for target in insn.goes:
            if low <= target < found:
                found = target
    return found


def leading(reference):
    """A reference and the variables that say where it is."""
    via = getattr(reference, 'via', None) or getattr(reference, 'pointer', None)
    if via and hasattr(via, 'references'):   # an element: of its index's variables, and of a pointer if there is one
        return [reference] + [each for named in [*via.references, *filter(None, [via.via])] for each in leading(named)]
    return [reference] + (leading(via) if via else [])


def named(statements):
    """All references of statements and to what leads to them; snapshots as such."""
    return [each for statement in statements for one in statement.needed() + statement.snapshots for each in leading(one)]


def places(program, statement):
    """{first instruction of a procedure whose locals a statement names: where its enter() is}"""
    own = [r.procedure for r in named([statement]) if r.procedure and not getattr(r, 'via', None) and lives.signed(r.address & 0xFFFFFFFF, 32) < 0]
    return {procedure.low: begin(program, procedure) for procedure in own}
