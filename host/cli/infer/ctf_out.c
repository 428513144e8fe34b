/* Inferred events as a trace in CTF of their own: beside the observed one in a viewer, never in it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cli/infer/private.h"
#include "store/ctf.h"

typedef struct pending {
    int64_t time;
    uint64_t number, rank; /* of the stretch; of the alternative */
    double probability;
    int64_t low, high;
    const char *machine, *key, *event, *from, *to;
} pending;

struct es_infer_ctf {
    es_ctf *ctf;
    es_arena *arena;
    pending *list;
    size_t count;
};

static const es_ctf_field fields[] = {{"machine", ES_CTF_STRING, NULL}, {"key", ES_CTF_STRING, NULL},
                                      {"event", ES_CTF_STRING, NULL},   {"from", ES_CTF_STRING, NULL},
                                      {"to", ES_CTF_STRING, NULL},      {"probability", ES_CTF_F64, NULL},
                                      {"low", ES_CTF_I64, NULL},        {"high", ES_CTF_I64, NULL},
                                      {"stretch", ES_CTF_U64, NULL},    {"alternative", ES_CTF_U64, NULL}};
static const es_ctf_class classes[] = {{"inferred", fields, sizeof fields / sizeof *fields}};

es_infer_ctf *es_infer_ctf_new(const char *directory, const char *trace, es_error *err)
{
    const char *env[] = {"inferred_from", trace, NULL};
    es_ctf_options options = {.clock_hz = 1000000000, .classes = classes, .class_count = 1, .env = env};
    es_ctf *ctf = es_ctf_create(directory, &options, err);
    if (!ctf)
        return NULL;
    es_infer_ctf *made = es_malloc(sizeof *made);
    *made = (es_infer_ctf){.ctf = ctf, .arena = es_arena_new()};
    return made;
}

void es_infer_ctf_add(es_infer_ctf *ctf, const es_infer_model *model, const es_infer_result *r, uint64_t number)
{
    char key[32];
    snprintf(key, sizeof key, "%" PRId64, r->key);
    const char *key_text = es_infer_is_text(r->key) ? es_infer_value_text(&model->words, r->key) : key;
    key_text = es_arena_copy(ctf->arena, key_text, strlen(key_text));
    for (uint32_t i = 0; i < r->alternative_count; i++)
        for (uint32_t k = 0; k < r->alternatives[i].count; k++) {
            const es_infer_passed *p = &r->alternatives[i].passed[k];
            const es_infer_transition *t = &r->machine->transitions[p->transition];
            if (!p->lost)
                continue;
            ctf->list = es_arena_grow(ctf->arena, ctf->list, ctf->count, sizeof *ctf->list);
            ctf->list[ctf->count++] =
                (pending){.time = p->time < 0 ? 0 : p->time,
                          .number = number,
                          .rank = i + 1,
                          .probability = r->alternatives[i].probability,
                          .low = p->low,
                          .high = p->high,
                          .machine = r->machine->name,
                          .key = key_text,
                          .event = es_infer_event_name(&model->words, r->machine->roles[t->role].event),
                          .from = r->machine->states[t->from],
                          .to = r->machine->states[t->to]};
        }
}

static int by_time(const void *left, const void *right)
{
    const pending *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->number != b->number ? (a->number < b->number ? -1 : 1) : (a->rank > b->rank) - (a->rank < b->rank);
}

bool es_infer_ctf_close(es_infer_ctf *ctf, es_error *err)
{
    if (!ctf)
        return true;
    bool good = true;
    if (ctf->count)
        qsort(ctf->list, ctf->count, sizeof *ctf->list, by_time);
    for (size_t i = 0; good && i < ctf->count; i++) {
        const pending *p = &ctf->list[i];
        es_ctf_value values[] = {{.s = p->machine}, {.s = p->key},         {.s = p->event}, {.s = p->from},
                                 {.s = p->to},      {.f = p->probability}, {.i = p->low},   {.i = p->high},
                                 {.u = p->number},  {.u = p->rank}};
        good = es_ctf_event(ctf->ctf, 0, (uint64_t)p->time, 0, values, err);
    }
    good = es_ctf_close(ctf->ctf, good ? err : NULL) && good;
    es_arena_free(ctf->arena);
    free(ctf);
    return good;
}
