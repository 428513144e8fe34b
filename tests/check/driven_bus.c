/* What a walk does on the target's bus: fetches, stores and loads, with what the firmware takes for them. */
#include "driven_inside.h"

/* The soft core stands in its loop, as if it had just removed another hit. */
static void prepare(driven *d)
{
    d->m->pc = d->loop;
    d->m->hit_clocks = 0;
    d->m->room = 100000;
    d->m->frame_count = 0;
}

/* How many hundredths of what was seen are said; 0: nothing is. */
uint32_t driven_excess(const driven *d, uint8_t kind, bool part, uint32_t address)
{
    uint32_t said = 0, seen = 1;
    for (size_t i = 0; i < d->said_count && !said; i++)
        if (d->said[i].kind == kind && d->said[i].address == address && d->said[i].part == part)
            said = d->said[i].clocks;
    for (size_t i = 0; i < d->hit_count && said; i++)
        if (d->hits[i].kind == kind && d->hits[i].address == address && d->hits[i].part == part)
            seen = d->hits[i].clocks;
    return said > 100000 ? 100000 : 100 * said / seen;
}

void driven_note(driven *d, uint8_t kind, bool part, uint32_t address)
{
    uint32_t clocks = (uint32_t)d->m->hit_clocks;
    size_t i = 0;
    if (!clocks || d->most > d->nest)
        return;
    while (i < d->hit_count && (d->hits[i].kind != kind || d->hits[i].address != address || d->hits[i].part != part))
        i++;
    if (i == d->hit_count && i < DRIVEN_HITS)
        d->hits[d->hit_count++] = (driven_hit){.kind = kind, .address = address, .part = part};
    if (i < d->hit_count && clocks > d->hits[i].clocks)
        d->hits[i].clocks = clocks;
}

/* What the host may ask for at any time: mostly the path, which is then as if no hit had come so far. */
static void ask(driven *d)
{
    if (!d->depth || !driven_chance(d, 30))
        return;
    prepare(d);
    d->m->longest_pass = 0;
    model_mail(d->m, driven_chance(d, 90) ? ES_MAIL_RESYNC : driven_chance(d, 50) ? ES_MAIL_PING : ES_MAIL_FLUSH);
    if (d->m->longest_pass > d->pass && d->most <= d->nest)
        d->pass = (uint32_t)d->m->longest_pass;
}

/* Before a transaction: some time goes by, with a mark at each wrap of its low bits. */
void driven_pass_time(driven *d)
{
    model *m = d->m;
    uint32_t now = m->time;
    if (driven_chance(d, d->depth >= d->nest && driven_excess(d, ES_KIND_MARK, false, 0) > LOOSE ? 30 : 1))
        now += 1u << driven_below(d, 21);
    if (driven_chance(d, 5))
        now += driven_below(d, 40);
    for (; now >= 0xFFFF; now -= 0xFFFF) {
        ask(d);
        prepare(d);
        model_mark(m, ES_MARK_EPOCH, m->epoch + 1, 0);
        driven_note(d, ES_KIND_MARK, false, 0);
    }
    m->time = now;
    prepare(d);
}

void driven_fetch(driven *d, const es_check_node *node)
{
    if (driven_armed(d, node->address))
        ask(d);
    driven_pass_time(d);
    model_fetch(d->m, node->address, node->word);
    driven_note(d, ES_KIND_FETCH, false, node->address);
}

/* The followed pointer whose variable an armed word holds; NULL: none. */
static const es_image_pointer *pointer_at(const driven *d, const es_image_key *k)
{
    for (size_t i = 0; i < d->image->pointer_count; i++) {
        const es_image_pointer *pointer = &d->image->pointers[i];
        if (!pointer->base && !pointer->element && pointer->frame == k->frame &&
            pointer->address == (k->frame ? (uint32_t)k->cfa_offset : k->address))
            return pointer;
    }
    return NULL;
}

/* NULL, or an object of its type in one of the regions where it may lead to. */
static uint32_t some_pointer(driven *d, const es_image_pointer *pointer)
{
    const es_check_pointed *to = &d->pointed[pointer - d->image->pointers];
    const regions *r = &d->aims->regions;
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++)
        count += es_regions_has(r, to->set, i);
    size_t chosen = driven_below(d, count + 1);
    for (size_t i = 0; i < r->count; i++)
        if (es_regions_has(r, to->set, i) && chosen-- == 0) {
            uint32_t size = pointer->size ? pointer->size : 1, bytes = r->items[i].last - r->items[i].low + 1;
            return r->items[i].object ? r->items[i].low + size * driven_below(d, bytes / size ? bytes / size : 1) : 0;
        }
    return 0;
}

void driven_store(driven *d, const es_check_node *node, const place *p)
{
    unsigned bytes = es_check_aims_bytes(node->insn);
    if (node->insn.kind != ES_INSN_STORE || node->insn.foreign || (bytes != 1 && bytes != 2 && bytes != 4))
        return;
    size_t i = 0;
    for (int tries = 0; tries < 8; tries++) { /* words of frames that are not active are not armed */
        i = driven_below(d, p->write_count);
        if (d->m->data_plane[p->writes[i] / 4 % (MODEL_WINDOW / 4)])
            break;
    }
    uint32_t address = p->writes[i] + (p->sub[i] >= 0 ? (uint32_t)p->sub[i] : driven_below(d, 4) & ~(bytes - 1));
    if (address % bytes)
        return;
    uint32_t data = d->pool[driven_below(d, d->pool_count)];
    if (driven_chance(d, 20))
        data = driven_next_random(d) >> driven_below(d, 32);
    if (driven_chance(d, 25))
        data = d->m->phantom[(p->writes[driven_below(d, p->write_count)] / 4) % (MODEL_WINDOW / 4)] +
               driven_below(d, 3) - 1;
    const value *range = &d->aims->stored[node - d->program->nodes];
    if (range->kind == VALUE_NUMBER) { /* what else is never stored there */
        uint32_t span = (uint32_t)range->high - (uint32_t)range->low;
        if (data - (uint32_t)range->low > span)
            data = (uint32_t)range->low + (span + 1 ? data % (span + 1) : 0);
    }
    const es_image_pointer *pointer = pointer_at(d, p->keys[i]);
    if (pointer && !d->pointed[pointer - d->image->pointers].anywhere) {
        if (bytes != 4)
            return;
        data = some_pointer(d, pointer);
    }
    ask(d);
    driven_pass_time(d);
    model_store(d->m, address, bytes == 4 ? data : data & ((1u << 8 * bytes) - 1), bytes);
    driven_note(d, ES_KIND_WRITE, bytes != 4, address & ~3u);
}

void driven_load(driven *d, const es_check_node *node, const place *p)
{
    unsigned bytes = es_check_aims_bytes(node->insn);
    uint32_t at = p->reads[driven_below(d, p->read_count)];
    if (node->insn.kind != ES_INSN_LOAD || node->insn.foreign || (bytes != 1 && bytes != 2 && bytes != 4))
        return;
    ask(d);
    driven_pass_time(d);
    unsigned first = driven_below(d, 4) & ~(bytes - 1);
    model_read(d->m, at, d->m->phantom[at / 4 % (MODEL_WINDOW / 4)], ((1u << bytes) - 1) << first);
    driven_note(d, ES_KIND_READ, false, at);
}
