/* What a walk may do where: values worth storing, and the armed words that each node's store or load may touch. */
#include "driven_inside.h"

#include <string.h>

static void add_value(driven *d, uint32_t word)
{
    d->pool = es_arena_grow(d->arena, d->pool, d->pool_count, sizeof *d->pool);
    d->pool[d->pool_count++] = word;
}

static void add_constants(driven *d, const es_expr *e)
{
    if (!e)
        return;
    if (e->kind == ES_EXPR_CONST) {
        uint32_t number = e->type == ES_VALUE_64 ? (uint32_t)e->constant.wide : e->value;
        for (uint32_t i = 0; i < 3; i++)
            add_value(d, number + i - 1);
    }
    add_constants(d, e->lhs);
    add_constants(d, e->rhs);
    add_constants(d, e->condition);
}

static void add_tree(driven *d, const es_event_tree *tree)
{
    if (!tree)
        return;
    if (tree->condition)
        add_constants(d, tree->condition->expr);
    add_tree(d, tree->first);
    add_tree(d, tree->second);
}

void driven_fill_pool(driven *d, const es_program *statements)
{
    static const uint32_t usual[] = {0, 1, 2, 3, 7, 0xFFFFFFFF, 0xFFFFFFFE, 100, 255, 1000, 0x7FFFFFFF, 0x80000000};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        add_value(d, usual[i]);
    for (size_t i = 0; i < statements->statement_count; i++) {
        add_constants(d, statements->statements[i].predicate);
        add_tree(d, statements->statements[i].event);
        if (!(statements->statements[i].features & ES_FEATURE(POINTER)))
            continue;
        es_object *objects;
        size_t count = es_symbols_objects(d->symbols, d->arena, &objects);
        for (size_t k = 0; k < count; k++)
            add_value(d, objects[k].address);
    }
}

static void add_write(driven *d, place *p, const es_image_key *k, int32_t sub)
{
    if (p->write_count % 16 == 0) {
        uint32_t *writes = es_arena_alloc(d->arena, (p->write_count + 16) * sizeof *writes);
        int32_t *subs = es_arena_alloc(d->arena, (p->write_count + 16) * sizeof *subs);
        const es_image_key **keys = es_arena_alloc(d->arena, (p->write_count + 16) * sizeof *keys);
        for (size_t i = 0; i < p->write_count; i++)
            writes[i] = p->writes[i], subs[i] = p->sub[i], keys[i] = p->keys[i];
        p->writes = writes;
        p->keys = keys;
        p->sub = subs;
    }
    p->writes[p->write_count] = k->address;
    p->keys[p->write_count] = k;
    p->sub[p->write_count++] = sub;
}

static void add_read(driven *d, place *p, uint32_t address)
{
    p->reads = es_arena_grow(d->arena, p->reads, p->read_count, sizeof *p->reads);
    p->reads[p->read_count++] = address;
}

/* Where in an armed word the node's store goes; false: not there. */
static bool aims_at(const driven *d, size_t n, const es_image_key *k, size_t frame, int32_t *sub)
{
    const es_store *store = d->program->nodes[n].store;
    *sub = -1;
    if (!es_check_aims_may(d->aims, n, frame, frame == CHECK_NONE ? k->address : (uint32_t)k->cfa_offset))
        return false;
    value v = d->aims->at[n];
    if (store->kind == ES_STORE_CONSTANT)
        *sub = (int32_t)(store->address - k->address);
    else if (store->kind == ES_STORE_FRAME)
        *sub = store->cfa_offset - k->cfa_offset;
    else if (v.kind == VALUE_NUMBER && v.low == v.high)
        *sub = (int32_t)((uint32_t)v.low - k->address);
    else if (v.kind == VALUE_STACK && v.low == v.high)
        *sub = v.low - k->cfa_offset;
    else
        return true;
    return *sub >= 0 && *sub < 4;
}

void driven_find_places(driven *d)
{
    const es_check_program *program = d->program;
    d->places = es_arena_alloc(d->arena, (program->node_count + 1) * sizeof *d->places);
    memset(d->places, 0, (program->node_count + 1) * sizeof *d->places);
    for (size_t i = 0; i < d->image->key_count; i++) {
        const es_image_key *k = &d->image->keys[i];
        size_t frame = CHECK_NONE;
        for (size_t p = 0; p < program->procedure_count && k->frame && frame == CHECK_NONE; p++)
            if (program->procedures[p].procedure == k->frame)
                frame = p;
        for (size_t n = 0; n < program->node_count; n++) {
            const es_check_node *node = &program->nodes[n];
            if (!program->procedures[node->procedure].reached || node->procedure == program->entry)
                continue;
            int32_t sub;
            if (!k->fetch && node->store && d->aims->at[n].kind != VALUE_ANY && aims_at(d, n, k, frame, &sub))
                add_write(d, &d->places[n], k, sub);
            /* reads are hits by the bit of a word's first instruction */
            if (k->fetch && k->address % 4 == 0 && node->load && es_check_service_reads(d->service) &&
                es_check_aims_may_load(d->aims, n, k->address))
                add_read(d, &d->places[n], k->address);
        }
    }
    uint32_t address;
    bool read;
    for (size_t i = 0; es_check_service_armed(d->service, i, &address, &read); i++)
        for (size_t n = 0; n < program->node_count && read; n++)
            if (program->nodes[n].load && program->nodes[n].procedure != program->entry &&
                es_check_aims_may_load(d->aims, n, address))
                add_read(d, &d->places[n], address);
}
