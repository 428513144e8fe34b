#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "probe_defs.h"

struct transaction {
    uint64_t time;
    uint32_t addr, data; /* byte address; of a fetch with its bit 1 */
    uint32_t all;        /* data of all lanes */
    uint8_t lanes, kind, core;
    bool missed;
};

struct model {
    struct model_config config;
    size_t words;
    uint32_t *phantom;
    bool *known, *data_plane, *lock_plane, *fetch_plane, *upper_plane;
    uint32_t memory[ES_MEM_SIZE / 4];
    uint16_t rows[2][ES_ROWS]; /* of data, of fetches */
    bool locked, read_hits;
    uint32_t part_word; /* the one word not known whose lanes are counted */
    uint8_t part_lanes;
    struct {
        uint32_t addr, word, end;
        bool known;
    } fetched[8];
    struct {
        uint32_t addr;
        bool known;
    } written[8];

    struct transaction *queue; /* fed, not yet executed or lost */
    size_t queue_head, queue_size, queue_room;
    uint64_t fed, executed, lost, gaps, epoch;
    bool gap_open;
    uint64_t gap_last;
    struct recorded last; /* the record that was executed last */
    uint32_t gap_cores;   /* whose transactions the open gap has, a bit each */
};

struct model *model_new(const struct model_config *config)
{
    struct model *model = calloc(1, sizeof *model);
    if (!model)
        abort();
    model->config = *config;
    model->words = ((size_t)1 << config->window_log2) / 4;
    model->queue_room = 1 << 16;
    model->phantom = calloc(model->words, sizeof *model->phantom);
    model->known = calloc(model->words, sizeof *model->known);
    model->data_plane = calloc(model->words, sizeof *model->data_plane);
    model->lock_plane = calloc(model->words, sizeof *model->lock_plane);
    model->fetch_plane = calloc(model->words, sizeof *model->fetch_plane);
    model->upper_plane = calloc(model->words, sizeof *model->upper_plane);
    model->queue = calloc(model->queue_room, sizeof *model->queue);
    if (!model->phantom || !model->known || !model->data_plane || !model->lock_plane || !model->fetch_plane ||
        !model->upper_plane || !model->queue)
        abort();
    return model;
}

void model_free(struct model *model)
{
    if (!model)
        return;
    free(model->phantom);
    free(model->known);
    free(model->data_plane);
    free(model->lock_plane);
    free(model->fetch_plane);
    free(model->upper_plane);
    free(model->queue);
    free(model);
}

void model_bus_access(struct model *model, uint64_t time, unsigned core, const struct model_bus *bus)
{
    unsigned bytes = model->config.data_w / 8;
    uint32_t base = bus->addr / bytes * bytes;
    struct transaction transaction = {
        .time = time, .kind = bus->kind, .core = (uint8_t)core, .addr = bus->addr & ~3u, .missed = bus->missed};

    for (unsigned lane = 0; lane < bytes; lane++) {
        uint32_t addr = base + (model->config.big_endian ? bytes - 1 - lane : lane);
        uint32_t value = bus->data >> (8 * lane) & 0xFF;
        transaction.all |= value << (8 * (addr % 4));
        if (bus->lanes >> lane & 1) {
            transaction.lanes |= (uint8_t)(1u << addr % 4);
            transaction.data |= value << (8 * (addr % 4));
        }
    }
    if (model->queue_head == model->queue_size)
        model->queue_head = model->queue_size = 0;
    if (model->queue_size == model->queue_room) {
        memmove(model->queue, model->queue + model->queue_head,
                (model->queue_size - model->queue_head) * sizeof *model->queue);
        model->queue_size -= model->queue_head;
        model->queue_head = 0;
    }
    if (model->queue_size == model->queue_room) {
        model->queue_room *= 2;
        model->queue = realloc(model->queue, model->queue_room * sizeof *model->queue);
        if (!model->queue)
            abort();
    }
    if (bus->kind == ES_KIND_MARK) /* as es_tap_mark makes it, whatever the bus is like */
        transaction.lanes = ES_MARK_PROGRAM, transaction.data = bus->data;
    model->queue[model->queue_size++] = transaction;
    model->fed++;
}

static size_t queued(const struct model *model)
{
    return model->queue_size - model->queue_head;
}

static uint64_t full_time(const struct model *model, uint64_t low)
{
    uint64_t mask = ((uint64_t)1 << model->config.time_w) - 1;
    return model->epoch << model->config.time_w | (low & mask);
}

static uint64_t epoch_of(const struct model *model, uint64_t time)
{
    return time >> model->config.time_w;
}

/* The time that the RTL gives the first lost transaction: where a tap has missed one while marks were written, this waited
 * for up to four clocks. */
