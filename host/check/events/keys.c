/* Which words are armed. */
#include "check/events/checker.h"

key *es_checker_key_of(const checker *c, key *table, uint32_t address)
{
    size_t i = (address >> 2) * 2654435761u >> 7 & (c->room - 1);
    while (table[i].armed && table[i].address != address)
        i = (i + 1) & (c->room - 1);
    return &table[i];
}

void es_checker_take_keys(checker *c)
{
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
