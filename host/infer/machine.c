#include "infer/machine.h"

#include <string.h>

es_infer_model *es_infer_model_new(void)
{
    es_arena *arena = es_arena_new();
    es_infer_model *model = es_arena_alloc(arena, sizeof *model);
    model->arena = arena;
    es_infer_words_begin(&model->words);
    return model;
}

void es_infer_model_free(es_infer_model *model)
{
    if (!model)
        return;
    es_infer_words_end(&model->words);
    es_arena *arena = model->arena;
    es_arena_free(arena);
}

es_infer_machine *es_infer_machine_add(es_infer_model *model, const char *name)
{
    if (model->machine_count == ES_INFER_MACHINES_MAX)
        return NULL;
    model->machines = es_arena_grow(model->arena, model->machines, model->machine_count, sizeof *model->machines);
    es_infer_machine *machine = &model->machines[model->machine_count++];
    machine->name = es_arena_copy(model->arena, name, strlen(name));
    machine->initial = ES_INFER_NONE;
    return machine;
}

/* The place of a name in a list, to which it is added. */
static uint32_t listed(es_infer_model *model, const char ***list, uint32_t *count, uint32_t max, const char *name,
                       bool add)
{
    for (uint32_t i = 0; i < *count; i++)
        if (strcmp((*list)[i], name) == 0)
            return i;
    if (!add || *count == max)
        return ES_INFER_NONE;
    *list = es_arena_grow(model->arena, (void *)*list, *count, sizeof **list);
    (*list)[*count] = es_arena_copy(model->arena, name, strlen(name));
    return (*count)++;
}

uint32_t es_infer_state(es_infer_model *model, es_infer_machine *machine, const char *name, bool add)
{
    return listed(model, &machine->states, &machine->state_count, ES_INFER_STATES_MAX, name, add);
}

uint32_t es_infer_variable(es_infer_model *model, es_infer_machine *machine, const char *name)
{
    return listed(model, &machine->variables, &machine->variable_count, ES_INFER_VARIABLES_MAX, name, true);
}

uint32_t es_infer_role_of(es_infer_model *model, es_infer_machine *machine, uint32_t event, uint32_t key)
{
    for (uint32_t i = 0; i < machine->role_count; i++)
        if (machine->roles[i].event == event && machine->roles[i].key == key)
            return i;
    if (machine->role_count == ES_INFER_TRANSITIONS_MAX)
        return ES_INFER_NONE;
    machine->roles = es_arena_grow(model->arena, machine->roles, machine->role_count, sizeof *machine->roles);
    machine->roles[machine->role_count] = (es_infer_role){event, key, 0};
    return machine->role_count++;
}

bool es_infer_transition_add(es_infer_model *model, es_infer_machine *machine, const es_infer_transition *transition)
{
    if (machine->transition_count == ES_INFER_TRANSITIONS_MAX)
        return false;
    machine->transitions =
        es_arena_grow(model->arena, machine->transitions, machine->transition_count, sizeof *machine->transitions);
    machine->transitions[machine->transition_count++] = *transition;
    return true;
}

uint32_t es_infer_exclusive_of(const es_infer_machine *machine, uint32_t state)
{
    for (uint32_t i = 0; i < machine->exclusive_count; i++)
        if (es_infer_set_has(&machine->exclusives[i].states, state))
            return i;
    return ES_INFER_NONE;
}

static int by_role(const void *left, const void *right)
{
    const es_infer_transition *a = left, *b = right;
    if (a->role != b->role)
        return a->role < b->role ? -1 : 1;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : 0;
}

/* Sorting keeps the order of what is equal: qsort of glibc merges, but does not promise it. */
static void sort_transitions(es_infer_machine *machine, es_arena *arena)
{
    size_t count = machine->transition_count;
    es_infer_transition *to = es_arena_alloc(arena, (count + 1) * sizeof *to), *from = machine->transitions;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = start + 2 * width < count ? start + 2 * width : count;
            for (size_t i = start, a = start, b = middle; i < end; i++)
                to[i] = b == end || (a < middle && by_role(&from[a], &from[b]) <= 0) ? from[a++] : from[b++];
        }
        es_infer_transition *other = to;
        to = from;
        from = other;
    }
    machine->transitions = from;
}

