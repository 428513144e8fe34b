"""The oracle's own answer to where inlined copies of procedures begin. It follows those only of which debug information leaves no doubt:
in each copy, exactly one place where a statement of the first line begins that any copy has."""


def spans(die, dwarf):
    """[(low, high)] of a DIE's code."""
    if 'DW_AT_low_pc' in die.attributes and 'DW_AT_high_pc' in die.attributes:
        low, high = die.attributes['DW_AT_low_pc'].value, die.attributes['DW_AT_high_pc']
        return [(low, high.value if high.form == 'DW_FORM_addr' else low + high.value)]
    if 'DW_AT_ranges' not in die.attributes:
        return []
    lists = dwarf.range_lists()
    entries = lists.get_range_list_at_offset(die.attributes['DW_AT_ranges'].value, cu=die.cu)
    base = die.cu.get_top_DIE().attributes.get('DW_AT_low_pc')
    base = base.value if base else 0
    found = []
    for entry in entries:
        if hasattr(entry, 'base_address'):
            base = entry.base_address
        else:
            start = 0 if entry.is_absolute else base
            found.append((start + entry.begin_offset, start + entry.end_offset))
    return found


def within(address, where):
    return any(low <= address < high for low, high in where)


def goes_back(die, origin):
    """What had been taken out of a procedure and went back into it: called from the line where that is declared."""
    parent = die.get_parent()
    while parent.tag == 'DW_TAG_lexical_block':
        parent = parent.get_parent()
    around = parent.get_DIE_from_attribute('DW_AT_abstract_origin') if 'DW_AT_abstract_origin' in parent.attributes else parent
    line = origin.attributes.get('DW_AT_decl_line')
    called = die.attributes.get('DW_AT_call_line')
    return around.offset == origin.offset and line is not None and called is not None and called.value == line.value


def find(unit, dwarf, rows):
    """{name: (where each copy begins), or None where that is in doubt}; rows: (address, line) where a statement begins."""
    copies, found = {}, {}

    def visit(die):
        for child in die.iter_children():
            visit(child)
        if die.tag == 'DW_TAG_inlined_subroutine':
            origin = die.get_DIE_from_attribute('DW_AT_abstract_origin')
            if goes_back(die, origin):
                return
            inner = [span for child in die.iter_children() if child.tag == 'DW_TAG_inlined_subroutine' for span in spans(child, dwarf)]
            own = [row for row in rows if within(row[0], spans(die, dwarf)) and not within(row[0], inner)]
            copies.setdefault(origin.offset, (origin, []))[1].append(own)
    visit(unit.get_top_DIE())
    for origin, places in copies.values():
        name = origin.attributes['DW_AT_name'].value.decode() if 'DW_AT_name' in origin.attributes else ''
        declared = origin.attributes['DW_AT_decl_line'].value if 'DW_AT_decl_line' in origin.attributes else 0
        first = min((line for own in places for _, line in own if line >= declared), default=None)
        begins = [{address for address, line in own if line == first} for own in places]
        clear = first is not None and all(len(each) == 1 for each in begins) and name not in found
        found[name] = {address for each in begins for address in each} if clear else None
    return found
