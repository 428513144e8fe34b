/* Source lines: one table for all units, sorted by address once, searched per hit. */
#include "symbols/line_program.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b)
{
    const symbols_line *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->end != y->end) /* a sequence's end before the start of what follows it */
        return x->end ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* --- sequences of code that is there ------------------------------------------------------------------ */

/* What the linker removed keeps its rows: linkers put its start at 0 or at the end of all addresses. Where code of the
 * program begins at 0, too, the sequences of one unit that begin there have to be told apart. */
typedef struct at_zero {
    bool any;       /* code of this unit is there */
    bool assembler; /* whose procedures are not described one by one */
    uint64_t high;  /* end of the procedure that is there */
    unsigned line;  /* where it is declared; 0 unknown */
} at_zero;

static at_zero find_at_zero(es_symbols *symbols, Dwarf_Die *unit)
{
    at_zero found = {0};
    uint64_t language;
    Dwarf_Die child;
    if (es_symbols_die_number(unit, DW_AT_language, &language) && language == DW_LANG_Mips_Assembler)
        return (at_zero){.any = dwarf_haspc(unit, 0) > 0, .assembler = true};
    for (int more = dwarf_child(unit, &child) == 0; more > 0 && !found.any; more = es_symbols_sibling(&child)) {
        Dwarf_Addr low, high;
        if (dwarf_tag(&child) == DW_TAG_subprogram && dwarf_lowpc(&child, &low) == 0 && low == 0 &&
            dwarf_highpc(&child, &high) == 0 &&
            es_symbols_kept_at_zero(symbols, es_symbols_die_name(symbols, &child))) {
            found = (at_zero){.any = true, .high = high};
            es_symbols_die_file(symbols, &child, &found.line);
        }
    }
    return found;
}

typedef struct reading {
    es_symbols *symbols;
    Dwarf_Die *unit;
    Dwarf_Files *files;
    size_t file_count;
    const char **names; /* by file's number, as far as they were asked for */
    at_zero zero;
    unsigned first; /* of the sequences that begin at 0: the line that the one which is there begins with; 0 unknown */
} reading;

static bool is_loaded_code(const es_symbols *symbols, uint64_t address)
{
    for (size_t i = 0; i < symbols->loads.count; i++)
        if (symbols->loads.items[i].executable && address >= symbols->loads.items[i].address &&
            address - symbols->loads.items[i].address < symbols->loads.items[i].size)
            return true;
    return false;
}

static bool is_there(const reading *r, const line_sequence *sequence)
{
    if (sequence->end > (uint64_t)UINT32_MAX + 1 || sequence->end < sequence->low ||
        !is_loaded_code(r->symbols, sequence->low))
        return false;
    if (sequence->low != 0 || r->zero.assembler)
        return sequence->low != 0 || r->zero.any;
    if (!r->zero.any || sequence->end < r->zero.high)
        return false;
    return r->first ? sequence->rows[0].line == r->first : sequence->end == r->zero.high;
}

static const char *name_of_file(reading *r, uint32_t number)
{
    if (number >= r->file_count)
        return NULL;
    if (!r->names[number]) {
        const char *file = dwarf_filesrc(r->files, number, NULL, NULL);
        r->names[number] = file ? es_symbols_file_name(r->symbols, r->unit, file) : "";
    }
    return r->names[number][0] ? r->names[number] : NULL;
}

/* Code of a procedure begins in the line of its declaration, or soon after: in any case before the next one's. */
static void look_at_zero(void *context, const line_sequence *sequence)
{
    reading *r = context;
    unsigned line = sequence->rows[0].line;
    if (sequence->low == 0 && sequence->end >= r->zero.high && line >= r->zero.line && (!r->first || line < r->first))
        r->first = line;
}

static void push(es_symbols *symbols, symbols_line line)
{
    line.order = symbols->lines.count;
    SYMBOLS_PUSH(symbols, &symbols->lines, line);
}

static void take_sequence(void *context, const line_sequence *sequence)
{
    reading *r = context;
    if (!is_there(r, sequence))
        return;
    for (size_t i = 0; i < sequence->count; i++) {
        const line_row *row = &sequence->rows[i];
        if (row->address <= UINT32_MAX)
            push(r->symbols, (symbols_line){.address = (uint32_t)row->address,
                                            .line = row->line > INT32_MAX ? 0 : row->line,
                                            .column = row->column,
                                            .file = name_of_file(r, row->file),
                                            .statement = row->statement});
    }
    if (sequence->end <= UINT32_MAX)
        push(r->symbols, (symbols_line){.address = (uint32_t)sequence->end, .end = true});
}

