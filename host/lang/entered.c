/* enter(f) and leave(f) where the compiler has inlined f, in whole or but for a rest ("f.part.0"). */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lang/parser.h"
#include "symbols/copies.h"
#include "symbols/shadows.h"

#define COPIES_MAX 4096
#define LISTED_MAX 6 /* places in a message */
#define WARN(parser, ...) es_parser_warn(parser, es_arena_format((parser)->arena, __VA_ARGS__))

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The inlined copies of what a name means; 0 also when that may be several procedures. *alone: it has no code of its
 * own, but perhaps a rest of it. */
static size_t find_copies(const es_parser *parser, const char *file, const char *name, const es_inlined_copy **copies,
                          bool *alone)
{
    const es_procedure *own[ES_PROCEDURES_MAX];
    size_t own_count = es_symbols_procedures_named(parser->symbols, file, name, own, ES_PROCEDURES_MAX);
    size_t count = es_symbols_copies(parser->symbols, file, name, copies, COPIES_MAX), kept = 0;
    *alone = true;
    for (size_t i = 0; i < own_count && i < ES_PROCEDURES_MAX; i++) {
        *alone &= es_symbols_is_part(own[i]);
        if (!es_symbols_same_source(parser->symbols, own[0], own[i]))
            return 0;
    }
    for (size_t i = 0; i < count && i < COPIES_MAX; i++) {
        const char *declared = own_count ? own[0]->file : copies[0]->file;
        unsigned line = own_count ? own[0]->line : copies[0]->declared_line;
        bool same = copies[i]->declared_line == line && same_text(copies[i]->file, declared);
        if (!same && !own_count)
            return 0;
        if (same)
            copies[kept++] = copies[i];
    }
    return kept;
}

const es_inlined_copy **es_named_copies(es_parser *parser, const char *file, const char *name, size_t *count)
{
    const es_inlined_copy *found[COPIES_MAX], **copies;
    bool alone;
    *count = find_copies(parser, file, name, found, &alone);
    copies = es_arena_alloc(parser->arena, (*count + 1) * sizeof *copies);
    memcpy((void *)copies, (const void *)found, *count * sizeof *copies);
    return copies;
}

enum listed { WITH_ENTRIES, WITHOUT, ALL };

/* "main (control.c:20), user (control.c:49)": copies with known entries, without, or all. */
static const char *list_copies(es_parser *parser, const es_inlined_copy *const *copies, size_t count,
                               enum listed listing)
{
    const char *list = NULL;
    size_t listed = 0;
    for (size_t i = 0; i < count; i++) {
        if (listing != ALL && (copies[i]->entry_count > 0) != (listing == WITH_ENTRIES))
            continue;
        if (++listed > LISTED_MAX)
            return es_arena_format(parser->arena, "%s, ...", list);
        const char *file = copies[i]->caller->file ? es_base_name(copies[i]->caller->file) : "?";
        list = es_arena_format(parser->arena, "%s%s%s (%s:%u)", list ? list : "", list ? ", " : "",
                               copies[i]->caller->name, file, copies[i]->call_line);
    }
    return list;
}

static int by_address(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The place of all entries of inlined copies; NULL there is none. */
static const es_position *place_of_copies(es_parser *parser, const char *name, const es_inlined_copy *const *copies,
                                          size_t count)
{
    uint32_t *addresses = NULL;
    size_t found = 0;
    es_position *made = es_arena_alloc(parser->arena, sizeof *made);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < copies[i]->entry_count; k++) {
            addresses = es_arena_grow(parser->arena, addresses, found, sizeof *addresses);
            addresses[found++] = copies[i]->entries[k];
            made->file = copies[i]->file;
            made->line = copies[i]->line;
        }
    if (!found)
        return NULL;
    qsort(addresses, found, sizeof *addresses, by_address);
    size_t kept = 1;
    for (size_t i = 1; i < found; i++)
        if (addresses[i] != addresses[kept - 1])
            addresses[kept++] = addresses[i];
    made->text = name;
    made->inlined = name;
    made->addresses = addresses;
    made->count = kept;
    return made;
}

void es_parser_warn(es_parser *parser, const char *text)
{
    es_program *program = parser->program;
    for (size_t i = 0; i < program->warning_count; i++)
        if (strcmp(program->warnings[i], text) == 0)
            return;
    program->warnings =
        es_arena_grow(parser->arena, (void *)program->warnings, program->warning_count, sizeof *program->warnings);
    program->warnings[program->warning_count++] = text;
}

