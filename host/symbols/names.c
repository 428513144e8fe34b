/* What procedures and variables are called: C++'s names, made of those for the linker, and one name for each procedure
 * that statements and call paths can tell from all others. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cxx_name.h"
#include "symbols/internal.h"

static const char *copy(es_symbols *symbols, const es_text_buffer *text)
{
    return es_arena_copy(symbols->arena, text->text ? text->text : "", text->length);
}

static const char *normal_of(es_symbols *symbols, const char *text)
{
    es_text_buffer out = {0};
    es_cxx_normal(&out, text, strlen(text));
    const char *normal = copy(symbols, &out);
    es_text_free(&out);
    return normal;
}

/* --- spelling ------------------------------------------------------------------------------------- */

static void spell(es_symbols *symbols, symbols_procedure *procedure)
{
    es_text_buffer name = {0}, parameters = {0};
    procedure->scoped = procedure->normal = procedure->public.name;
    procedure->parameters = procedure->normal_parameters = "";
    if (procedure->linkage && es_symbols_demangle(procedure->linkage, &name, &parameters)) {
        procedure->scoped = copy(symbols, &name);
        procedure->parameters = copy(symbols, &parameters);
        procedure->normal = normal_of(symbols, procedure->scoped);
        procedure->normal_parameters = normal_of(symbols, procedure->parameters);
    }
    es_text_free(&name);
    es_text_free(&parameters);
}

const char *es_symbols_scoped_name(es_symbols *symbols, Dwarf_Die *die)
{
    Dwarf_Die origin = es_symbols_die_origin(die);
    Dwarf_Attribute attribute;
    const char *linkage = dwarf_attr(die, DW_AT_linkage_name, &attribute) ? dwarf_formstring(&attribute) : NULL;
    if (!linkage)
        linkage = dwarf_attr(&origin, DW_AT_linkage_name, &attribute) ? dwarf_formstring(&attribute) : NULL;
    es_text_buffer name = {0}, parameters = {0};
    const char *scoped = NULL;
    if (linkage && es_symbols_demangle(linkage, &name, &parameters) && es_cxx_last(name.text) != name.text)
        scoped = normal_of(symbols, name.text);
    es_text_free(&name);
    es_text_free(&parameters);
    return scoped;
}

/* --- telling apart -------------------------------------------------------------------------------- */

static int by_normal(const void *a, const void *b)
{
    const symbols_procedure *x = *(symbols_procedure *const *)a, *y = *(symbols_procedure *const *)b;
    int order = strcmp(x->normal, y->normal);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_declaration(const symbols_procedure *a, const symbols_procedure *b)
{
    return a->public.line == b->public.line && same_text(a->public.file, b->public.file);
}

/* The end of a file's path that is enough to tell it from another one. */
static const char *tail(const char *file, const char *other)
{
    const char *start = es_base_name(file);
    while (start > file && es_file_matches(other, start))
        for (start--; start > file && start[-1] != '/'; start--)
            ;
    return start;
}

/* Puts the file before the name where another procedure of the same name is of another file. */
static void name_by_file(es_symbols *symbols, symbols_procedure *one, symbols_procedure *const *same, size_t count)
{
    const char *start = NULL;
    for (size_t i = 0; i < count; i++) {
        bool header = same_declaration(same[i], one); /* a header's, which several files include */
        const char *file = header ? one->unit : one->public.file,
                   *other = header ? same[i]->unit : same[i]->public.file;
        if (same[i] == one || strcmp(same[i]->normal_parameters, one->normal_parameters) != 0 || !file ||
            same_text(file, other))
            continue;
        const char *enough = tail(file, other ? other : "");
        if (!start || strlen(enough) > strlen(start))
            start = enough;
    }
    if (start)
        one->public.name = es_arena_format(symbols->arena, es_is_plain_file(start) ? "%s\\%s" : "\"%s\"\\%s",
                                           es_symbols_clean(symbols, start), one->public.name);
}

static bool is_own(const es_symbols *symbols, const symbols_procedure *procedure)
{
    return !es_symbols_code_in_library(symbols, procedure->public.low);
}

/* Procedures of one name: their parameters and files tell them apart. The only one of the program itself needs none of
 * that beside those of libraries. */
static void tell_apart(es_symbols *symbols, symbols_procedure *const *same, size_t count)
{
    bool overloaded = false;
    size_t own = 0;
    for (size_t i = 0; i < count; i++) {
        overloaded |= strcmp(same[i]->normal_parameters, same[0]->normal_parameters) != 0;
        own += is_own(symbols, same[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (count == 1 || (own == 1 && is_own(symbols, same[i])))
            continue;
        if (overloaded)
            same[i]->public.name = es_arena_format(symbols->arena, "%s%s", same[i]->scoped, same[i]->parameters);
        name_by_file(symbols, same[i], same, count);
    }
}

void es_symbols_name_procedures(es_symbols *symbols)
{
    size_t count = symbols->procedures.count;
    for (size_t i = 0; i < symbols->names.count; i++) { /* sorted: C1, of complete objects, is before C2 */
        const symbols_name *name = &symbols->names.items[i];
        if (!name->procedure->linkage && strncmp(name->name, "_Z", 2) == 0)
            name->procedure->linkage = name->name;
    }
    symbols_procedure **all = es_arena_alloc(symbols->arena, (count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        all[i] = (symbols_procedure *)symbols->procedures.items[i];
        spell(symbols, all[i]);
        if (*all[i]->parameters)
            all[i]->public.name = all[i]->scoped;
    }
    if (count > 1)
        qsort(all, count, sizeof *all, by_normal);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && strcmp(all[next]->normal, all[i]->normal) == 0; next++)
            ;
        tell_apart(symbols, all + i, next - i);
    }
}