static void find_reach(es_infer_machine *machine)
{
    uint32_t words = es_infer_set_words(machine->state_count);
    for (uint32_t s = 0; s < machine->state_count; s++)
        es_infer_set_add(&machine->reach[s], s);
    for (uint32_t i = 0; i < machine->transition_count; i++)
        es_infer_set_add(&machine->next[machine->transitions[i].from], machine->transitions[i].to);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < machine->transition_count; i++) {
            const es_infer_transition *t = &machine->transitions[i];
            more |= es_infer_set_join(&machine->reach[t->from], &machine->reach[t->to], words);
        }
    }
}

/* What is known of a loss whose events all have the same value of a field. */
static void find_staying(es_infer_machine *machine)
{
    machine->only_key = machine->role_count ? machine->roles[0].key : ES_INFER_NONE;
    for (uint32_t i = 1; i < machine->role_count; i++)
        if (machine->roles[i].key != machine->only_key)
            machine->only_key = ES_INFER_NONE;
    machine->staying = (es_infer_set){{0}};
    for (uint32_t i = 0; i < machine->exclusive_count; i++)
        if (machine->exclusives[i].field != ES_INFER_NONE && machine->exclusives[i].values != 1)
            (void)es_infer_set_join(&machine->staying, &machine->exclusives[i].states, ES_INFER_SET_WORDS);
    for (uint32_t i = 0; i < machine->transition_count; i++) {
        const es_infer_transition *t = &machine->transitions[i];
        if (!es_infer_set_has(&machine->staying, t->from))
            continue;
        bool told = !(machine->roles[t->role].mute >> es_infer_exclusive_of(machine, t->from) & 1);
        if (t->from == t->to ? t->update_count : !told)
            machine->staying.words[t->from / 64] &= ~(UINT64_C(1) << t->from % 64);
    }
}

static void find_mute(es_infer_machine *machine)
{
    for (uint32_t i = 0; i < machine->transition_count; i++) {
        const es_infer_transition *t = &machine->transitions[i];
        uint32_t exclusive = t->from == t->to ? es_infer_exclusive_of(machine, t->to) : ES_INFER_NONE;
        if (exclusive != ES_INFER_NONE)
            machine->roles[t->role].mute |= 1u << exclusive;
    }
}

void es_infer_machine_finish(es_infer_model *model, es_infer_machine *machine)
{
    es_arena *arena = model->arena;
    uint32_t states = machine->state_count, count = machine->transition_count;
    sort_transitions(machine, arena);
    machine->first = es_arena_alloc(arena, ((size_t)machine->role_count * states + 1) * sizeof *machine->first);
    machine->reach = es_arena_alloc(arena, (states + 1) * sizeof *machine->reach);
    machine->next = es_arena_alloc(arena, (states + 1) * sizeof *machine->next);
    machine->from = es_arena_alloc(arena, (machine->role_count + 1) * sizeof *machine->from);
    machine->into = es_arena_alloc(arena, (machine->role_count + 1) * sizeof *machine->into);
    machine->out = es_arena_alloc(arena, (count + 1) * sizeof *machine->out);
    machine->out_first = es_arena_alloc(arena, (states + 1) * sizeof *machine->out_first);
    uint32_t place = 0;
    for (uint32_t i = 0; i < count; i++) {
        const es_infer_transition *t = &machine->transitions[i];
        while (place <= t->role * states + t->from)
            machine->first[place++] = (uint16_t)i;
        es_infer_set_add(&machine->from[t->role], t->from);
        es_infer_set_add(&machine->into[t->role], t->to);
    }
    while (place <= machine->role_count * states)
        machine->first[place++] = (uint16_t)count;
    find_reach(machine);
    find_mute(machine);
    find_staying(machine);
    uint32_t filled = 0;
    machine->out_max = 0;
    for (uint32_t s = 0; s < states; s++) {
        machine->out_first[s] = (uint16_t)filled;
        for (uint32_t i = 0; i < count; i++)
            if (machine->transitions[i].from == s)
                machine->out[filled++] = (uint16_t)i;
        if (filled - machine->out_first[s] > machine->out_max)
            machine->out_max = filled - machine->out_first[s];
    }
    machine->out_first[states] = (uint16_t)filled;
}