static uint64_t first_time(const struct model *model, uint64_t told)
{
    const struct transaction *first = model->queue + model->queue_head;
    bool missed = false;
    for (const struct transaction *t = first; t < model->queue + model->queue_size && t->time == first->time; t++)
        missed |= t->missed;
    uint64_t late = full_time(model, told) - first->time;
    return missed && late <= 4 ? first->time + late : first->time;
}

static const char *execute_mark(struct model *model, const struct model_hit *mark, struct model_hit *hit)
{
    const struct transaction *next = model->queue + model->queue_head;

    *hit = (struct model_hit){.kind = ES_KIND_MARK, .lanes = mark->lanes};
    if (mark->lanes == ES_MARK_EPOCH) {
        /* The record names the epoch by the time's upper half, and the rest of it by the time's lower half. */
        uint64_t epoch = epoch_of(model, (uint64_t)mark->new_word << 32 | (uint32_t)mark->time);
        if (epoch <= model->epoch)
            return "MARK_EPOCH does not go forward";
        if (model->gap_open && epoch != epoch_of(model, model->gap_last))
            return "MARK_EPOCH within a gap is not that of the last lost transaction";
        if (!model->gap_open && queued(model) && epoch_of(model, next->time) < epoch)
            return "MARK_EPOCH before a transaction of the epoch that it ends";
        model->epoch = epoch;
        hit->time = epoch << model->config.time_w;
        hit->new_word = (uint32_t)(hit->time >> 32);
        return NULL;
    }
    if (mark->lanes == ES_MARK_GAP_FIRST) {
        if (model->gap_open)
            return "two MARK_GAP_FIRST without a MARK_GAP_LAST";
        if (mark->new_word == 0 || mark->new_word > queued(model))
            return "a gap of more transactions than there were";
        hit->time = first_time(model, mark->time);
        hit->new_word = mark->new_word;
        if (epoch_of(model, next->time) != model->epoch)
            return "MARK_GAP_FIRST in an epoch not announced";
        model->gap_cores = 0;
        for (uint32_t i = 0; i < mark->new_word; i++)
            model->gap_cores |= 1u << next[i].core;
        model->queue_head += mark->new_word;
        model->lost += mark->new_word;
        model->gaps++;
        model->gap_open = true;
        model->gap_last = model->queue[model->queue_head - 1].time;
        if (model->gap_last < hit->time)
            model->gap_last = hit->time; /* all of it waited */
        for (unsigned core = 0; core < 8; core++)
            model->fetched[core].known = model->written[core].known = false; /* no evidence after a loss */
        return NULL;
    }
    if (mark->lanes != ES_MARK_GAP_LAST || !model->gap_open)
        return "a mark of an unexpected sort";
    model->gap_open = false;
    hit->time = full_time(model, model->gap_last);
    hit->new_word = model->config.taps > 1 ? model->gap_cores : 0;
    if (hit->time != model->gap_last)
        return "MARK_GAP_LAST in an epoch not announced";
    return NULL;
}

/* What a fetched instruction does to the flow, as interface/rv32.def tells it: an independent reading of the "C" chapter's
 * tables. */
static uint32_t offset_of(uint32_t insn, const unsigned char to[11]) /* by instruction bit, 12 down to 2; 0: none */
{
    uint32_t offset = 0;

    for (unsigned i = 0; i < 11; i++)
        if (to[i] && insn >> (12 - i) & 1)
            offset |= 1u << to[i];
    return offset >> to[0] & 1 ? offset | ~((2u << to[0]) - 1) : offset;
}

static uint32_t expanded(uint32_t insn)
{
    uint32_t quadrant = insn & 3, funct = insn >> 13 & 7, offset, wide = 0x13;

    if (quadrant == 3)
        return insn;
    insn &= 0xFFFF;
    if (quadrant == 1 && (funct == 1 || funct == 5)) { /* c.jal, c.j */
        offset = offset_of(insn, (const unsigned char[]){11, 4, 9, 8, 10, 6, 7, 3, 2, 1, 5});
        wide = (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3FF) << 21 | (offset >> 11 & 1) << 20 |
               (offset >> 12 & 0xFF) << 12 | (funct == 1) << 7 | 0x6F;
    } else if (quadrant == 1 && funct >= 6) { /* c.beqz, c.bnez */
        offset = offset_of(insn, (const unsigned char[]){8, 4, 3, 0, 0, 0, 7, 6, 2, 1, 5});
        wide = (offset >> 12 & 1) << 31 | (offset >> 5 & 0x3F) << 25 | (8 + (insn >> 7 & 7)) << 15 | (funct - 6) << 12 |
               (offset >> 1 & 15) << 8 | (offset >> 11 & 1) << 7 | 0x63;
    } else if (quadrant == 2 && funct == 4 && (insn >> 2 & 31) == 0 && (insn >> 7 & 31) != 0) { /* c.jr, c.jalr */
        wide = (insn >> 7 & 31) << 15 | (insn >> 12 & 1) << 7 | 0x67;
    }
    return wide & ~2u;
}