void es_warn_of_event(es_parser *parser, enum es_expr_kind kind, const char *name, bool own,
                      const es_inlined_copy *const *copies, size_t count)
{
    const char *known = list_copies(parser, copies, count, WITH_ENTRIES);
    const char *unknown = list_copies(parser, copies, count, WITHOUT);
    const char *word = kind == ES_EXPR_LEAVE ? "leave" : "enter";
    if (kind == ES_EXPR_LEAVE && !es_symbols_uses_shadows(parser->symbols)) {
        WARN(parser,
             "leave(%s) is not true at the end of inlined copies of it, in %s: --replay knows where they end; or give "
             "%s the attribute noinline",
             name, list_copies(parser, copies, count, ALL), name);
        return;
    }
    if (known && kind == ES_EXPR_LEAVE)
        WARN(parser, "leave(%s) is true%s where inlined copies of it end, in %s", name, own ? ", too," : "", known);
    else if (known)
        WARN(parser, "enter(%s) is true%s where the first statement of inlined copies of it begins, in %s", name,
             own ? ", too," : "", known);
    if (unknown)
        WARN(parser,
             "%s(%s) is not true for inlined copies of it in %s, as the debug information does not say where they "
             "begin: give %s the attribute noinline",
             word, name, unknown, name);
}

bool es_refuse_leave(es_parser *parser, es_span from, const char *file, const char *name)
{
    const es_inlined_copy *copies[COPIES_MAX];
    const es_procedure *own;
    bool alone, replay = es_symbols_uses_shadows(parser->symbols);
    size_t count = find_copies(parser, file, name, copies, &alone);
    if (!count || es_symbols_procedures_named(parser->symbols, file, name, &own, 1) ||
        (replay && list_copies(parser, copies, count, WITH_ENTRIES)))
        return false;
    es_parser_fail_from(
        parser, from,
        replay ? NULL
               : es_arena_format(parser->arena,
                                 "--replay knows where copies end; enter(%s) is true where they begin, at(FILE:LINE) "
                                 "at a line",
                                 name),
        replay ? "of '%s' there are inlined copies only, in %s, and the debug information does not say where they begin; "
                 "give %s the attribute noinline"
               : "'%s' is nowhere left: instructions of inlined copies stand among their callers', in %s, and none of "
                 "them is the last; give %s the attribute noinline",
        name, list_copies(parser, copies, count, ALL), name);
    return true;
}

/* Whether an entry of the copy comes directly after a call. What ends where the call comes back is told after the fetch
 * there, and before what begins there: so that has to be told by a cell, too. */
static bool follows_call(const es_parser *parser, const es_inlined_copy *copy)
{
    const es_call_site *calls;
    size_t count = es_symbols_calls(parser->symbols, &calls);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < copy->entry_count && calls[i].caller == copy->caller; k++)
            if (calls[i].site + calls[i].size == copy->entries[k] && !calls[i].is_tail)
                return true;
    return false;
}

/* Of the copies with entries those of which a cell has to tell that; the others come first. */
static size_t part_copies(const es_parser *parser, enum es_expr_kind kind, const es_inlined_copy **copies,
                          size_t *count)
{
    size_t known = 0, plain = 0;
    for (size_t i = 0; i < *count; i++)
        if (copies[i]->entry_count)
            copies[known++] = copies[i];
    *count = known;
    for (size_t i = 0; i < known && kind == ES_EXPR_ENTER; i++) {
        const es_inlined_copy *copy = copies[i];
        if (es_symbols_uses_shadows(parser->symbols) && follows_call(parser, copy))
            continue;
        memmove((void *)&copies[plain + 1], (const void *)&copies[plain], (i - plain) * sizeof *copies);
        copies[plain++] = copy;
    }
    return plain;
}

/* A cell of theirs. */
static es_node *cell_of(es_parser *parser, es_span from, enum es_shadow_copies what, const char *text,
                        const es_inlined_copy *const *copies, size_t count)
{
    const char *why = NULL;
    text = es_arena_format(parser->arena, "%s in %s", text, copies[0]->caller->name); /* its own, by way of a path */
    const es_variable *cell = es_symbols_copies_shadow(parser->symbols, copies, count, what, text, &why);
    if (!cell) {
        es_parser_fail_from(parser, from, NULL, "%s %s", text, why);
        return NULL;
    }
    size_t index = es_refer_to_cell(parser, from, cell);
    if (what == ES_SHADOW_ACTIVE)
        return es_node_reference(parser, from, index, false);
    es_node *node = es_node_new(parser, from, ES_EXPR_WRITE);
    node->expr.index = index;
    return node;
}

/* ... while the path's activation is the innermost one. */
static es_node *only_on(es_parser *parser, es_node *node, es_span from, const es_path *path, bool exact)
{
    es_token both = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_LOGAND, .source = from.source};
    if (!node || !path)
        return node;
    es_node *active = es_node_new(parser, from, ES_EXPR_ACTIVE);
    active->expr.path = path;
    active->expr.exact = exact;
    return es_node_binary(parser, &both, node, active);
}

es_node *es_copies_active(es_parser *parser, es_span from, const char *name, const es_path *path,
                          const es_inlined_copy **copies, size_t count)
{
    part_copies(parser, ES_EXPR_LEAVE, copies, &count);
    es_node *node =
        count ? cell_of(parser, from, ES_SHADOW_ACTIVE, es_arena_format(parser->arena, "active(%s)", name), copies, count)
              : NULL;
    return only_on(parser, node, from, path, false);
}

