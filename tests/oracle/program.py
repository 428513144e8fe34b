"""What the oracle knows about the target's program: bytes, procedures, variables, types and lines, read with pyelftools.

Nothing here is shared with host/symbols, which reads the same facts with libdw.
"""
import bisect
import struct

from elftools.dwarf.descriptions import describe_form_class
from elftools.elf.elffile import ELFFile

import inlined
import instructions
import lives

MRET = 0x30200073
DW_OP_ADDR = 0x03
DW_OP_FBREG = 0x91
DW_OP_CALL_FRAME_CFA = 0x9C
DW_ATE_BOOLEAN, DW_ATE_FLOAT = 0x02, 0x04
DW_ATE_SIGNED, DW_ATE_SIGNED_CHAR, DW_ATE_UNSIGNED_CHAR = 0x05, 0x06, 0x08
TRANSPARENT = ('DW_TAG_typedef', 'DW_TAG_const_type', 'DW_TAG_volatile_type', 'DW_TAG_restrict_type', 'DW_TAG_atomic_type')


class Type:
    """kind: int, char, bool, float, enum, pointer, struct, array or other."""

    big = False              # the most significant byte has the lowest address: of all types of a program

    def __init__(self, kind, size=0, signed=False):
        self.kind, self.size, self.signed = kind, size, signed
        self.names = {}      # enum: value -> name
        self.members = []    # struct: (name or None, type, offset, bit offset, bit size)
        self.of = None       # array, pointer
        self.count = 0


class Procedure:
    def __init__(self, name, low, high):
        self.name, self.low, self.high = name, low, high
        self.is_interrupt = False
        self.is_part = False   # what is left of a procedure whose beginning was inlined

    def __repr__(self):
        return self.name


class Variable:
    """address: absolute, or the offset from the frame address (CFA) of `procedure` when is_local."""

    life = None   # of a local of optimised code: when the stack holds it

    def __init__(self, name, type_, address, procedure=None, is_local=False):
        self.name, self.type, self.address, self.procedure, self.is_local = name, type_, address, procedure, is_local


def text(attribute):
    return attribute.value.decode('utf-8', 'replace')


