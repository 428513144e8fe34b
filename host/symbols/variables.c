/* Variables: one walk through all units' scopes.
 *
 * An inlined procedure has an abstract DIE (as it was written), inlined copies inside of its callers, and perhaps a DIE
 * for code of its own. A variable of it belongs to its own code when there is some. The inlined copies only take part
 * where the locals of a frame are compared.
 */
#include "symbols/internal.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* A procedure that has an abstract DIE. */
typedef struct abstract {
    Dwarf_Die die;
    symbols_procedure *procedure; /* with its own code, or none (then low == high); NULL: not yet needed */
    const char *callers;          /* "control (control.c:31), main (control.c:50)" */
    unsigned caller_count;
} abstract;

typedef struct declared {
    Dwarf_Die die;
    const char *name;
} declared;

typedef struct walk {
    es_symbols *symbols;
    SYMBOLS_LIST(abstract) abstracts;
    SYMBOLS_LIST(declared) declarations; /* "extern int x;" */
    symbols_placed_list placed;
} walk;

/* Where the walk is. */
typedef struct scope {
    Dwarf_Die *function;          /* the subprogram's DIE; NULL: file scope */
    symbols_procedure *procedure; /* NULL: file scope, or of no interest */
    Dwarf_Die *copy;              /* inside a copy of another procedure; NULL: in none */
    Dwarf_Die *block;             /* inside a block of the function or copy; NULL: in none */
    uint32_t low, high;
    unsigned depth;
    size_t from; /* the function's variables begin there in the list of all */
} scope;

typedef SYMBOLS_LIST(es_variable *) frame_locals;

static bool walk_children(walk *w, Dwarf_Die *parent, scope at, frame_locals *frame);

static void limit_scope(scope *at, Dwarf_Die *die)
{
    Dwarf_Addr low, high;
    if (dwarf_lowpc(die, &low) == 0 && dwarf_highpc(die, &high) == 0 && low < high && high <= UINT32_MAX) {
        at->low = (uint32_t)low;
        at->high = (uint32_t)high;
    }
}

static abstract *abstract_of(walk *w, Dwarf_Die *die)
{
    Dwarf_Die origin = es_symbols_die_origin(die);
    for (size_t i = 0; i < w->abstracts.count; i++)
        if (w->abstracts.items[i].die.addr == origin.addr)
            return &w->abstracts.items[i];
    SYMBOLS_PUSH(w->symbols, &w->abstracts, (abstract){.die = origin});
    return &w->abstracts.items[w->abstracts.count - 1];
}

/* --- one variable --------------------------------------------------------------------------------- */

static es_variable *new_variable(walk *w, Dwarf_Die *die, const scope *at)
{
    symbols_variable *variable = es_arena_alloc(w->symbols->arena, sizeof *variable);
    es_variable *public = &variable->public;
    Dwarf_Die origin = es_symbols_die_origin(die);
    variable->order = w->symbols->variables.count;
    variable->die = die->addr;
    variable->library = es_symbols_die_in_library(w->symbols, &origin);
    if (origin.addr != die->addr && !at->procedure)
        SYMBOLS_PUSH(w->symbols, &w->placed, (symbols_placed){origin.addr, variable, false});
    public->name = es_symbols_die_name(w->symbols, die);
    public->type = es_symbols_type_of(w->symbols, die);
    public->file = es_symbols_die_file(w->symbols, die, &public->line);
    public->procedure = at->procedure ? &at->procedure->public : NULL;
    variable->normal = at->procedure ? NULL : es_symbols_scoped_name(w->symbols, die);
    return public;
}

static void keep(walk *w, es_variable *variable)
{
    SYMBOLS_PUSH(w->symbols, &w->symbols->variables, (symbols_variable *)variable);
}

/* Whether a variable from `from` on is the one that the abstract DIE describes. */
static bool known_instance(const es_symbols *symbols, size_t from, const Dwarf_Die *abstract_die)
{
    for (size_t i = from; i < symbols->variables.count; i++) {
        Dwarf_Die die;
        if (dwarf_die_addr_die(symbols->dwarf, (void *)symbols->variables.items[i]->die, &die) &&
            es_symbols_die_origin(&die).addr == abstract_die->addr)
            return true;
    }
    return false;
}

