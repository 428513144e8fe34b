"""Runs inside of gdb, on a program in qemu: stops before each of many instructions and writes down what gdb says of every variable there.

In a file: S pc, then x0 to x31; E x0 to x31 as at the entry of the innermost procedure (a dash: not seen); M address bytes of memory;
V function variable line offset size value of each scalar part: bytes in hex, or a dash where gdb says that it is optimised out."""
import os
import struct
import sys

import gdb

TARGET, OUT, STOPS, EACH = (os.environ[name] for name in ('VALUES_TARGET', 'VALUES_OUT', 'VALUES_STOPS', 'VALUES_EACH'))
NAMES = ('zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6').split()
STACK_BYTES, BELOW = (1024, 512, 256, 64), 256  # above the stack pointer, and below it: before a prologue, locals lie there
ENTRIES = 60  # so often a procedure's entry is looked at


def registers():
    frame = gdb.newest_frame()
    return [int(frame.read_register(name)) & 0xFFFFFFFF for name in NAMES]


def scalar(value):
    """The bytes of a value that is no struct or array; None: optimised out."""
    kind = value.type.strip_typedefs()
    try:
        if value.is_optimized_out:
            return None
        if kind.code == gdb.TYPE_CODE_FLT:
            number = float(value)
            return struct.pack('<f' if kind.sizeof == 4 else '<d', number)
        return (int(value) & (1 << 8 * kind.sizeof) - 1).to_bytes(kind.sizeof, 'little')
    except gdb.error as error:
        if 'optimized out' in str(error) or 'not available' in str(error) or 'not saved' in str(error):
            return None
        if 'synthetic' in str(error) or 'implicit pointer' in str(error):
            return None
        raise


def parts(value, offset=0):
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_STRUCT:
        for field in kind.fields():
            if not field.bitsize:
                yield from parts(value[field], offset + field.bitpos // 8)
    elif kind.code == gdb.TYPE_CODE_ARRAY:
        size = kind.target().sizeof
        low, high = kind.range()
        for i in range(low, min(high, 7) + 1):
            yield from parts(value[i], offset + i * size)
    elif kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_PTR,
                       gdb.TYPE_CODE_FLT):
        if kind.sizeof <= 8:
            yield offset, kind.sizeof, scalar(value)


INNER = set()  # (function, variable, line) of what is declared in a block within the function


def note_inner(address):
    block = gdb.block_for_pc(address)
    found = []
    while block is not None and not block.is_global and not block.is_static:
        if block.function is None:
            found += [(symbol.name, symbol.line) for symbol in block]
        else:
            INNER.update((block.function.name, *one) for one in found)
            found = []
        block = block.superblock


def variables(out):
    """What is in scope in the innermost frame, and in those whose code was inlined there. Of what is declared in a block that does not have
    the instruction, gdb says that it is optimised out, when it was inlined: that is left out."""
    frame = gdb.newest_frame()
    while frame is not None:
        block = frame.block()
        seen = set()
        while block is not None and not block.is_global and not block.is_static:
            function = frame.function().name
            for symbol in block:
                if not (symbol.is_variable or symbol.is_argument) or symbol.name in seen:
                    continue
                seen.add(symbol.name)
                try:
                    value = symbol.value(frame)
                    for offset, size, data in parts(value):
                        if data is None and block.function is not None and (function, symbol.name, symbol.line) in INNER:
                            continue
                        out.write(f'V {function} {symbol.name} {symbol.line} {offset} {size} {data.hex() if data is not None else "-"}\n')
                except gdb.error as error:
                    out.write(f'# {function} {symbol.name}: {error}\n')
            if block.function is not None:
                break
            block = block.superblock
        if frame.type() != gdb.INLINE_FRAME:
            return
        frame = frame.older()


def code():
    """Addresses of all instructions of procedures that debug information describes, and those with which they begin."""
    found, first = [], set()
    inferior = gdb.selected_inferior()
    for line in open(os.environ['VALUES_NAMES'], encoding='ascii'):
        address, kind, _ = line.split(maxsplit=2)
        block = gdb.block_for_pc(int(address, 16)) if kind in 'tT' else None
        while block is not None and (block.function is None or block.superblock.function is not None):
            block = block.superblock
        if block is None or block.start != int(address, 16) or block.start in first:
            continue
        first.add(block.start)
        at = block.start
        while at < block.end:
            found.append(at)
            note_inner(at)
            at += 4 if inferior.read_memory(at, 1)[0][0] & 3 == 3 else 2
    return found, first


def one_stop(out, pc, first, entries):
    frame = gdb.newest_frame()
    now = registers()
    if pc in first:
        entries[pc, now[2]] = now
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    out.write(f'S {pc:x} ' + ' '.join(f'{x:x}' for x in now) + '\n')
    older = frame.older()
    start = int(frame.function().value().address) & 0xFFFFFFFF
    entry = entries.get((start, int(older.read_register('sp')) & 0xFFFFFFFF)) if older is not None else None
    out.write('E ' + (' '.join(f'{x:x}' for x in entry) if entry else '-') + '\n')
    inferior = gdb.selected_inferior()
    for low, sizes in ((now[2] - BELOW, (BELOW,)), (now[2], STACK_BYTES), *DATA):
        for size in sizes:  # the stack may end soon
            try:
                out.write(f'M {low:x} {bytes(inferior.read_memory(low, size)).hex()}\n')
                break
            except gdb.MemoryError:
                pass
    variables(out)


def data():
    found = []
    for line in open(os.environ['VALUES_SECTIONS'], encoding='ascii'):
        words = line.split()
        if len(words) > 6 and words[1] in ('.data', '.bss', '.sdata', '.sbss', '.rodata', '.srodata', '.device'):
            found.append((int(words[3], 16), (min(int(words[5], 16), 4096),)))
    return found


def main():
    gdb.execute('set pagination off')
    gdb.execute('set architecture riscv:rv32')
    gdb.execute('set print frame-arguments none')
    gdb.execute('set remotetimeout 120')  # a machine may stand still for a while
    gdb.execute(f'target remote {TARGET}')
    gdb.execute('tbreak *main')
    gdb.execute('continue')
    gdb.execute('set breakpoint always-inserted on')
    addresses, first = code()
    breaks = {at: gdb.Breakpoint(f'*{at:#x}', internal=True) for at in addresses}
    left = {at: int(EACH) for at in addresses}
    entries = {}
    with open(OUT, 'w', encoding='ascii') as out:
        for _ in range(int(STOPS)):
            if not gdb.selected_inferior().threads():
                break
            pc = gdb.newest_frame().pc()
            if left.get(pc, 0) > 0:
                left[pc] -= 1
                one_stop(out, pc, first, entries)
                if not left[pc] and pc not in first:
                    breaks.pop(pc).delete()
            elif pc in first:
                now = registers()
                entries[pc, now[2]] = now
                left[pc] -= 1
                if left[pc] < -ENTRIES:
                    breaks.pop(pc).delete()
                    first.discard(pc)
            gdb.execute('continue', to_string=True)
        out.write('END\n')


try:
    DATA = data()
    main()
except Exception as error:  # gdb would go on to its prompt
    print('in_gdb:', error, file=sys.stderr)
    import traceback
    traceback.print_exc()
try:
    gdb.execute('kill')
except gdb.error:
    pass  # it has ended by itself
