#include "why/variable.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "why/names.h"

#define LISTED_MAX 8 /* that a message lists */

typedef struct candidates {
    const es_variable **items;
    size_t count;
} candidates;

static bool is_static(const es_variable *variable)
{
    return variable->place == ES_PLACE_STATIC && !variable->shadow;
}

/* Procedures that a qualifier means: f, or file.c\f. Returns how many, at most max. */
static size_t procedures_of(const es_symbols *symbols, const char *qualifier, const es_procedure **found, size_t max)
{
    const char *bar = strchr(qualifier, '\\');
    es_text_buffer file = {0};
    if (bar)
        es_text_add(&file, qualifier, (size_t)(bar - qualifier));
    size_t count = es_symbols_procedures_named(symbols, file.text, bar ? bar + 1 : qualifier, found, max);
    es_text_free(&file);
    return count < max ? count : max;
}

/* Whether the qualifier is the procedure, or one that was inlined everywhere, that has the variable. */
static bool is_of_procedure(const es_symbols *symbols, const char *qualifier, const es_variable *variable)
{
    const es_procedure *found[64];
    size_t count = procedures_of(symbols, qualifier, found, 64);
    for (size_t i = 0; i < count; i++)
        if (found[i] == variable->procedure)
            return true;
    return variable->procedure && strcmp(variable->procedure->name, qualifier) == 0;
}

static bool is_meant(const es_symbols *symbols, const char *qualifier, const es_variable *variable)
{
    if (!qualifier)
        return true;
    if (variable->procedure)
        return is_of_procedure(symbols, qualifier, variable);
    return variable->file && es_file_matches(variable->file, qualifier);
}

/* A declaration may be there several times. */
static bool is_known(const candidates *c, const es_variable *variable)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i] == variable ||
            (is_static(variable) && is_static(c->items[i]) && c->items[i]->address == variable->address))
            return true;
    return false;
}

static candidates find_all(const es_symbols *symbols, const char *qualifier, const char *name)
{
    const es_variable *none[1];
    size_t count = es_symbols_find(symbols, NULL, name, none, 0);
    candidates c = {es_malloc((count + 1) * sizeof *c.items), 0};
    const es_variable **found = es_malloc((count + 1) * sizeof *found);
    es_symbols_find(symbols, NULL, name, found, count);
    for (size_t i = 0; i < count; i++)
        if (is_meant(symbols, qualifier, found[i]) && !is_known(&c, found[i]))
            c.items[c.count++] = found[i];
    free(found);
    return c;
}

/* Keeps those of which `keeps` is true; false, and all of them: there is none. */
static bool keep(candidates *c, bool (*keeps)(const es_variable *variable, const void *context), const void *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++)
        kept += keeps(c->items[i], context);
    if (!kept)
        return false;
    for (size_t i = 0, at = 0; i < c->count; i++)
        if (keeps(c->items[i], context))
            c->items[at++] = c->items[i];
    c->count = kept;
    return true;
}

static bool is_of_file_scope(const es_variable *variable, const void *context)
{
    (void)context;
    return is_static(variable) && !variable->procedure;
}

static bool is_of_file(const es_variable *variable, const void *file)
{
    return file && variable->file && strcmp(variable->file, file) == 0;
}

static bool has_address(const es_variable *variable, const void *context)
{
    (void)context;
    return is_static(variable);
}

/* The local of the innermost scope that has the instruction; of two that have the same, the later declaration. What is
 * static in a procedure counts as of all of it. */
static const es_variable *innermost(const es_symbols *symbols, const candidates *c, uint32_t pc, const es_value **value)
{
    const es_variable *found = NULL;
    uint32_t least = 0;
    for (size_t i = 0; i < c->count; i++) {
        const es_variable *variable = c->items[i];
        const es_procedure *procedure = variable->procedure;
        uint32_t scope = 0;
        const es_value *here = NULL;
        if (!procedure)
            continue;
        if (!is_static(variable))
            here = es_why_found(symbols, variable, pc, &scope);
        else if (pc >= procedure->low && pc < procedure->high)
            scope = procedure->high - procedure->low;
        if (!scope || (least && (scope > least || (scope == least && variable->line < found->line))))
            continue;
        least = scope;
        found = variable;
        *value = here;
    }
    return found;
}