/* Of a parameter that all callers pass the same number for GCC has a second DIE, which tells that number. */
static bool is_told_again(const walk *w, Dwarf_Die *die, const scope *at)
{
    Dwarf_Die origin = es_symbols_die_origin(die);
    return at->procedure && !at->copy && origin.addr != die->addr && dwarf_tag(die) == DW_TAG_formal_parameter &&
           dwarf_hasattr(die, DW_AT_const_value) && known_instance(w->symbols, at->from, &origin);
}

static void add_variable(walk *w, Dwarf_Die *die, const scope *at, frame_locals *frame)
{
    const char *name = es_symbols_die_name(w->symbols, die);
    if (!name)
        return;
    if (es_symbols_die_flag(die, DW_AT_declaration)) {
        SYMBOLS_PUSH(w->symbols, &w->declarations, (declared){*die, name});
        return;
    }
    if (is_told_again(w, die, at))
        return;
    es_variable *variable = new_variable(w, die, at);
    es_symbols_place(w->symbols, die, at->function, at->low, at->high, variable);
    if (!es_symbols_has_type(die)) {
        variable->place = ES_PLACE_NONE;
        variable->why = "its debug information has no types: compile its file with -g, not -g1";
    }
    if (variable->place == ES_PLACE_FRAME)
        SYMBOLS_PUSH(w->symbols, frame, variable);
    if (at->procedure && at->function)
        SYMBOLS_PUSH(w->symbols, &w->symbols->instances,
                     (symbols_instance){.origin = es_symbols_die_origin(die).addr,
                                        .die = die->addr,
                                        .function = at->function->addr,
                                        .inlined = at->copy ? at->copy->addr : NULL,
                                        .block = at->block ? at->block->addr : NULL,
                                        .procedure = at->procedure});
    if (!at->copy)
        keep(w, variable);
}

/* --- procedures ----------------------------------------------------------------------------------- */

static bool known_variable(const es_symbols *symbols, size_t from, const char *name)
{
    for (size_t i = from; i < symbols->variables.count; i++)
        if (strcmp(symbols->variables.items[i]->public.name, name) == 0)
            return true;
    return false;
}

/* Variables of the abstract procedure that its code's DIE does not even mention; `from` is where its own start in the
 * list. */
static bool add_missing(walk *w, Dwarf_Die *parent, const scope *at, size_t from, const char *why)
{
    Dwarf_Die die;
    scope inner = *at;
    inner.depth++;
    int more = inner.depth > SYMBOLS_MAX_DEPTH ? -1 : dwarf_child(parent, &die);
    if (more != 0)
        return more > 0;
    do {
        int tag = dwarf_tag(&die);
        const char *name = es_symbols_die_name(w->symbols, &die);
        bool static_local = es_symbols_die_flag(&die, DW_AT_declaration) || dwarf_hasattr(&die, DW_AT_location);
        if (tag == DW_TAG_lexical_block && !add_missing(w, &die, &inner, from, why))
            return false;
        if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !name ||
            known_instance(w->symbols, from, &die))
            continue;
        es_variable *variable = new_variable(w, &die, at);
        es_symbols_place(w->symbols, &die, NULL, at->low, at->high, variable);
        if (why && !static_local) {
            variable->place = ES_PLACE_NONE;
            variable->why = why;
        }
        keep(w, variable);
    } while ((more = es_symbols_sibling(&die)) > 0);
    return more == 0;
}

/* Link-time optimisation may describe where a procedure's static variables are apart from where its code is. */
static void add_statics(walk *w, Dwarf_Die *die)
{
    Dwarf_Die child;
    scope at = {.function = NULL};
    frame_locals none = {0};
    for (int more = dwarf_child(die, &child) == 0; more > 0; more = es_symbols_sibling(&child)) {
        size_t before = w->placed.count;
        if (dwarf_tag(&child) == DW_TAG_variable && dwarf_hasattr(&child, DW_AT_location))
            add_variable(w, &child, &at, &none);
        if (w->placed.count > before)
            w->placed.items[before].local = true;
    }
}

