/* Looking procedures and variables up by the names that people write. */
#include <string.h>

#include "base/cxx_name.h"
#include "symbols/internal.h"

/* A name as it was written: without parameters, and these; both in normal form. */
typedef struct wanted {
    es_text_buffer name, parameters;
} wanted;

static wanted split(const char *text)
{
    wanted w = {0};
    size_t length = es_cxx_scoped(text);
    if (!length)
        length = strlen(text);
    es_cxx_normal(&w.name, text, length);
    es_cxx_normal(&w.parameters, text + length, strlen(text + length));
    return w;
}

static void free_wanted(wanted *w)
{
    es_text_free(&w->name);
    es_text_free(&w->parameters);
}

static bool in_file(const symbols_procedure *procedure, const char *file)
{
    const char *has = procedure->public.file, *unit = procedure->unit;
    return !file || (has && es_file_matches(has, file)) || (unit && es_file_matches(unit, file));
}

static const char *name_of(const void *item)
{
    return ((const symbols_name *)item)->name;
}

/* Whether a name that the linker has, or C, is the procedure's: an alias. */
static bool is_called(const es_symbols *symbols, const symbols_procedure *procedure, const char *name)
{
    size_t at = SYMBOLS_FIRST_NAMED(&symbols->names, name_of, name);
    for (; at < symbols->names.count && strcmp(symbols->names.items[at].name, name) == 0; at++)
        if (symbols->names.items[at].procedure == procedure)
            return true;
    return false;
}

/* How well the name fits. A C++ procedure is not called by its last component, though debug information has that. */
static enum es_cxx_match fits(const es_symbols *symbols, const symbols_procedure *procedure, const char *name,
                              const wanted *w)
{
    bool cxx = *procedure->parameters != 0;
    if (strcmp(procedure->public.name, name) == 0)
        return ES_CXX_WHOLE;
    if ((!cxx || strncmp(name, "_Z", 2) == 0) && is_called(symbols, procedure, name))
        return ES_CXX_WHOLE;
    if (w->parameters.length && !es_cxx_same_parameters(w->parameters.text, procedure->normal_parameters))
        return ES_CXX_NOT;
    return es_cxx_means(w->name.text, procedure->normal);
}

/* Whether a procedure is made of a template that has the other one's name. */
static bool is_instance_of(const es_procedure *made, const es_procedure *plain)
{
    const char *name = ((const symbols_procedure *)plain)->normal;
    size_t length = strlen(name);
    const char *has = ((const symbols_procedure *)made)->normal;
    return made != plain && strncmp(has, name, length) == 0 && has[length] == '<';
}

/* A procedure that is made of no template comes before those of one with its name, which have arguments to be told
 * by. */
static size_t prefer_plain(const es_procedure **found, size_t count)
{
    for (size_t plain = 0; plain < count; plain++) {
        size_t instances = 0;
        for (size_t i = 0; i < count; i++)
            instances += is_instance_of(found[i], found[plain]);
        if (instances && instances == count - 1) {
            found[0] = found[plain];
            return 1;
        }
    }
    return count;
}

size_t es_symbols_procedures_named(const es_symbols *symbols, const char *file, const char *name,
                                   const es_procedure **found, size_t max)
{
    wanted w = split(name);
    size_t count = 0;
    unsigned best = 0; /* how well the best one fits; the program's own before libraries' */
    for (size_t i = 0; i < symbols->procedures.count; i++) {
        const symbols_procedure *procedure = (const symbols_procedure *)symbols->procedures.items[i];
        enum es_cxx_match match = in_file(procedure, file) ? fits(symbols, procedure, name, &w) : ES_CXX_NOT;
        if (match == ES_CXX_NOT)
            continue;
        unsigned score = (unsigned)match * 2 + !es_symbols_code_in_library(symbols, procedure->public.low);
        if (score > best) {
            best = score;
            count = 0;
        }
        if (score == best && count++ < max)
            found[count - 1] = &procedure->public;
    }
    free_wanted(&w);
    return count <= max ? prefer_plain(found, count) : count;
}

const es_procedure *es_symbols_procedure_named(const es_symbols *symbols, const char *name)
{
    /* of several, the one that the linker knows by the name: the others are clones or of one file only */
    size_t at = SYMBOLS_FIRST_NAMED(&symbols->names, name_of, name);
    if (at < symbols->names.count && !*symbols->names.items[at].procedure->parameters)
        return &symbols->names.items[at].procedure->public;
    const es_procedure *found[1] = {NULL};
    return es_symbols_procedures_named(symbols, NULL, name, found, 1) ? found[0] : NULL;
}

/* --- spelling ------------------------------------------------------------------------------------- */

/* Whether the normal form of a text is a row of components of the name, with its parameters at the end if it has
 * any. */
static bool has_part(const char *name, const char *part, const char *parameters, const wanted *w)
{
    size_t length = strlen(part);
    for (const char *at = name; *at;) {
        bool ends = strncmp(at, part, length) == 0 && (at[length] == 0 || strncmp(at + length, "::", 2) == 0);
        if (ends &&
            (!w->parameters.length || (at[length] == 0 && es_cxx_same_parameters(w->parameters.text, parameters))))
            return true;
        size_t component = es_cxx_component(at);
        if (!component || strncmp(at + component, "::", 2) != 0)
            return w->parameters.length && es_cxx_means(part, name) != ES_CXX_NOT &&
                   es_cxx_same_parameters(w->parameters.text, parameters);
        at += component + 2;
    }
    return false;
}