static uint32_t merge(uint32_t old, uint32_t data, uint8_t lanes)
{
    for (unsigned lane = 0; lane < 4; lane++) {
        if (lanes >> lane & 1)
            old = (old & ~(0xFFu << (8 * lane))) | (data & 0xFFu << (8 * lane));
    }
    return old;
}

const char *model_execute(struct model *model, const struct model_hit *mark, bool *is_hit, struct model_hit *hit)
{
    if (model->locked)
        return "executed while locked";
    *is_hit = true;
    if (mark) {
        model->last = (struct recorded){.kind = ES_KIND_MARK, .lanes = mark->lanes, .time = (uint32_t)mark->time};
        return execute_mark(model, mark, hit);
    }
    if (model->gap_open)
        return "a transaction between MARK_GAP_FIRST and MARK_GAP_LAST";
    if (queued(model) == 0)
        return "a transaction out of nowhere";

    struct transaction t = model->queue[model->queue_head++];
    size_t word = (t.addr - model->config.window_base) / 4;
    bool inside = t.addr >= model->config.window_base && word < model->words;
    uint32_t old = inside ? model->phantom[word] : 0;
    bool upper = model->config.compressed && t.kind == ES_KIND_FETCH && (t.lanes & 7) == 4;
    uint32_t merged = inside ? merge(old, t.data, t.lanes) : t.data;
    bool old_known = inside && model->known[word];

    model->last = (struct recorded){.time = (uint32_t)t.time,
                                    .addr = upper ? t.addr + 2 : t.addr,
                                    .data = t.data,
                                    .all = t.all,
                                    .old = old,
                                    .known = old_known,
                                    .inside = inside,
                                    .kind = t.kind,
                                    .lanes = t.kind == ES_KIND_MARK ? ES_MARK_PROGRAM : t.lanes};
    model->executed++;
    if (t.missed)
        return "what a tap has missed is told as a transaction";
    if (epoch_of(model, t.time) != model->epoch)
        return "a transaction of an epoch not announced";
    if (t.kind == ES_KIND_MARK) {
        *hit = (struct model_hit){
            .time = t.time,
            .addr = t.addr,
            .new_word = t.data,
            .pc = model->fetched[t.core].addr,
            .kind = t.kind,
            .lanes = t.lanes,
            .core = t.core,
            .old_known = model->fetched[t.core].known,
        };
        return NULL;
    }
    *hit = (struct model_hit){
        .time = t.time,
        .addr = t.addr,
        .new_word = merged,
        .old_word = old,
        .pc = model->fetched[t.core].addr,
        .kind = t.kind,
        .lanes = t.lanes,
        .core = t.core,
        .old_known = old_known,
    };
    *is_hit = inside && ((t.kind == ES_KIND_WRITE && (model->data_plane[word] || model->lock_plane[word])) ||
                         (t.kind == ES_KIND_FETCH && t.lanes & 1 && model->fetch_plane[word]) ||
                         (upper && model->upper_plane[word]) ||
                         (t.kind == ES_KIND_READ && model->read_hits && model->fetch_plane[word]));
    hit->locked = *is_hit && (t.kind != ES_KIND_WRITE || model->lock_plane[word]);
    hit->dynamic = *is_hit && t.kind == ES_KIND_WRITE && !model->data_plane[word];
    model->locked = hit->locked;
    if (inside) {
        uint8_t covered = t.lanes;
        if (word == model->part_word)
            covered |= model->part_lanes;
        model->phantom[word] = merged;
        if (old_known || covered == 15) {
            model->known[word] = true;
        } else {
            model->part_word = (uint32_t)word;
            model->part_lanes = covered;
        }
    }
    if (t.kind == ES_KIND_FETCH) {
        hit->old_word = model->fetched[t.core].word;
        hit->old_known = model->fetched[t.core].known;
        hit->addr = upper ? t.addr + 2 : t.addr;
        hit->pc = model->fetched[t.core].end;
        uint32_t insn = upper ? t.all >> 16 | t.all << 16 : merged;
        bool is_short = model->config.compressed && (insn & 3) != 3;
        model->fetched[t.core].addr = hit->addr;
        model->fetched[t.core].word = model->config.compressed ? expanded(insn) : insn;
        model->fetched[t.core].end =
            (is_short ? hit->addr - 2 : hit->addr) & (uint32_t)((1ull << model->config.addr_w) - 1);
        model->fetched[t.core].known = true;
        hit->new_word = model->written[t.core].known ? model->written[t.core].addr : ES_HIT_NO_WRITE;
    }
    if (t.kind == ES_KIND_WRITE) {
        model->written[t.core].addr = t.addr;
        model->written[t.core].known = true;
    }
    return NULL;
}