static bool walk_subprogram(walk *w, Dwarf_Die *die, const scope *outer)
{
    scope at = {.function = die, .procedure = es_symbols_procedure_of_die(w->symbols, die), .depth = outer->depth + 1};
    if (es_symbols_die_flag(die, DW_AT_declaration))
        return true;
    es_symbols_note_declaration(w->symbols, die);
    if (!at.procedure) { /* abstract, or removed by the linker */
        if (dwarf_hasattr(die, DW_AT_inline))
            abstract_of(w, die);
        if (dwarf_hasattr(die, DW_AT_abstract_origin) && !dwarf_hasattr(die, DW_AT_low_pc))
            add_statics(w, die);
        return true;
    }
    size_t from = at.from = w->symbols->variables.count;
    frame_locals frame = {0};
    at.low = at.procedure->public.low;
    at.high = at.procedure->public.high;
    if (!walk_children(w, die, at, &frame))
        return false;
    es_symbols_separate_slots(w->symbols, frame.items, frame.count);
    Dwarf_Die origin;
    if (!es_symbols_die_reference(die, DW_AT_abstract_origin, &origin))
        return true;
    abstract_of(w, die)->procedure = at.procedure;
    at.procedure->origin = origin.addr;
    return add_missing(w, &origin, &at, from, NULL);
}

static bool walk_inlined(walk *w, Dwarf_Die *die, scope at, frame_locals *frame)
{
    abstract *origin = abstract_of(w, die);
    uint64_t line = 0;
    Dwarf_Addr address;
    const char *file = NULL;
    unsigned code_line;
    es_symbols_die_number(die, DW_AT_call_line, &line);
    es_symbols_note_inlined(w->symbols, die, at.copy, at.procedure ? &at.procedure->public : NULL);
    if (dwarf_entrypc(die, &address) == 0 && address <= UINT32_MAX)
        es_symbols_line(w->symbols, (uint32_t)address, &file, &code_line);
    const char *caller = at.procedure ? at.procedure->public.name : "?";
    if (at.procedure && at.procedure->public.file)
        file = at.procedure->public.file;
    if (origin->caller_count < 3)
        origin->callers = es_arena_format(w->symbols->arena, "%s%s%s (%s:%u)", origin->callers ? origin->callers : "",
                                          origin->callers ? ", " : "", caller, file ? file : "?", (unsigned)line);
    else if (origin->caller_count == 3)
        origin->callers = es_arena_format(w->symbols->arena, "%s, ...", origin->callers);
    origin->caller_count++;
    at.copy = die;
    at.block = NULL;
    limit_scope(&at, die);
    return walk_children(w, die, at, frame);
}

static bool walk_die(walk *w, Dwarf_Die *die, scope at, frame_locals *frame)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_subprogram: return walk_subprogram(w, die, &at);
    case DW_TAG_inlined_subroutine: return walk_inlined(w, die, at, frame);
    case DW_TAG_lexical_block:
        limit_scope(&at, die);
        at.block = die;
        return walk_children(w, die, at, frame);
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_class_type: return walk_children(w, die, at, frame);
    case DW_TAG_enumeration_type: es_symbols_note_enumeration(w->symbols, die); return true;
    case DW_TAG_call_site: es_symbols_note_call(w->symbols, die); return true;
    case DW_TAG_variable:
    case DW_TAG_formal_parameter: add_variable(w, die, &at, frame); return true;
    default: return true;
    }
}

static bool walk_children(walk *w, Dwarf_Die *parent, scope at, frame_locals *frame)
{
    Dwarf_Die die;
    int more = ++at.depth > SYMBOLS_MAX_DEPTH ? -1 : dwarf_child(parent, &die);
    if (more != 0)
        return more > 0;
    do {
        if (!walk_die(w, &die, at, frame))
            return false;
    } while ((more = es_symbols_sibling(&die)) > 0);
    return more == 0;
}

/* --- after the walk ------------------------------------------------------------------------------- */