es_node *es_copies_event(es_parser *parser, es_span from, enum es_expr_kind kind, const char *name,
                         const es_path *path, const es_inlined_copy **copies, size_t count)
{
    size_t plain = part_copies(parser, kind, copies, &count);
    const es_position *place = place_of_copies(parser, count ? copies[0]->name : name, copies, plain);
    es_node *at = place ? es_node_new(parser, from, ES_EXPR_AT) : NULL, *written = NULL;
    if (at) {
        at->expr.position = place;
        at->expr.path = path;
    }
    if (count > plain) {
        bool enter = kind == ES_EXPR_ENTER;
        written = cell_of(parser, from, enter ? ES_SHADOW_BEGINS : ES_SHADOW_ENDS,
                          es_arena_format(parser->arena, "%s(%s)", enter ? "enter" : "leave", name), copies + plain,
                          count - plain);
        written = only_on(parser, written, from, path, true);
        if (!written)
            return NULL;
    }
    es_token either = {.kind = ES_TOKEN_SIGN, .sign = ES_SIGN_LOGOR, .source = from.source};
    return at && written ? es_node_binary(parser, &either, at, written) : at ? at : written;
}

bool es_inlined_event(es_parser *parser, es_span from, enum es_expr_kind kind, const char *file, const char *name,
                      es_node **made, bool *alone)
{
    const es_inlined_copy *copies[COPIES_MAX];
    size_t count = find_copies(parser, file, name, copies, alone);
    bool any = list_copies(parser, copies, count, WITH_ENTRIES);
    *made = NULL;
    if (!count || (!any && *alone))
        return true;
    es_warn_of_event(parser, kind, name, !*alone, copies, count);
    if (!any || (kind == ES_EXPR_LEAVE && !es_symbols_uses_shadows(parser->symbols)))
        return true;
    *made = es_copies_event(parser, from, kind, name, NULL, copies, count);
    return *made;
}

/* The inlined copies of one procedure. */
static size_t copies_of(const es_parser *parser, const es_procedure *procedure, const es_inlined_copy **copies)
{
    size_t kept = 0, count = 0;
    if (procedure->name)
        count = es_symbols_copies(parser->symbols, NULL, procedure->name, copies, COPIES_MAX);
    for (size_t i = 0; i < count && i < COPIES_MAX; i++)
        if (procedure->line == copies[i]->declared_line && same_text(procedure->file, copies[i]->file))
            copies[kept++] = copies[i];
    return kept;
}

bool es_is_inlined_into(const es_parser *parser, const es_procedure *procedure, const es_procedure *caller)
{
    const es_inlined_copy *copies[COPIES_MAX];
    size_t count = copies_of(parser, procedure, copies);
    for (size_t i = 0; i < count; i++)
        if (copies[i]->caller == caller)
            return true;
    return false;
}

bool es_has_copies(const es_parser *parser, const es_procedure *procedure)
{
    const es_inlined_copy *copies[COPIES_MAX];
    return copies_of(parser, procedure, copies);
}

void es_warn_of_copies(es_parser *parser, const es_procedure *procedure, const char *what)
{
    const es_inlined_copy *copies[COPIES_MAX];
    size_t count = copies_of(parser, procedure, copies);
    if (count)
        WARN(parser,
             "%s means calls of %s's own code only, not its inlined copies in %s: give %s the attribute "
             "noinline",
             what, procedure->name, list_copies(parser, copies, count, ALL), procedure->name);
}

/* What a cell tells of copies is the caller's where it is; not where it is what else the statement asks for, of code
 * of the procedure's own. */
static const char *inlined_by_cell(const es_shadow *shadow, uint32_t address)
{
    for (size_t i = 0; shadow && shadow->kind == ES_SHADOW_COPIES && i < shadow->copy_count; i++) {
        const es_copy_ends *ends = shadow->ends[i];
        for (size_t k = 0; k < ends->caller_count; k++)
            if (address >= ends->caller[k].low && address < ends->caller[k].high)
                return shadow->copies[i]->name;
    }
    return NULL;
}

static const char *inlined_in(const es_statement *statement, const es_condition *condition, uint32_t address)
{
    for (size_t i = 0; i < condition->trigger_count; i++) {
        const es_trigger *trigger = &condition->triggers[i];
        const es_position *position = trigger->position;
        const es_variable *cell =
            trigger->kind == ES_TRIGGER_WRITE ? statement->references[trigger->index].variable : NULL;
        for (size_t k = 0; position && position->inlined && k < position->count; k++)
            if (position->addresses[k] == address)
                return position->inlined;
        const char *name = cell ? inlined_by_cell(cell->shadow, address) : NULL;
        if (name)
            return name;
    }
    return NULL;
}

const char *es_statement_inlined(const es_statement *statement, uint32_t address)
{
    const es_condition *condition;
    const char *found = NULL;
    for (size_t k = 0; !found && (condition = es_statement_condition(statement, k)) != NULL; k++)
        found = inlined_in(statement, condition, address);
    return found;
}
