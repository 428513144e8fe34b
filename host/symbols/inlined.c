/* Inlined copies of procedures, and where execution enters them.
 *
 * Debug information says which instructions come from an inlined copy. Its DW_AT_entry_pc does not help:
 * optimisation puts some instructions of the copy far before it, out of a loop even. What is executed once for each
 * call is the place where the first statement of the procedure begins, which the line table marks; it marks each
 * copy's. Where the compiler has made several of that place, or a loop leads back to it, that does not hold, and the
 * copy's entry counts as unknown. */
#include "base/cxx_name.h"
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

static const char *calling_file(es_symbols *symbols, Dwarf_Die *die)
{
    Dwarf_Files *files;
    Dwarf_Die unit;
    size_t count;
    uint64_t number;
    if (!es_symbols_die_number(die, DW_AT_call_file, &number) ||
        !dwarf_cu_die(die->cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
        dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count)
        return NULL;
    const char *file = dwarf_filesrc(files, (size_t)number, NULL, NULL);
    return file ? es_symbols_file_name(symbols, die, file) : NULL;
}

const es_inlined_copy *es_symbols_copy_of(const es_symbols *symbols, const void *die)
{
    for (size_t i = symbols->put_back.count; i-- > 0 && die;)
        if (symbols->put_back.items[i].die == die)
            return symbols->put_back.items[i].within;
    for (size_t i = symbols->copies.count; i-- > 0 && die;)
        if (symbols->copies.items[i]->die == die)
            return &symbols->copies.items[i]->public;
    return NULL;
}

static bool is_own(const symbols_inlined_copy *copy) /* the caller is the procedure itself */
{
    const char *caller = copy->public.caller ? copy->public.caller->name : NULL;
    return caller && copy->public.name && strcmp(caller, copy->public.name) == 0;
}

/* The compiler takes the rest of a procedure after its first decision out of it ("f.part.0"), and sometimes puts it
 * back into the procedure, or an inlined copy of it: that is no call. Debug information has it where the procedure is
 * declared. */
static bool is_part(Dwarf_Die *die, Dwarf_Die *origin, const symbols_inlined_copy *copy)
{
    uint64_t column, declared;
    bool columns = es_symbols_die_number(die, DW_AT_call_column, &column) &&
                   es_symbols_die_number(origin, DW_AT_decl_column, &declared);
    bool within = copy->public.within ? ((const symbols_inlined_copy *)copy->public.within)->origin == copy->origin
                                      : is_own(copy);
    return within && copy->public.call_line == copy->public.declared_line && (!columns || column == declared);
}

void es_symbols_note_inlined(es_symbols *symbols, Dwarf_Die *die, const Dwarf_Die *within, const es_procedure *caller)
{
    Dwarf_Die origin = es_symbols_die_origin(die);
    Dwarf_Addr base, low, high;
    uint64_t line = 0;
    symbols_inlined_copy *copy = es_arena_alloc(symbols->arena, sizeof *copy);
    copy->die = die->addr;
    copy->origin = origin.addr;
    copy->public.within = es_symbols_copy_of(symbols, within ? within->addr : NULL);
    copy->public.name = es_symbols_die_name(symbols, die);
    copy->public.caller = caller;
    copy->scoped = es_symbols_scoped_name(symbols, die);
    copy->public.file = es_symbols_die_file(symbols, &origin, &copy->public.declared_line);
    copy->public.call_file = calling_file(symbols, die);
    es_symbols_die_number(die, DW_AT_call_line, &line);
    copy->public.call_line = (unsigned)line;
    for (ptrdiff_t next = 0; (next = dwarf_ranges(die, next, &base, &low, &high)) > 0;)
        if (low < high && high <= UINT32_MAX)
            SYMBOLS_PUSH(symbols, &copy->code, (symbols_span){(uint32_t)low, (uint32_t)high});
    bool part = is_part(die, &origin, copy);
    if (part)
        SYMBOLS_PUSH(symbols, &symbols->put_back, (symbols_put_back){die->addr, copy->public.within});
    if (copy->public.name && caller && copy->code.count && !part)
        SYMBOLS_PUSH(symbols, &symbols->copies, copy);
}

void es_symbols_note_declaration(es_symbols *symbols, Dwarf_Die *die)
{
    unsigned line;
    const char *file = es_symbols_die_file(symbols, die, &line);
    if (file && line)
        SYMBOLS_PUSH(symbols, &symbols->declared_at, (symbols_declared_at){file, line});
}

/* --- the first statement -------------------------------------------------------------------------------- */

typedef struct statement {
    unsigned line, column;
} statement;

static bool is_before(statement a, statement b)
{
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

/* The next statement of the copy's procedure in the copy's code; *span and *row, 0 at first, are where the search
 * is. */
static const symbols_line *next_statement(const es_symbols *symbols, const symbols_inlined_copy *copy, unsigned end,
                                          size_t *span, size_t *row)
{
    for (; *span < copy->code.count; (*span)++, *row = 0) {
        *row = *row ? *row : es_symbols_row_from(symbols, copy->code.items[*span].low);
        uint32_t high = copy->code.items[*span].high;
        for (; *row < symbols->lines.count && symbols->lines.items[*row].address < high; (*row)++) {
            const symbols_line *here = &symbols->lines.items[*row];
            if (here->statement && here->file && here->line >= copy->public.declared_line && here->line < end &&
                strcmp(here->file, copy->public.file) == 0) {
                (*row)++;
                return here;
            }
        }
    }
    return NULL;
}

/* Lowers *first to the first statement that the line table has in a copy. */
static void look_for_first(const es_symbols *symbols, const symbols_inlined_copy *copy, unsigned end, statement *first)
{
    size_t span = 0, row = 0;
    for (const symbols_line *here; (here = next_statement(symbols, copy, end, &span, &row));)
        if (is_before((statement){here->line, here->column}, *first))
            *first = (statement){here->line, here->column};
}

/* --- paths through a copy -------------------------------------------------------------------------------- */

typedef struct ways {
    const symbols_inlined_copy *copy;
    SYMBOLS_LIST(uint32_t) seen;
    bool lost; /* where a jump leads is not known */
} ways;

static void visit(const es_symbols *symbols, ways *w, uint32_t address)
{
    for (size_t i = 0; i < w->seen.count; i++)
        if (w->seen.items[i] == address)
            return;
    if (es_symbols_copy_holds(w->copy, address))
        SYMBOLS_PUSH(symbols, &w->seen, address);
}

bool es_symbols_has_tables(const es_symbols *symbols, const es_procedure *procedure)
{
    for (size_t i = 0; i < symbols->code_words.count; i++)
        if (symbols->code_words.items[i] > procedure->low && symbols->code_words.items[i] < procedure->high)
            return true;
    return false;
}

/* Notes where execution goes on after an instruction, as long as it stays in the copy. */
static void go_on(const es_symbols *symbols, ways *w, uint32_t address)
{
    es_insn insn;
    if (!es_symbols_insn(symbols, address, &insn))
        return;
    es_ways on = es_insn_ways(insn, address);
    bool plain_return = insn.kind == ES_INSN_RETURN && insn.rs1 == symbols->isa->link && !insn.rd;
    if (on.jumps)
        visit(symbols, w, on.target);
    if (on.next)
        visit(symbols, w, address + insn.size);
    if (!on.computed || on.next || plain_return)
        return;
    w->lost |= !es_symbols_has_tables(symbols, w->copy->public.caller);
    for (size_t i = 0; i < symbols->code_words.count; i++) /* tables of switches */
        visit(symbols, w, symbols->code_words.items[i]);
}

/* Whether execution can come from one of the places to one of them, without leaving the copy. */
static bool comes_again(const es_symbols *symbols, const symbols_inlined_copy *copy, const uint32_t *places,
                        size_t count)
{
    ways w = {.copy = copy};
    for (size_t i = 0; i < count; i++)
        go_on(symbols, &w, places[i]);
    for (size_t i = 0; i < w.seen.count; i++) {
        for (size_t k = 0; k < count; k++)
            if (w.seen.items[i] == places[k])
                return true;
        go_on(symbols, &w, w.seen.items[i]);
    }
    return w.lost && count;
}

/* --- entries -------------------------------------------------------------------------------------------- */

static uint32_t distance(const symbols_inlined_copy *copy, uint32_t address)
{
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < copy->code.count; i++) {
        const symbols_span *span = &copy->code.items[i];
        uint32_t here = address < span->low     ? span->low - address
                        : address >= span->high ? address - span->high + 1
                                                : 0;
        least = here < least ? here : least;
    }
    return least;
}

/* Whose copy a place in a caller's code is of: of those of one procedure the nearest, as no instruction of the copy may
 * be left where its first statement begins. */
static const symbols_inlined_copy *copy_at(const es_symbols *symbols, const symbols_inlined_copy *one, uint32_t address)
{
    const symbols_inlined_copy *nearest = NULL;
    for (size_t i = 0; i < symbols->copies.count; i++) {
        const symbols_inlined_copy *copy = symbols->copies.items[i];
        if (copy->origin == one->origin && copy->public.caller == one->public.caller &&
            (!nearest || distance(copy, address) < distance(nearest, address)))
            nearest = copy;
    }
    return nearest;
}

static void find_entries(const es_symbols *symbols, symbols_inlined_copy *copy, statement first)
{
    SYMBOLS_LIST(uint32_t) places = {0};
    for (size_t i = es_symbols_row_from(symbols, copy->public.caller->low);
         i < symbols->lines.count && symbols->lines.items[i].address < copy->public.caller->high; i++) {
        const symbols_line *row = &symbols->lines.items[i];
        if (!row->statement || row->line != first.line || row->column != first.column || !row->file ||
            strcmp(row->file, copy->public.file) != 0 || copy_at(symbols, copy, row->address) != copy ||
            (is_own(copy) && distance(copy, row->address))) /* there it is the caller itself that begins */
            continue;
        if (places.count && places.items[places.count - 1] == row->address)
            return; /* two calls begin at one instruction */
        SYMBOLS_PUSH(symbols, &places, row->address);
    }
    if (comes_again(symbols, copy, places.items, places.count))
        return;
    for (size_t i = 0; i < places.count; i++)
        if (es_symbols_begins_early(symbols, copy, places.items, places.count, places.items[i]))
            return;
    copy->public.entries = places.items;
    copy->public.entry_count = places.count;
    copy->public.line = first.line;
}

/* Finds the entries of all copies of what one copy is of. */
static void look_at(const es_symbols *symbols, const symbols_inlined_copy *one)
{
    statement first = {UINT32_MAX, 0};
    unsigned end = one->public.file ? es_symbols_end_line(symbols, one) : 0;
    for (size_t i = 0; i < symbols->copies.count && one->public.file; i++)
        if (symbols->copies.items[i]->origin == one->origin)
            look_for_first(symbols, symbols->copies.items[i], end, &first);
    for (size_t i = 0; i < symbols->copies.count; i++) {
        symbols_inlined_copy *copy = symbols->copies.items[i];
        if (copy->origin != one->origin)
            continue;
        copy->looked_at = true;
        if (first.line != UINT32_MAX)
            find_entries(symbols, copy, first);
    }
}

void es_symbols_find_entries(const es_symbols *symbols, const es_procedure *caller)
{
    for (size_t i = 0; i < symbols->copies.count; i++)
        if (symbols->copies.items[i]->public.caller == caller && !symbols->copies.items[i]->looked_at)
            look_at(symbols, symbols->copies.items[i]);
}

size_t es_symbols_copies(const es_symbols *symbols, const char *file, const char *name, const es_inlined_copy **copies,
                         size_t max)
{
    size_t count = 0, length = es_cxx_scoped(name);
    es_text_buffer wanted = {0};
    es_cxx_normal(&wanted, name, length ? length : strlen(name));
    for (size_t i = 0; i < symbols->copies.count; i++) {
        const symbols_inlined_copy *copy = symbols->copies.items[i];
        bool named = strcmp(copy->public.name, name) == 0 ||
                     (copy->scoped && es_cxx_means(wanted.text ? wanted.text : "", copy->scoped) != ES_CXX_NOT);
        if (!named || (file && !(copy->public.file && es_file_matches(copy->public.file, file))))
            continue;
        if (!copy->looked_at)
            look_at(symbols, copy);
        if (count < max)
            copies[count] = &copy->public;
        count++;
    }
    es_text_free(&wanted);
    return count;
}

size_t es_symbols_inlined_at(const es_symbols *symbols, uint32_t address, const es_inlined_copy **copies, size_t max)
{
    size_t count = 0;
    for (size_t i = 0; i < symbols->copies.count && count < max; i++) /* outer ones were met before inner ones */
        if (es_symbols_copy_holds(symbols->copies.items[i], address))
            copies[count++] = &symbols->copies.items[i]->public;
    return count;
}
