#include "model_tracker.h"

#include <string.h>

#include "image.h"

enum { TOP = 18, KNOWN = 20, END = 23, NP = 24, DISTANCE = 25 }; /* registers: s2, s4, s7, s8, s9 */

static uint32_t word_at(const model *m, uint32_t address)
{
    uint32_t word;
    memcpy(&word, m->memory + address % sizeof m->memory, sizeof word);
    return word;
}

static uint32_t half_at(const model *m, uint32_t address)
{
    return word_at(m, address & ~3u) >> 8 * (address & 2) & 0xFFFF;
}

static void call(model *m, const model_hit *hit, uint32_t procedure)
{
    uint32_t np = m->x[NP], column = half_at(m, procedure + ES_MI_PROCEDURE_COLUMN);
    uint32_t entry[2] = {hit->pc, procedure | np << 16};
    memcpy(m->memory + m->x[TOP], entry, sizeof entry);
    m->x[TOP] += sizeof entry;
    if (!np)
        return;
    uint32_t move = half_at(m, np + ES_MI_NODE_ROW) + column;
    bool moves = column && half_at(m, move + ES_MI_MOVE_FROM) == np;
    m->x[NP] = half_at(m, moves ? move + ES_MI_MOVE_TO : np + ES_MI_NODE_OTHER);
}

static bool fetch(model *m, const model_hit *hit, uint32_t first, uint32_t second)
{
    bool calls = (hit->old_word & 0xDF5) == 0x0E5, returns = (hit->old_word & 0xD8FFD) == 0x8065;
    bool begins = first >= ES_IMAGE_BASE, comes_back = (second & ~1u) >= ES_IMAGE_BASE;
    if (!(second & ES_MI_PLAIN) || !(hit->flags & ES_HIT_OLD_KNOWN) || hit->old_word == 0x30200073)
        return false;
    if (calls && begins) {
        if (m->x[TOP] == m->x[END])
            return false;
        call(m, hit, first + 4);
    } else if (returns && comes_back) {
        uint32_t site = word_at(m, m->x[TOP] - 8);
        if (m->x[DISTANCE] != ES_SITE_RETURN || site + ES_SITE_RETURN != hit->address)
            return false;
        m->x[NP] = half_at(m, m->x[TOP] - 2);
        m->x[TOP] -= 8;
        if (m->x[TOP] < m->x[KNOWN])
            m->x[KNOWN] = m->x[TOP];
    } else if (!calls && !returns && begins) {
        return false;
    }
    return true;
}

/* A value that no statement is true for. */
static bool write(model *m, const model_hit *hit, uint32_t first, uint32_t second)
{
    if (!(first & ES_MI_FILTERED))
        return false;
    uint32_t code = second & ~1u, low = word_at(m, code - 4), span = word_at(m, code - 8), value = hit->new_word;
    uint32_t lanes = hit->flags >> ES_HIT_LANES_SHIFT & 15, all = 15, mask = 0xFFFFFFFF;
    bool narrow = second & ES_MI_NARROW;
    if (narrow) {
        all = low >> ES_MI_FILTER_LANES_SHIFT;
        value >>= (low & ES_MI_FILTER_UPPER ? 16 : 0) + (low & ES_MI_FILTER_ODD ? 8 : 0);
        mask = low & ES_MI_FILTER_TWO ? 0xFFFF : 0xFF;
    }
    uint64_t bit = UINT64_C(1) << (hit->address >> 2 & 15);
    if ((lanes & all) != all) {
        m->parts |= lanes & all ? bit : 0;
        return false;
    }
    return ((value - low) & mask) > span && !(m->parts & bit) && !(m->track_nodes && !m->x[NP]);
}

bool model_track(model *m, uint32_t hit_cell)
{
    const model_hit *hit = &m->hits[0];
    uint32_t kind = hit->flags & ES_HIT_KIND_MASK, cell = word_at(m, hit_cell & 0xFFFC);
    if (!m->track || kind == ES_KIND_MARK || kind == ES_KIND_READ)
        return false;
    if (kind == ES_KIND_FETCH)
        return fetch(m, hit, cell & 0xFFFF, cell >> 16);
    return !(hit_cell & ES_CELL_SPECIAL) && write(m, hit, cell & 0xFFFF, cell >> 16);
}