static void read_unit(es_symbols *symbols, Dwarf_Die *unit, const uint8_t *bytes, size_t size)
{
    uint64_t offset;
    Dwarf_Attribute attribute;
    reading r = {.symbols = symbols, .unit = unit};
    if (!dwarf_attr(unit, DW_AT_stmt_list, &attribute) || dwarf_formudata(&attribute, &offset) != 0 ||
        dwarf_getsrcfiles(unit, &r.files, &r.file_count) != 0)
        return;
    r.names = es_arena_alloc(symbols->arena, (r.file_count + 1) * sizeof *r.names);
    r.zero = find_at_zero(symbols, unit);
    if (r.zero.any && r.zero.line)
        es_symbols_run_lines(symbols, bytes, size, offset, look_at_zero, &r);
    es_symbols_run_lines(symbols, bytes, size, offset, take_sequence, &r);
}

bool es_symbols_read_lines(es_symbols *symbols, es_error *err)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    uint8_t type;
    int more;
    const Elf_Data *table = es_symbols_section(symbols, "debug_line");
    while ((more = dwarf_get_units(symbols->dwarf, cu, &cu, NULL, &type, &unit, NULL)) == 0)
        if ((type == DW_UT_compile || type == DW_UT_skeleton) && table)
            read_unit(symbols, &unit, table->d_buf, table->d_size);
    if (more < 0)
        return es_symbols_damaged(symbols, err);
    SYMBOLS_SORT(&symbols->lines, by_address);
    return true;
}

void es_symbols_move_lines(es_symbols *symbols, uint32_t from, uint32_t to)
{
    size_t row = SYMBOLS_LAST_AT(&symbols->lines, from);
    if (row == symbols->lines.count)
        return;
    size_t first = row + 1;
    while (first > 0 && symbols->lines.items[first - 1].address == from && !symbols->lines.items[first - 1].end)
        first--;
    const symbols_line *before = first ? &symbols->lines.items[first - 1] : NULL;
    if (before && (before->address > to || (before->address == to && !before->end)))
        return;
    for (; first <= row; first++)
        symbols->lines.items[first].address = to;
}

/* --- looking up ---------------------------------------------------------------------------------------- */

/* The last row at or before address, count when none. */
static size_t row_at(const es_symbols *symbols, uint32_t address)
{
    return SYMBOLS_LAST_AT(&symbols->lines, address);
}

bool es_symbols_line(const es_symbols *symbols, uint32_t address, const char **file, unsigned *line)
{
    size_t row = row_at(symbols, address);
    if (row == symbols->lines.count || !symbols->lines.items[row].line || !symbols->lines.items[row].file)
        return false;
    *file = symbols->lines.items[row].file;
    *line = symbols->lines.items[row].line;
    return true;
}

size_t es_symbols_statements(const es_symbols *symbols, const char *file, unsigned line, uint32_t low, uint32_t high,
                             uint32_t *addresses, size_t max)
{
    size_t count = 0, row = row_at(symbols, low);
    uint32_t last = 0;
    row = row == symbols->lines.count ? 0 : row;
    while (row > 0 && symbols->lines.items[row - 1].address >= low)
        row--;
    for (; row < symbols->lines.count && symbols->lines.items[row].address < high; row++) {
        const symbols_line *entry = &symbols->lines.items[row];
        if (entry->address < low || !entry->statement || entry->line != line || !entry->file ||
            strcmp(entry->file, file) != 0 || (count && entry->address == last))
            continue;
        last = entry->address;
        if (count < max)
            addresses[count] = last;
        count++;
    }
    return count;
}

void es_symbols_each_statement(const es_symbols *symbols, uint32_t low, uint32_t high,
                               void (*each)(void *context, const es_begin_row *row), void *context)
{
    size_t row = row_at(symbols, low);
    row = row == symbols->lines.count ? 0 : row;
    while (row > 0 && symbols->lines.items[row - 1].address >= low)
        row--;
    for (; row < symbols->lines.count && symbols->lines.items[row].address < high; row++) {
        const symbols_line *entry = &symbols->lines.items[row];
        if (entry->address >= low && entry->statement && entry->line && entry->file)
            each(context, &(es_begin_row){entry->address, entry->file, entry->line});
    }
}

void es_symbols_describe_lines(const es_symbols *symbols, uint32_t low, uint32_t high, char *text, size_t size)
{
    const char *file = NULL, *at;
    unsigned first = 0, last = 0, line;
    text[0] = 0;
    if (low >= high)
        return;
    size_t row = row_at(symbols, low);
    if (es_symbols_line(symbols, low, &at, &line)) {
        file = at;
        first = last = line;
    }
    for (row = row == symbols->lines.count ? 0 : row + 1; row < symbols->lines.count; row++) {
        const symbols_line *entry = &symbols->lines.items[row];
        if (entry->address >= high)
            break;
        if (entry->address < low || !entry->line || !entry->file)
            continue;
        if (!file) {
            file = entry->file;
            first = last = entry->line;
        }
        if (strcmp(entry->file, file) != 0)
            continue;
        first = entry->line < first ? entry->line : first;
        last = entry->line > last ? entry->line : last;
    }
    if (!file)
        return;
    if (first == last)
        snprintf(text, size, "%s:%u", file, first);
    else
        snprintf(text, size, "%s:%u-%u", file, first, last);
}