void model_write(struct model *model, uint32_t addr, uint32_t data, uint8_t lanes)
{
    size_t word = (addr & 0x0FFFFFFF) / 4;
    uint32_t region = addr & 0xF0000000;

    if (region == ES_MEM_BASE) {
        uint32_t *cell = model->memory + word % (ES_MEM_SIZE / 4);
        *cell = merge(*cell, data, lanes);
    }
    if (region == ES_ROWS_BASE)
        model->rows[word / ES_ROWS % 2][word % ES_ROWS] = (uint16_t)data;
    if (word >= model->words)
        return;
    if (region == ES_PHANTOM_BASE) {
        model->phantom[word] = merge(model->phantom[word], data, lanes);
        model->known[word] |= lanes == 15;
    } else if (region == ES_PLANE_DATA_BASE) {
        model->data_plane[word] = data & 1;
        model->lock_plane[word] = data >> 1 & 1;
    } else if (region == ES_PLANE_FETCH_BASE) {
        if (lanes & 1)
            model->fetch_plane[word] = data & 1;
        if (lanes & 4)
            model->upper_plane[word] = model->config.compressed && data >> 16 & 1;
    }
}

static bool links(uint32_t rd)
{
    return rd == 1 || rd == 5;
}

uint32_t model_cell(const struct model *model, const struct model_hit *hit)
{
    bool fetch = hit->kind == ES_KIND_FETCH;
    uint32_t insn = hit->old_word, opcode = (insn & 0x7F) | 2, rd = insn >> 7 & 31, rs1 = insn >> 15 & 31;
    bool call = hit->old_known && (opcode == 0x6F || opcode == 0x67) && links(rd);
    bool back = hit->old_known && opcode == 0x67 && rd == 0 && links(rs1);
    bool read = hit->kind == ES_KIND_READ;
    uint32_t column = hit->addr >> ES_CELL_COLUMN_SHIFT;
    if (fetch || read)
        column = 2 * column + (hit->addr >> 1 & 1);
    uint32_t cell = (model->rows[fetch || read][hit->addr / 4 % ES_ROWS] + 4 * column) & 0xFFFF;

    if (hit->kind == ES_KIND_MARK || read || (fetch && !call && !back))
        cell |= ES_CELL_SPECIAL;
    if (hit->dynamic)
        cell |= ES_CELL_SPECIAL | ES_CELL_DYNAMIC;
    if (fetch ? back : hit->kind == ES_KIND_WRITE && hit->lanes != 15)
        cell = (cell & ~0xFFFFu) | ((cell + ES_CELL_SECOND) & 0xFFFF);
    return cell;
}

uint32_t model_read(const struct model *model, uint32_t addr, bool *known)
{
    size_t word = (addr & 0x0FFFFFFF) / 4;
    uint32_t region = addr & 0xF0000000;

    *known = region != ES_PHANTOM_BASE || (word < model->words && model->known[word]);
    if (region == ES_MEM_BASE)
        return model->memory[word % (ES_MEM_SIZE / 4)];
    if (word >= model->words)
        return 0;
    if (region == ES_PHANTOM_BASE)
        return model->phantom[word];
    if (region == ES_PLANE_DATA_BASE)
        return (uint32_t)model->data_plane[word] | (uint32_t)model->lock_plane[word] << 1;
    if (region == ES_PLANE_FETCH_BASE)
        return (uint32_t)model->fetch_plane[word] | (uint32_t)model->upper_plane[word] << 16;
    return 0;
}

void model_clear(struct model *model)
{
    memset(model->known, 0, model->words * sizeof *model->known);
    memset(model->data_plane, 0, model->words * sizeof *model->data_plane);
    memset(model->lock_plane, 0, model->words * sizeof *model->lock_plane);
    memset(model->fetch_plane, 0, model->words * sizeof *model->fetch_plane);
    memset(model->upper_plane, 0, model->words * sizeof *model->upper_plane);
    model->part_lanes = 0;
}

void model_reads(struct model *model, bool hits)
{
    model->read_hits = hits;
}

void model_lock(struct model *model, bool locked)
{
    model->locked = locked;
}

bool model_locked(const struct model *model)
{
    return model->locked;
}

uint64_t model_fed(const struct model *model)
{
    return model->fed;
}

uint64_t model_executed(const struct model *model)
{
    return model->executed;
}

uint64_t model_lost(const struct model *model)
{
    return model->lost;
}

uint64_t model_gaps(const struct model *model)
{
    return model->gaps;
}

uint64_t model_epoch(const struct model *model)
{
    return model->epoch;
}

const struct recorded *model_last(const struct model *model)
{
    return &model->last;
}
