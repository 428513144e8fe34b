/* Places as statements, and what else has to be heard: which thread runs, which one was made or is waited for, and
 * which object a thread asks for. Arguments are in registers, where no probe can see them; but each function of the
 * library first reads a member of what it was given. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "predict/points.h"

/* Types of objects; what is read first of them, and what has to be known of them. */
static const struct {
    const char *type;
    enum es_predict_kind kind;
    const char *read[3];
} types[] = {
    {"mutex", ES_PREDICT_LOCK, {"taken", "waiting.first"}},
    {"condition", ES_PREDICT_WAIT, {"waiting.first"}},
    {"barrier", ES_PREDICT_BARRIER, {"here", "count"}},
    {"semaphore", ES_PREDICT_ACQUIRE, {"value", "waiting.first"}},
    {"queue", ES_PREDICT_PUT, {"used", "receivers.first", "size"}},
};

enum { TYPES = sizeof types / sizeof *types, MOST = 900 };

/* --- objects ---------------------------------------------------------------------------------- */

static size_t type_named(const char *name)
{
    size_t i = 0;
    if (name && strncmp(name, "struct ", 7) == 0)
        name += 7;
    while (i < TYPES && !(name && strcmp(types[i].type, name) == 0))
        i++;
    return i;
}

static void find_in(es_predict_shareds *found, const es_type *type, uint32_t address, const char *name, unsigned depth)
{
    size_t known = type ? type_named(type->name) : TYPES;
    if (!type || depth > 8 || found->count >= MOST)
        return;
    if (type->kind == ES_TYPE_STRUCT && known < TYPES) {
        found->items = es_realloc(found->items, (found->count + 1) * sizeof *found->items);
        size_t size = strlen(name) + 1;
        char *copy = memcpy(es_malloc(size), name, size);
        found->items[found->count++] = (es_predict_shared){address, types[known].kind, copy};
        return;
    }
    es_text_buffer inner = {0};
    for (size_t i = 0; type->kind == ES_TYPE_STRUCT && i < type->member_count; i++) {
        const es_member *m = &type->members[i];
        es_text_clear(&inner);
        if (m->name)
            es_text_format(&inner, "%s.%s", name, m->name);
        else
            es_text_format(&inner, "%s", name);
        find_in(found, m->type, address + m->offset, inner.text, depth + 1);
    }
    for (uint32_t i = 0; type->kind == ES_TYPE_ARRAY && type->of && i < type->count && i < MOST; i++) {
        es_text_clear(&inner);
        es_text_format(&inner, "%s[%u]", name, (unsigned)i);
        find_in(found, type->of, address + i * type->of->size, inner.text, depth + 1);
    }
    es_text_free(&inner);
}

static int by_address(const void *a, const void *b)
{
    const es_predict_shared *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

void es_predict_shareds_find(const es_symbols *symbols, es_predict_shareds *shareds)
{
    const es_variable *const *variables;
    size_t count = es_symbols_variables(symbols, &variables);
    *shareds = (es_predict_shareds){0};
    for (size_t i = 0; i < count; i++)
        if (variables[i]->place == ES_PLACE_STATIC && !variables[i]->shadow && !variables[i]->procedure)
            find_in(shareds, variables[i]->type, variables[i]->address, variables[i]->name, 0);
    if (shareds->count)
        qsort(shareds->items, shareds->count, sizeof *shareds->items, by_address);
}

void es_predict_shareds_free(es_predict_shareds *shareds)
{
    for (size_t i = 0; i < shareds->count; i++)
        free(shareds->items[i].name);
    free(shareds->items);
    *shareds = (es_predict_shareds){0};
}

/* --- statements ------------------------------------------------------------------------------- */

static void write_object(const es_predict_shared *object, es_text_buffer *out)
{
    size_t type = 0;
    while (types[type].kind != object->kind)
        type++;
    es_text_format(out, ES_PREDICT_HIT_OBJECT "%x: when ", (unsigned)object->address);
    for (size_t i = 0; i < 3 && types[type].read[i]; i++)
        es_text_format(out, "%sread(%s.%s)", i ? " || " : "", object->name, types[type].read[i]);
    es_text_format(out, "%s", " { print }\n");
}

static void write_place(const es_predict_routes *routes, const es_predict_route *b, es_text_buffer *out)
{
    const char *file = NULL;
    unsigned line = 0;
    const es_procedure *p = es_symbols_procedure_at(routes->code->symbols, b->address);
    es_text_format(out, ES_PREDICT_HIT_AT "%x: when at(0x%x) { print }", (unsigned)b->address, (unsigned)b->address);
    if (es_symbols_line(routes->code->symbols, b->address, &file, &line) && file)
        es_text_format(out, "  # %s, %s:%u", p ? p->name : "?", es_base_name(file), line);
    else if (p)
        es_text_format(out, "  # %s", p->name);
    es_text_format(out, "%s", "\n");
}

void es_predict_points_write(const es_predict_routes *routes, const es_predict_library *library, es_text_buffer *out)
{
    es_predict_shareds shareds;
    size_t places = 0;
    for (size_t b = 0; b < routes->count; b++)
        places += routes->blocks[b].point;
    es_text_format(
        out,
        "# %zu places whose hits tell which way the program goes (of %zu blocks), who runs, and what is asked "
        "of whom.\n"
        "# earshot watch PROGRAM.elf -s THIS --json > HITS; earshot predict PROGRAM.elf HITS\n",
        places, routes->count);
    for (size_t b = 0; b < routes->count; b++)
        if (routes->blocks[b].point)
            write_place(routes, &routes->blocks[b], out);
    es_text_format(out, ES_PREDICT_HIT_RUNS "%x: when write(running) { print }\n", (unsigned)library->running);
    es_text_format(out, ES_PREDICT_HIT_READY "%x: when write(ready", (unsigned)library->ready);
    if (library->ready_count)
        es_text_format(out, "[0..%u]", (unsigned)library->ready_count - 1);
    es_text_format(out, "%s", library->ready_counts ? ") { print }\n" : ".last) { print }\n");
    if (library->priority != ES_PREDICT_NONE)
        es_text_format(out, ES_PREDICT_HIT_PRIORITY "%x: when write(threads[0..%u].priority) { print }\n",
                       (unsigned)library->threads, (unsigned)library->thread_count - 1);
    es_text_format(out, ES_PREDICT_HIT_BODY "%x: when write(threads[0..%u].body) { print }\n",
                   (unsigned)library->threads, (unsigned)library->thread_count - 1);
    if (library->functions[ES_PREDICT_JOIN])
        es_text_format(out, ES_PREDICT_HIT_JOINS "%x: when read(threads[0..%u].over) { print }\n",
                       (unsigned)library->threads, (unsigned)library->thread_count - 1);
    es_predict_shareds_find(routes->code->symbols, &shareds);
    for (size_t i = 0; i < shareds.count; i++)
        write_object(&shareds.items[i], out);
    es_predict_shareds_free(&shareds);
}
