/* The target's side of the model: transactions of its bus, as phantom memory and hits; the host's mail and frames. */
#include "model.h"
#include "rv32_defs.h"

static void push_hit(model *m, const model_hit *hit)
{
    uint64_t before = m->arrived = m->clocks;
    m->tracked = false;
    m->hits[m->hit_count] = *hit;
    if (m->time_bits < 32)
        m->hits[m->hit_count].time |= m->epoch << m->time_bits;
    m->hit_count++;
    if (hit->flags & ES_HIT_LOCKED)
        m->locked = true;
    if (m->locked || m->eager || m->hit_count == 4) {
        model_settle(m);
        /* what the core did meanwhile to ask for the next hit is part of that one's */
        m->hit_clocks = m->tracked ? ES_TRACK_CLOCKS : m->pop_clocks - before;
        if (m->hit_clocks > m->max_hit_clocks)
            m->max_hit_clocks = m->hit_clocks;
    }
}

void model_write(model *m, uint32_t address, uint32_t data, unsigned lanes)
{
    m->time++;
    m->last_write = address & ~3u;
    uint32_t index = (address - m->window_base) / 4;
    if (index >= MODEL_WINDOW / 4)
        return;
    uint32_t old = m->phantom[index], mask = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        if (lanes >> lane & 1)
            mask |= 0xFFu << 8 * lane;
    uint32_t new_word = (old & ~mask) | (data & mask);
    bool old_known = m->known[index];
    m->phantom[index] = new_word;
    if (lanes == 15)
        m->known[index] = 1;
    if (!m->data_plane[index])
        return;
    bool locks = m->data_plane[index] & ES_PLANE_LOCK;
    push_hit(m, &(model_hit){ES_KIND_WRITE | lanes << ES_HIT_LANES_SHIFT | (old_known ? ES_HIT_OLD_KNOWN : 0) |
                                 (locks ? ES_HIT_LOCKED : 0),
                             m->time, address & ~3u, new_word, old, m->last_pc, m->data_plane[index] == ES_PLANE_LOCK});
}

void model_read(model *m, uint32_t address, uint32_t data, unsigned lanes)
{
    m->time++;
    uint32_t index = (address - m->window_base) / 4, mask = 0;
    if (index >= MODEL_WINDOW / 4)
        return;
    for (unsigned lane = 0; lane < 4; lane++)
        if (lanes >> lane & 1)
            mask |= 0xFFu << 8 * lane;
    uint32_t old = m->phantom[index];
    bool old_known = m->known[index];
    m->phantom[index] = (old & ~mask) | (data & mask);
    if (lanes == 15)
        m->known[index] = 1;
    if (m->read_hits && m->fetch_plane[index] & 1)
        push_hit(m, &(model_hit){ES_KIND_READ | lanes << ES_HIT_LANES_SHIFT | (old_known ? ES_HIT_OLD_KNOWN : 0) |
                                     ES_HIT_LOCKED,
                                 m->time, address & ~3u, m->phantom[index], old, m->last_pc, false});
}

void model_store(model *m, uint32_t address, uint32_t value, unsigned size)
{
    model_write(m, address, value << (address & 3) * 8, ((1u << size) - 1) << (address & 3));
}

void model_fetch(model *m, uint32_t address, uint32_t insn)
{
    m->time++;
    uint32_t index = (address - m->window_base) / 4;
    uint32_t old_insn = m->last_insn, old_site = m->last_site;
    m->last_insn = insn;
    m->last_pc = address;
    m->last_site = insn & ES_RV32_LONG ? address : address - 2;
    if (index >= MODEL_WINDOW / 4)
        return;
    if (address % 4 == 0 && insn & ES_RV32_LONG) { /* of others, the word is not at hand */
        m->phantom[index] = insn;
        m->known[index] = 1;
    }
    if (m->fetch_plane[index] >> (address >> 1 & 1) & 1)
        push_hit(m, &(model_hit){ES_KIND_FETCH | 15u << ES_HIT_LANES_SHIFT | ES_HIT_LOCKED | ES_HIT_OLD_KNOWN, m->time,
                                 address, m->last_write, old_insn, old_site, false});
}

void model_mark(model *m, unsigned sort, uint32_t data, uint32_t time)
{
    m->time = time;
    if (sort == ES_MARK_EPOCH) {
        m->epoch = data;
        data = m->time_bits < 32 ? data >> (32 - m->time_bits) : data;
    } else {
        m->last_write = ES_HIT_NO_WRITE;
    }
    push_hit(m, &(model_hit){ES_KIND_MARK | sort << ES_HIT_LANES_SHIFT, time, 0, data, 0, m->last_pc, false});
}

void model_program_mark(model *m, unsigned core, uint32_t counts, uint32_t value, uint32_t pc)
{
    m->time++;
    push_hit(m, &(model_hit){ES_KIND_MARK | ES_MARK_PROGRAM << ES_HIT_LANES_SHIFT | core << ES_HIT_CORE_SHIFT |
                                 (pc ? ES_HIT_OLD_KNOWN : 0),
                             m->time, counts, value, 0, pc, false});
}

void model_know(model *m, uint32_t address, uint32_t word)
{
    m->phantom[(address - m->window_base) / 4] = word;
    m->known[(address - m->window_base) / 4] = 1;
}

void model_mail(model *m, uint32_t word)
{
    m->mail = word;
    m->mail_full = true;
    model_settle(m);
}

const model_frame *model_next(model *m)
{
    return m->frame_read < m->frame_count ? &m->frames[m->frame_read++] : NULL;
}
