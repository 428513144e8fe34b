/* Which words are armed. */
#include "check/events/checker.h"

key *es_checker_key_of(const checker *c, key *table, uint32_t address)
{
    size_t i = (address >> 2) * 2654435761u >> 7 & (c->room - 1);
    while (table[i].armed && table[i].address != address)
        i = (i + 1) & (c->room - 1);
    return &table[i];
}

bool es_checker_is_same_stack(const checker *c, size_t which)
{
    return c->one_stack[which] != CHECK_NONE && c->one_stack[which] != which;
}

/* All words of a stack have the same routine, in one cell. */
static void find_stacks(checker *c)
{
    size_t count = c->image->key_count;
    c->one_stack = es_arena_alloc(c->report->arena, (count + 1) * sizeof *c->one_stack);
    c->stack_costs = es_arena_alloc(c->report->arena, (count + 1) * sizeof *c->stack_costs);
    for (size_t i = 0; i < count; i++) {
        c->one_stack[i] = CHECK_NONE;
        c->stack_costs[i][0] = c->stack_costs[i][1] = -1;
    }
    for (size_t s = 0; s < c->statements->statement_count; s++) {
        const es_stack *stack = es_statement_stack(&c->statements->statements[s]);
        size_t first = CHECK_NONE;
        for (size_t i = 0; i < count && stack; i++) {
            const es_image_key *k = &c->image->keys[i];
            if (k->fetch || k->frame || k->address - stack->low >= stack->size)
                continue;
            first = first == CHECK_NONE ? i : first;
            c->one_stack[i] = first;
        }
    }
}

void es_checker_take_keys(checker *c)
{
    find_stacks(c);
    for (c->room = 64; c->room < 4 * c->image->key_count;)
        c->room *= 2;
    c->fetches = es_arena_alloc(c->report->arena, c->room * sizeof *c->fetches);
    c->writes = es_arena_alloc(c->report->arena, c->room * sizeof *c->writes);
    c->frames = es_arena_alloc(c->report->arena, (c->image->key_count + 1) * sizeof *c->frames);
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        *es_checker_key_of(c, k->fetch ? c->fetches : c->writes, k->address) =
            (key){.address = k->address, .armed = true, .image = k};
        c->frames[i] = CHECK_NONE;
        for (size_t p = 0; p < c->program.procedure_count && k->frame && c->frames[i] == CHECK_NONE; p++)
            if (c->program.procedures[p].procedure == k->frame)
                c->frames[i] = p;
    }
    c->constants = es_check_service_reads(c->service);
    es_checker_find_slots(c);
    uint32_t address;
    bool read;
    for (size_t i = 0; es_check_service_armed(c->service, i, &address, &read); i++) {
        if (!read)
            continue;
        c->reads = es_arena_grow(c->report->arena, c->reads, c->read_count, sizeof *c->reads);
        c->reads[c->read_count++] = address;
    }
}