bool es_symbols_spells(const es_symbols *symbols, const char *text, size_t length)
{
    es_text_buffer written = {0};
    es_text_add(&written, text, length);
    wanted w = split(written.text);
    es_text_free(&written);
    bool spelt = false;
    for (size_t i = 0; i < symbols->procedures.count && !spelt && w.name.length; i++) {
        const symbols_procedure *procedure = (const symbols_procedure *)symbols->procedures.items[i];
        spelt = *procedure->parameters && has_part(procedure->normal, w.name.text, procedure->normal_parameters, &w);
    }
    for (size_t i = 0; i < symbols->variables.count && !spelt && w.name.length; i++)
        spelt =
            symbols->variables.items[i]->normal && has_part(symbols->variables.items[i]->normal, w.name.text, "", &w);
    free_wanted(&w);
    return spelt;
}

enum es_structor es_symbols_structor(const es_symbols *symbols, const es_procedure *procedure)
{
    const symbols_procedure *own = (const symbols_procedure *)procedure;
    (void)symbols;
    if (!*own->parameters || strchr(own->linkage, '.')) /* a clone */
        return ES_STRUCTOR_NONE;
    const char *last = es_cxx_last(own->normal);
    if (last[0] == '~')
        return strstr(own->linkage, "D0E") ? ES_STRUCTOR_DELETING : ES_STRUCTOR_BODY;
    /* X::X, of templates X<int>::X */
    size_t length = strcspn(last, "<"), before = (size_t)(last - own->normal);
    for (const char *at = own->normal; before > 2 && at < last;) {
        size_t component = es_cxx_component(at);
        if (at + component + 2 == last)
            return strncmp(at, last, length) == 0 && (at[length] == '<' || at[length] == ':') ? ES_STRUCTOR_BODY
                                                                                              : ES_STRUCTOR_NONE;
        if (!component)
            break;
        at += component + 2;
    }
    return ES_STRUCTOR_NONE;
}

const char *es_symbols_unit(const es_symbols *symbols, const es_procedure *procedure)
{
    (void)symbols;
    return ((const symbols_procedure *)procedure)->unit;
}

bool es_symbols_same_source(const es_symbols *symbols, const es_procedure *a, const es_procedure *b)
{
    const symbols_procedure *x = (const symbols_procedure *)a, *y = (const symbols_procedure *)b;
    (void)symbols;
    if (!x->normal || !y->normal) /* inlined copies alone */
        return false;
    return a->file && b->file && a->line == b->line && strcmp(a->file, b->file) == 0 &&
           (strcmp(x->normal, y->normal) == 0 || !*x->parameters || !*y->parameters) &&
           strcmp(x->normal_parameters, y->normal_parameters) == 0;
}

const char *es_symbols_linkage(const es_symbols *symbols, const es_procedure *procedure)
{
    (void)symbols;
    return ((const symbols_procedure *)procedure)->linkage;
}

const char *es_symbols_scoped(const es_symbols *symbols, const es_variable *variable)
{
    (void)symbols;
    return ((const symbols_variable *)variable)->normal;
}

/* --- variables ------------------------------------------------------------------------------------ */

static const char *variable_name(const void *item)
{
    return (*(symbols_variable *const *)item)->public.name;
}

/* Whether a variable that is called so in its own scope is what a name with scopes means. */
static bool is_meant(const symbols_variable *variable, const char *scoped)
{
    const char *name = variable->normal ? variable->normal : variable->public.name;
    return !variable->public.procedure && es_cxx_means(scoped, name) != ES_CXX_NOT;
}

size_t es_symbols_find(const es_symbols *symbols, const es_procedure *procedure, const char *name,
                       const es_variable **found, size_t max)
{
    es_text_buffer scoped = {0};
    const char *last = name;
    if (!procedure && strstr(name, "::")) {
        es_cxx_normal(&scoped, name, strlen(name));
        last = es_cxx_last(scoped.text);
    }
    size_t count = 0, first = SYMBOLS_FIRST_NAMED(&symbols->variables, variable_name, last), end = first;
    bool own = false, outside = false;
    for (; end < symbols->variables.count && strcmp(symbols->variables.items[end]->public.name, last) == 0; end++) {
        own |= !symbols->variables.items[end]->library;
        outside |= !symbols->variables.items[end]->normal && !symbols->variables.items[end]->public.procedure;
    }
    for (size_t i = first; i < end; i++) {
        const symbols_variable *at = symbols->variables.items[i];
        bool hidden = at->library && (own || at->public.procedure);
        hidden |= scoped.length ? !is_meant(at, scoped.text) : at->normal && outside;
        if (procedure ? at->public.procedure != procedure : hidden)
            continue;
        if (count < max)
            found[count] = &at->public;
        count++;
    }
    es_text_free(&scoped);
    return count;
}