static void add_way(es_text_buffer *out, const es_symbols *symbols, const es_variable *variable, bool with_file)
{
    const es_procedure *procedure = variable->procedure;
    const char *linkage = procedure ? es_symbols_linkage(symbols, procedure) : NULL;
    const char *scoped = procedure ? NULL : es_symbols_scoped(symbols, variable);
    if (variable->file && !linkage && !scoped && (with_file || !procedure))
        es_text_format(out, "%s\\", es_base_name(variable->file));
    if (procedure)
        es_text_format(out, "%s\\", linkage ? linkage : procedure->name);
    es_text_format(out, "%s", scoped ? scoped : variable->name);
    if (variable->file)
        es_text_format(out, " (%s:%u)", variable->file, variable->line);
}

/* Whether another one is in a procedure of the same name. */
static bool needs_file(const candidates *c, const es_variable *variable)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i] != variable && c->items[i]->procedure && variable->procedure &&
            strcmp(c->items[i]->procedure->name, variable->procedure->name) == 0)
            return true;
    return false;
}

static void refuse_several(const es_symbols *symbols, const candidates *c, const char *name, es_error *err)
{
    es_text_buffer list = {0};
    for (size_t i = 0; i < c->count && i < LISTED_MAX; i++) {
        es_text_format(&list, "%s", i == 0 ? "" : i + 1 == c->count ? " or " : ", ");
        add_way(&list, symbols, c->items[i], needs_file(c, c->items[i]));
    }
    es_fail(err, ES_USAGE, "'%s' is ambiguous: %zu variables have this name: write %s%s", name, c->count, list.text,
            c->count > LISTED_MAX ? ", ..." : "");
    es_text_free(&list);
}

static bool is_file(const es_symbols *symbols, const char *name)
{
    const es_variable *const *variables;
    size_t count = es_symbols_variables(symbols, &variables);
    for (size_t i = 0; i < count; i++)
        if (variables[i]->file && es_file_matches(variables[i]->file, name))
            return true;
    return false;
}

static void refuse_unknown(const es_symbols *symbols, const char *qualifier, const char *name, es_error *err)
{
    const es_procedure *found[1];
    if (!qualifier)
        es_fail(err, ES_USAGE, "there is no variable '%s', and no register", name);
    else if (procedures_of(symbols, qualifier, found, 1))
        es_fail(err, ES_USAGE, "procedure '%s' has no variable '%s'", qualifier, name);
    else if (is_file(symbols, qualifier))
        es_fail(err, ES_USAGE, "file '%s' has no file-scope variable '%s'", qualifier, name);
    else
        es_fail(err, ES_USAGE, "'%s' is neither a procedure nor a file with variables", qualifier);
}

const es_variable *es_why_variable(const es_symbols *symbols, uint32_t pc, const char *qualifier, const char *name,
                                   const es_value **value, es_error *err)
{
    const es_procedure *procedure = es_symbols_procedure_at(symbols, pc);
    const char *unit = procedure ? es_symbols_unit(symbols, procedure) : NULL;
    candidates c = find_all(symbols, qualifier, name);
    *value = NULL;
    const es_variable *found = innermost(symbols, &c, pc, value);
    bool here = found;
    if (!here && keep(&c, has_address, NULL)) {
        if (keep(&c, is_of_file_scope, NULL) && c.count > 1)
            keep(&c, is_of_file, unit);
        found = c.items[0];
        if (c.count > 1) {
            refuse_several(symbols, &c, name, err);
            found = NULL;
        }
    } else if (!c.count) {
        refuse_unknown(symbols, qualifier, name, err);
    } else if (!here || (!is_static(found) && !*value)) {
        es_fail(err, ES_USAGE,
                "%s cannot be seen at that moment, in %s: it is of another procedure or block, or was optimised away "
                "there",
                name, procedure ? procedure->name : "code without a name");
        found = NULL;
    }
    free(c.items);
    return found;
}