class Program:
    def __init__(self, path):
        with open(path, 'rb') as stream:
            elf = ELFFile(stream)
            self.entry = elf.header['e_entry']
            self.big = Type.big = not elf.little_endian   # one program at a time
            self.word_format = '>I' if self.big else '<I'
            self._load(elf)
            self.cleared = [(s['sh_addr'], s['sh_addr'] + s['sh_size']) for s in elf.iter_sections() if s['sh_type'] == 'SHT_NOBITS' and
                            (s.name + '.').split('.')[1] in ('bss', 'sbss', 'tbss')]
            self._symbols(elf)
            self._types = {}
            self.enumerators = {}
            self.globals = {}  # name -> [Variable]
            self.locals = {}   # name -> [Variable]: locals, parameters and static locals
            self._lines = []
            self.row_counts = {}   # address -> rows of the line table that begin there
            self._statements = {}  # (file, line): addresses where the compiler says that a statement of it begins
            dwarf = elf.get_dwarf_info()
            self._dwarf, self._frames = dwarf, None
            self.inlined = {}      # name -> where its inlined copies begin, None: in doubt
            for unit in dwarf.iter_CUs():
                self._read_lines(dwarf, unit)
                self._scope(unit.get_top_DIE(), None)
                rows = [(address, line) for (_, line), addresses in self._statements.items() for address in addresses]
                for name, places in inlined.find(unit, dwarf, rows).items():
                    self.inlined[name] = None if name in self.inlined else places
        self._lines.sort(key=lambda row: row[0])
        self._line_addresses = [row[0] for row in self._lines]

    # --- ELF ---------------------------------------------------------------------------------

    def number(self, word):
        """What a word of memory is to the program; `words` and memory have the byte with the lowest address lowest."""
        return int.from_bytes(word.to_bytes(4, 'little'), 'big') if self.big else word

    def _load(self, elf):
        self.words, self.code_words = {}, set()   # code_words: those of data, among which are all jump tables
        for segment in elf.iter_segments():
            header = segment.header
            if header['p_type'] != 'PT_LOAD' or not header['p_filesz']:
                continue
            low, data = header['p_vaddr'], segment.data()
            pad = low & 3
            data = b'\0' * pad + data
            data += b'\0' * (-len(data) & 3)
            for i, (word,) in enumerate(struct.iter_unpack('<I', data)):
                self.words[low - pad + 4 * i] = self.words.get(low - pad + 4 * i, 0) | word
            if not header['p_flags'] & 1:
                self.code_words |= {word for (word,) in struct.iter_unpack(self.word_format, data)}

    def _symbols(self, elf):
        """Procedures from the symbol table; DWARF's names replace these later. One without a size reaches up to the next."""
        found, self.objects = {}, []   # objects: (low, high, name)
        table = elf.get_section_by_name('.symtab')
        self.global_pointer = next((s['st_value'] for s in (table.get_symbol_by_name('__global_pointer$') or [] if table else [])), None)
        for symbol in table.iter_symbols() if table else ():
            if symbol['st_info']['type'] == 'STT_OBJECT' and symbol['st_size'] and symbol['st_shndx'] != 'SHN_UNDEF':
                self.objects.append((symbol['st_value'], symbol['st_value'] + symbol['st_size'], symbol.name))
            function = symbol['st_info']['type'] == 'STT_FUNC' and symbol['st_shndx'] != 'SHN_UNDEF'
            if function or self._is_assembly(elf, symbol):
                low, size = symbol['st_value'], symbol['st_size']
                if low not in found or (size and not found[low][1]):
                    found[low] = (symbol.name, size)
        starts = sorted(found)
        self.procedures = []
        for i, low in enumerate(starts):
            name, size = found[low]
            following = starts[i + 1] if i + 1 < len(starts) else low + 4
            self.procedures.append(Procedure(name, low, low + size if size else following))
        self.starts = starts
        self.entries = {p.low: p for p in self.procedures}
        code = {p: [word for _, word, _ in instructions.of(self, p.low, p.high)] for p in self.procedures}
        self.traps = any(word == MRET or self._sets_trap_vector(word) for words in code.values() for word in words)
        for p in self.procedures:
            p.is_interrupt = MRET in code[p]

    @staticmethod
    def _sets_trap_vector(word):
        return word & 0x7F == 0x73 and word >> 20 == 0x305 and word >> 12 & 3 and (word >> 12 & 3 == 1 or word >> 15 & 31)

    @staticmethod
    def _is_assembly(elf, symbol):
        """A procedure in assembly that nobody has called a function: a global label in code."""
        section = symbol['st_shndx']
        return (symbol['st_info']['type'] == 'STT_NOTYPE' and symbol['st_info']['bind'] == 'STB_GLOBAL' and isinstance(section, int)
                and bool(elf.get_section(section)['sh_flags'] & 4))

    def word_after_start(self, address):
        """What start-up code makes of a word; None: not known."""
        return 0 if any(low <= address < high for low, high in self.cleared) else self.words.get(address)

    def procedure_at(self, address):
        i = bisect.bisect_right(self.starts, address) - 1
        if i >= 0 and address < self.procedures[i].high:
            return self.procedures[i]
        return None

    # --- lines -------------------------------------------------------------------------------

    def _read_lines(self, dwarf, unit):
        program = dwarf.line_program_for_CU(unit)
        if program is None:
            return
        files, version = program['file_entry'], program['version']
        previous = None
        for entry in program.get_entries():
            state = entry.state
            if state is None:
                continue
            if previous and state.address > previous[0]:
                self._lines.append((previous[0], state.address, *previous[1:]))
            if state.end_sequence:
                previous = None
            else:
                self.row_counts[state.address] = self.row_counts.get(state.address, 0) + 1
                index = state.file if version >= 5 else state.file - 1
                name = files[index].name.decode('utf-8', 'replace') if 0 <= index < len(files) else '?'
                previous = (state.address, name, state.line, state.column)
                if state.is_stmt:
                    self._statements.setdefault((name, state.line), set()).add(state.address)

    def line(self, address):
        """(file, line) of an instruction, or None."""
        i = bisect.bisect_right(self._line_addresses, address) - 1
        if i >= 0 and address < self._lines[i][1] and self._lines[i][3]:
            return self._lines[i][2], self._lines[i][3]
        return None

    def location(self, address):
        """(file, line, column) of an instruction; None where nothing is told."""
        i = bisect.bisect_right(self._line_addresses, address) - 1
        if i >= 0 and address < self._lines[i][1] and self._lines[i][3]:
            return self._lines[i][2:]
        return None

    def rows(self, procedure):
        """(address, file, line) of each place where the code of another line begins."""
        last = None
        for address in range(procedure.low, procedure.high, 2):
            here = self.line(address)
            if here and here != last:
                yield address, *here
            last = here

    def _begins(self, procedure, file, line):
        """Where a line's code begins in a procedure: [(address, whether debuggers stop there)]. Of several statements in one stretch of the
        line's code the first counts; one without code of its own does, too."""
        found, inside = [], []
        marks = {at for at in self._statements.get((file, line), ()) if procedure.low <= at < procedure.high}
        for address in range(procedure.low, procedure.high, 2):
            if self.line(address) != (file, line):
                found += [(address, True)] if address in marks else []
                inside = []
            elif not inside:
                inside = [address]
                found.append((address, address in marks))
            elif address in marks and not found[-1][1]:
                found[-1] = (address, True)
        return found

    @staticmethod
    def _stops(begins):
        return {address for address, stops in begins if stops} or {address for address, _ in begins}

    def places(self, file, line):
        """Where the code of a line begins: where debuggers stop, if they do."""
        names = {name for name, at in self._statements if at == line and (name == file or name.endswith('/' + file))}
        names |= {name for procedure in self.procedures for _, name, at in self.rows(procedure)
                  if at == line and (name == file or name.endswith('/' + file))}
        return self._stops([begin for name in names for procedure in self.procedures for begin in self._begins(procedure, name, line)])

    def statement(self, procedure, number):
        """The same of the number-th line with code of a procedure, without its head."""
        rows = list(self.rows(procedure))
        if not rows:
            return set()
        _, file, head = rows[0]
        lines = sorted({line for _, name, line in rows if name == file and line > head}) or [head]
        return self._stops(self._begins(procedure, file, lines[number - 1])) if number <= len(lines) else set()

    # --- DWARF: variables ----------------------------------------------------------------------

    @staticmethod
    def _attribute(die, name):
        """An attribute of the DIE itself or of the one that it completes."""
        for _ in range(4):
            if name in die.attributes:
                return die.attributes[name]
            for link in ('DW_AT_abstract_origin', 'DW_AT_specification'):
                if link in die.attributes:
                    die = die.get_DIE_from_attribute(link)
                    break
            else:
                return None
        return None

    def _referred(self, die, name):
        for _ in range(4):
            if name in die.attributes:
                return die.get_DIE_from_attribute(name)
            for link in ('DW_AT_abstract_origin', 'DW_AT_specification'):
                if link in die.attributes:
                    die = die.get_DIE_from_attribute(link)
                    break
            else:
                return None
        return None

    def _scope(self, die, procedure):
        for child in die.iter_children():
            if child.tag == 'DW_TAG_subprogram':
                self._scope(child, self._procedure(child))
            elif child.tag == 'DW_TAG_lexical_block':
                self._scope(child, procedure)
            elif child.tag in ('DW_TAG_variable', 'DW_TAG_formal_parameter'):
                self._variable(child, procedure)
            elif child.tag == 'DW_TAG_enumeration_type':
                self.type_of(child)

    def _procedure(self, die):
        """The procedure that a DIE describes, named as DWARF does; one without code for a declaration or an inlined one."""
        name = self._attribute(die, 'DW_AT_name')
        if 'DW_AT_low_pc' not in die.attributes:
            return Procedure(text(name) if name else '', 0, 0)
        low = die.attributes['DW_AT_low_pc'].value
        procedure = self.entries.get(low)
        if procedure and name:
            procedure.is_part = procedure.is_part or '.part.' in procedure.name   # as the linker calls it
            procedure.name = text(name)
            high = die.attributes.get('DW_AT_high_pc')
            if high:
                procedure.high = high.value if describe_form_class(high.form) == 'address' else low + high.value
        return procedure

    def _variable(self, die, procedure):
        name = self._attribute(die, 'DW_AT_name')
        location = die.attributes.get('DW_AT_location')
        type_die = self._referred(die, 'DW_AT_type')
        if not name or not location or not type_die:
            return
        if not isinstance(location.value, list):
            self._life(die, location, text(name), self.type_of(type_die), procedure)
            return
        op = location.value
        if len(op) == 5 and op[0] == DW_OP_ADDR:
            variable = Variable(text(name), self.type_of(type_die), struct.unpack(self.word_format, bytes(op[1:]))[0], procedure)
        elif procedure and op and op[0] == DW_OP_FBREG and all(byte & 0x80 for byte in op[1:-1]):
            frame = die
            while frame.tag != 'DW_TAG_subprogram':
                frame = frame.get_parent()
            base = frame.attributes.get('DW_AT_frame_base')
            if not base or base.value != [DW_OP_CALL_FRAME_CFA]:
                return
            variable = Variable(text(name), self.type_of(type_die), lives.sleb(op, 1), procedure, True)
        else:
            return
        table = self.locals if procedure else self.globals
        table.setdefault(variable.name, []).append(variable)

    def _life(self, die, location, name, type_, procedure):
        """A local that the stack holds for parts of its procedure."""
        if not procedure or location.form not in ('DW_FORM_sec_offset', 'DW_FORM_loclistx'):
            return
        self._frames = self._frames or lives.Frames(self._dwarf)
        found = lives.find(self, die, location, type_, procedure, self._dwarf, self._frames)
        if found:
            variable = Variable(name, type_, found[0], procedure, True)
            variable.life = found[1]
            self.locals.setdefault(name, []).append(variable)

    def find(self, name, procedure_name=None):
        """The variable that a plain name, or procedure\\name, means; None when there is not exactly one."""
        if procedure_name:
            found = [v for v in self.locals.get(name, []) if v.procedure.name == procedure_name]
        else:
            found = self.globals.get(name) or self.locals.get(name, [])
        places = {(v.address, v.is_local and v.procedure) for v in found}
        return found[0] if len(places) == 1 else None

    # --- DWARF: types --------------------------------------------------------------------------

    def type_of(self, die):
        if die.offset not in self._types:
            self._types[die.offset] = made = Type('other')
            self._fill(made, die)
        return self._types[die.offset]

    def _fill(self, made, die):
        while die is not None and die.tag in TRANSPARENT:
            die = self._referred(die, 'DW_AT_type')
        if die is None:
            return
        size = die.attributes.get('DW_AT_byte_size')
        made.size = size.value if size else 0
        if die.tag == 'DW_TAG_base_type':
            encoding = die.attributes['DW_AT_encoding'].value
            made.kind = {DW_ATE_BOOLEAN: 'bool', DW_ATE_FLOAT: 'float', DW_ATE_SIGNED_CHAR: 'char',
                         DW_ATE_UNSIGNED_CHAR: 'char'}.get(encoding, 'int')
            made.signed = encoding in (DW_ATE_SIGNED, DW_ATE_SIGNED_CHAR)
        elif die.tag == 'DW_TAG_pointer_type':
            made.kind = 'pointer'
            to = self._referred(die, 'DW_AT_type')
            made.of = to and self.type_of(to)
            made.size = made.size or 4
            of = self._referred(die, 'DW_AT_type')
            made.of = self.type_of(of) if of is not None else Type('other')
        elif die.tag == 'DW_TAG_enumeration_type':
            made.kind = 'enum'
            base = self._referred(die, 'DW_AT_type')
            base = self.type_of(base) if base is not None else None
            made.signed = bool(base and base.signed)
            for child in die.iter_children():
                if child.tag == 'DW_TAG_enumerator':
                    name, value = text(child.attributes['DW_AT_name']), child.attributes['DW_AT_const_value'].value
                    if not made.signed and value < 0:
                        value += 1 << (8 * made.size)
                    made.names.setdefault(value, name)
                    self.enumerators[name] = value
        elif die.tag in ('DW_TAG_structure_type', 'DW_TAG_union_type'):
            made.kind = 'struct'
            for child in die.iter_children():
                if child.tag == 'DW_TAG_member':
                    made.members.append(self._member(child))
        elif die.tag == 'DW_TAG_array_type':
            counts = []
            for child in die.iter_children():
                if child.tag == 'DW_TAG_subrange_type':
                    bound, count = child.attributes.get('DW_AT_upper_bound'), child.attributes.get('DW_AT_count')
                    count = bound.value + 1 if bound and isinstance(bound.value, int) else count.value if count else 0
                    counts.append(count if isinstance(count, int) else 0)   # not constant: as if it were not told
            element = self.type_of(self._referred(die, 'DW_AT_type'))
            for count in reversed(counts[1:]):
                inner = Type('array', element.size * count)
                inner.of, inner.count, element = element, count, inner
            made.kind, made.of, made.count = 'array', element, counts[0] if counts else 0
            made.size = element.size * made.count

    def _member(self, die):
        attributes = die.attributes
        name = text(attributes['DW_AT_name']) if 'DW_AT_name' in attributes else None
        type_ = self.type_of(self._referred(die, 'DW_AT_type'))
        offset = attributes['DW_AT_data_member_location'].value if 'DW_AT_data_member_location' in attributes else 0
        bits = attributes['DW_AT_bit_size'].value if 'DW_AT_bit_size' in attributes else 0
        first = 0
        if 'DW_AT_data_bit_offset' in attributes:
            first = attributes['DW_AT_data_bit_offset'].value
        elif 'DW_AT_bit_offset' in attributes:  # DWARF 3: counted from the most significant bit
            first = 8 * offset + 8 * type_.size - attributes['DW_AT_bit_offset'].value - bits
            offset = 0
        return name, type_, offset, first, bits
