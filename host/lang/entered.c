/* enter(f) and leave(f) where the compiler has inlined f, in whole or but for a rest ("f.part.0"). */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lang/parser.h"
#include "symbols/copies.h"
#include "symbols/shadows.h"

#define LISTED_MAX 6 /* places in a message */
#define WARN(parser, ...) es_parser_warn(parser, es_arena_format((parser)->arena, __VA_ARGS__))

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

size_t es_find_copies(const es_parser *parser, const char *file, const char *name, const es_inlined_copy **copies,
                      bool *alone)
{
    const es_procedure *own[ES_PROCEDURES_MAX];
    size_t own_count = es_symbols_procedures_named(parser->symbols, file, name, own, ES_PROCEDURES_MAX);
    size_t count = es_symbols_copies(parser->symbols, file, name, copies, ES_COPIES_MAX), kept = 0;
    *alone = true;
    for (size_t i = 0; i < own_count && i < ES_PROCEDURES_MAX; i++) {
        *alone &= es_symbols_is_part(own[i]);
        if (!es_symbols_same_source(parser->symbols, own[0], own[i]))
            return 0;
    }
    for (size_t i = 0; i < count && i < ES_COPIES_MAX; i++) {
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
    const es_inlined_copy *found[ES_COPIES_MAX], **copies;
    bool alone;
    *count = es_find_copies(parser, file, name, found, &alone);
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
    const es_inlined_copy *copies[ES_COPIES_MAX];
    const es_procedure *own;
    bool alone, replay = es_symbols_uses_shadows(parser->symbols);
    size_t count = es_find_copies(parser, file, name, copies, &alone);
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
        replay
            ? "of '%s' there are inlined copies only, in %s, and the debug information does not say where they begin; "
              "give %s the attribute noinline"
            : "'%s' is nowhere left: instructions of inlined copies stand among their callers', in %s, and none of "
              "them is the last; give %s the attribute noinline",
        name, list_copies(parser, copies, count, ALL), name);
    return true;
}

/* The inlined copies of one procedure. */
static size_t copies_of(const es_parser *parser, const es_procedure *procedure, const es_inlined_copy **copies)
{
    size_t kept = 0, count = 0;
    if (procedure->name)
        count = es_symbols_copies(parser->symbols, NULL, procedure->name, copies, ES_COPIES_MAX);
    for (size_t i = 0; i < count && i < ES_COPIES_MAX; i++)
        if (procedure->line == copies[i]->declared_line && same_text(procedure->file, copies[i]->file))
            copies[kept++] = copies[i];
    return kept;
}

bool es_has_copies(const es_parser *parser, const es_procedure *procedure)
{
    const es_inlined_copy *copies[ES_COPIES_MAX];
    return copies_of(parser, procedure, copies);
}

void es_warn_of_copies(es_parser *parser, const es_procedure *procedure, const char *what)
{
    const es_inlined_copy *copies[ES_COPIES_MAX];
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