static bool finish_inlined(walk *w)
{
    es_symbols *symbols = w->symbols;
    for (size_t i = 0; i < w->abstracts.count; i++) {
        abstract *a = &w->abstracts.items[i];
        const char *name = es_symbols_die_name(symbols, &a->die);
        if (!a->callers || !name)
            continue;
        const char *why = es_arena_format(
            symbols->arena, "was inlined into %s: compile this file with -O0, or give %s the attribute noinline",
            a->callers, name);
        bool own_code = a->procedure;
        if (!own_code) {
            a->procedure = es_arena_alloc(symbols->arena, sizeof *a->procedure);
            a->procedure->public.name = name;
            a->procedure->public.has_debug = true;
            a->procedure->public.file = es_symbols_die_file(symbols, &a->die, &a->procedure->public.line);
        }
        a->procedure->inlined = why;
        SYMBOLS_PUSH(symbols, &symbols->inlined, a->procedure);
        scope at = {.function = NULL, .procedure = a->procedure};
        if (!own_code && !add_missing(w, &a->die, &at, symbols->variables.count, why))
            return false;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    const symbols_variable *x = *(symbols_variable *const *)a, *y = *(symbols_variable *const *)b;
    int order = strcmp(x->public.name, y->public.name);
    if (order)
        return order;
    if (!x->public.procedure != !y->public.procedure)
        return x->public.procedure ? 1 : -1;
    return (x->order > y->order) - (x->order < y->order);
}

static const char *name_of(const void *item)
{
    return (*(symbols_variable *const *)item)->public.name;
}

/* First variable of that name, the count when there is none. */
static size_t first_named(const es_symbols *symbols, const char *name)
{
    return SYMBOLS_FIRST_NAMED(&symbols->variables, name_of, name);
}

/* What is declared in the sources but defined without debug information, in assembler or by the linker, lies where its
 * symbol says. */
static void add_declared(walk *w)
{
    es_symbols *symbols = w->symbols;
    size_t defined = symbols->variables.count;
    for (size_t i = 0; i < w->declarations.count; i++) {
        declared *d = &w->declarations.items[i];
        const symbols_elf_symbol *symbol = es_symbols_elf_named(symbols, d->name);
        bool data =
            symbol && (symbol->type == STT_OBJECT || symbol->type == STT_NOTYPE) && symbol->binding != STB_LOCAL;
        size_t at = first_named(symbols, d->name);
        if (!data || (at < defined && !symbols->variables.items[at]->public.procedure) ||
            known_variable(symbols, defined, d->name))
            continue;
        es_variable *variable = new_variable(w, &d->die, &(scope){.function = NULL});
        variable->place = ES_PLACE_STATIC;
        variable->address = symbol->value;
        keep(w, variable);
    }
}

static bool same_variable(const es_variable *a, const es_variable *b)
{
    return a->place == ES_PLACE_STATIC && b->place == ES_PLACE_STATIC && a->address == b->address &&
           a->procedure == b->procedure && strcmp(a->name, b->name) == 0;
}

/* Whether one of the first `count` is the same variable: all units that use a static member of a template describe it,
 * and in between may be those of other classes. */
static bool told_before(const es_symbols *symbols, size_t count, const es_variable *variable)
{
    while (count > 0) {
        const es_variable *other = &symbols->variables.items[--count]->public;
        if (same_variable(other, variable))
            return true;
        if (variable->procedure || strcmp(other->name, variable->name) != 0)
            return false;
    }
    return false;
}

static int by_origin(const void *a, const void *b)
{
    const symbols_instance *x = a, *y = b;
    if (x->origin != y->origin)
        return (uintptr_t)x->origin > (uintptr_t)y->origin ? 1 : -1;
    return ((uintptr_t)x->die > (uintptr_t)y->die) - ((uintptr_t)x->die < (uintptr_t)y->die);
}

bool es_symbols_read_variables(es_symbols *symbols, es_error *err)
{
    walk w = {.symbols = symbols};
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    uint8_t type;
    int more;
    frame_locals none = {0};
    while ((more = dwarf_get_units(symbols->dwarf, cu, &cu, NULL, &type, &unit, NULL)) == 0)
        if (type == DW_UT_compile && !walk_children(&w, &unit, (scope){.function = NULL}, &none))
            return es_symbols_damaged(symbols, err);
    if (more < 0 || !finish_inlined(&w))
        return es_symbols_damaged(symbols, err);
    es_symbols_join_origins(symbols, &w.placed);
    SYMBOLS_SORT(&symbols->variables, by_name);
    add_declared(&w);
    SYMBOLS_SORT(&symbols->variables, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < symbols->variables.count; i++)
        if (!told_before(symbols, kept, &symbols->variables.items[i]->public))
            symbols->variables.items[kept++] = symbols->variables.items[i];
    symbols->variables.count = kept;
    SYMBOLS_SORT(&symbols->instances, by_origin);
    es_symbols_finish_types(symbols);
    es_symbols_sort_enumerators(symbols);
    return true;
}
