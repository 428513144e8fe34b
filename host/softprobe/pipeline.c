/* What an executed record does (es_pipeline.v). */
#include <image.h>
#include <stddef.h>

#include "softprobe/private.h"

static const uint32_t masks[16] = {0x00000000, 0x000000FF, 0x0000FF00, 0x0000FFFF, 0x00FF0000, 0x00FF00FF,
                                   0x00FFFF00, 0x00FFFFFF, 0xFF000000, 0xFF0000FF, 0xFF00FF00, 0xFF00FFFF,
                                   0xFFFF0000, 0xFFFF00FF, 0xFFFFFF00, 0xFFFFFFFF};

/* The last fetch's instruction, as evidence of flow, and the site of a call that it may be. */
static uint32_t told(const es_softprobe *probe)
{
    return probe->options.compressed ? es_isa_told(probe->options.isa, probe->fetch_word) : probe->fetch_word;
}

static uint32_t site(const es_softprobe *probe, uint32_t insn)
{
    bool is_short = probe->options.compressed && !(insn & probe->options.isa->evidence.size_bit);
    return is_short ? es_isa_site(probe->fetch_address, 2) : probe->fetch_address;
}

static void at_head(es_softprobe *probe, const hit *found)
{
    probe->head = *found;
    probe->head.cell = es_softprobe_cell(probe, found);
    probe->hit_valid = true;
    probe->locked |= found->locked;
    probe->first->waits = true;
    probe->hits++;
    note_waiting(probe);
}

/* Of all monitors. */
static bool at_heads(es_softprobe *first, const hit *found)
{
    if (first->ended)
        return false;
    for (size_t i = 0; i < first->monitor_count; i++)
        at_head(first->monitors[i], found);
    return true;
}

static uint32_t low_time(const es_softprobe *probe, uint64_t time)
{
    return (uint32_t)((uint64_t)probe->epoch << probe->options.time_w) |
           (uint32_t)(time & ((1ull << probe->options.time_w) - 1));
}

/* Apart from the way that nearly all accesses go. */
#define RARE __attribute__((noinline, cold))

RARE static bool execute_mark(es_softprobe *probe, const es_machine_access *access, uint64_t time)
{
    hit mark = {.kind = ES_KIND_MARK,
                .lanes = access->lanes,
                .old_known = probe->fetch_known,
                .new_word = access->data,
                .pc = probe->fetch_address};
    if (access->lanes == ES_MARK_EPOCH) {
        probe->epoch = access->data;
        mark.new_word = (uint32_t)((uint64_t)access->data >> (32 - probe->options.time_w));
    } else if (access->lanes == ES_MARK_GAP_FIRST || access->lanes == ES_MARK_GAP_LAST) {
        uint32_t sum = probe->lost + access->data;
        if (access->lanes == ES_MARK_GAP_FIRST)
            probe->lost = sum < access->data ? UINT32_MAX : sum;
        probe->fetch_known = probe->write_known = false; /* no evidence after a loss */
    }
    mark.time = low_time(probe, time);
    return at_heads(probe, &mark);
}

/* A word that was not known, or of which something is not known any more. */
RARE static void learn(es_softprobe *probe, uint32_t index, uint8_t *flags, unsigned lanes, uint32_t unknown)
{
    unsigned covered = lanes | (probe->part_index == index ? probe->part_lanes : 0u);
    if (unknown) {
        for (unsigned lane = 0; lane < 4; lane++)
            if (unknown >> 8 * lane & 0xFF)
                covered &= ~(1u << lane);
        *flags &= (uint8_t)~WORD_KNOWN;
    } else if (covered == 15) {
        *flags |= WORD_KNOWN;
        return;
    }
    probe->part_index = index;
    probe->part_lanes = (uint8_t)covered;
}

/* The pointers that statements follow and that are this word of phantom memory, a bit for each. Nothing says here which
 * words the indices of elements are. None of these rests, so all can be looked at. */
static uint32_t pointers_in(const es_softprobe *probe, uint32_t address)
{
    struct es_mi_header header;
    struct es_mi_pointer pointer;
    uint32_t found = 0;
    if (!probe->runs || !es_machine_peek(probe->core, ES_IMAGE_BASE, (uint8_t *)&header, NULL, sizeof header))
        return 0;
    for (uint32_t i = 0; i < header.pointer_count && i < 32; i++) {
        if (!es_machine_peek(probe->core, header.pointers_at + i * (uint32_t)sizeof pointer, (uint8_t *)&pointer, NULL,
                             sizeof pointer))
            return 0;
        if (pointer.is_element || (!pointer.base_at && pointer.offset == address))
            found |= 1u << i;
    }
    return found;
}

/* Changes a word without an access: no event. But one that may be a pointer that statements follow is told. */
RARE static bool poke(es_softprobe *probe, const es_machine_access *access, uint64_t time)
{
    uint32_t offset = (access->address & ~3u) - probe->options.window_base;
    if (offset > probe->window_last)
        return false;
    page *at = page_at(probe, offset >> 2);
    uint32_t place = (offset >> 2) & (PAGE_WORDS - 1);
    uint8_t before = at->flags[place];
    bool differs = at->words[place] != access->data;
    at->words[place] = access->data;
    at->flags[place] =
        access->unknown ? at->flags[place] & (uint8_t)~WORD_KNOWN : at->flags[place] | (uint8_t)WORD_KNOWN;
    if (probe->part_index == offset >> 2)
        probe->part_lanes = 0;
    if (access->lanes & POKE_SILENT || !(before & WORD_DATA) || !(differs || before != at->flags[place]))
        return false;
    hit mark = {.kind = ES_KIND_MARK,
                .lanes = ES_MI_MARK_POKED,
                .time = low_time(probe, time),
                .address = access->address & ~3u,
                .pc = probe->fetch_address};
    bool any = false;
    for (size_t i = 0; i < probe->monitor_count && !probe->ended; i++) {
        es_softprobe *monitor = probe->monitors[i];
        if (!(es_softprobe_planes(monitor, offset >> 2) & WORD_DATA))
            continue;
        mark.new_word = pointers_in(monitor, offset + ES_PHANTOM_BASE);
        if (!mark.new_word)
            continue;
        at_head(monitor, &mark);
        any = true;
    }
    return any;
}

/* Which of a word's flags make the access a hit. */
static unsigned armed(bool read_hits, const es_machine_access *access, bool upper)
{
    switch (access->kind) {
    case ES_KIND_WRITE: return WORD_DATA | WORD_LOCK;
    case ES_KIND_FETCH: return upper ? WORD_UPPER : access->lanes & 1 ? WORD_FETCH : 0;
    default: return read_hits ? WORD_FETCH : 0;
    }
}

RARE static bool hits(es_softprobe *probe, const es_machine_access *access, bool upper, uint64_t time, uint32_t before,
                      uint32_t merged, uint32_t index, bool known)
{
    hit found = {.kind = access->kind,
                 .lanes = access->lanes,
                 .old_known = known,
                 .time = low_time(probe, time),
                 .address = (access->address & ~3u) | (upper ? 2u : 0u),
                 .new_word = merged,
                 .old_word = before,
                 .pc = probe->fetch_address};
    if (access->kind == ES_KIND_FETCH) {
        found.old_word = told(probe);
        found.old_known = probe->fetch_known;
        found.pc = site(probe, found.old_word);
        found.new_word = probe->write_known ? probe->write_address : ES_HIT_NO_WRITE;
    }
    bool any = false;
    for (size_t i = 0; i < probe->monitor_count && !probe->ended; i++) {
        es_softprobe *monitor = probe->monitors[i];
        unsigned flags = es_softprobe_planes(monitor, index);
        if (!(flags & armed(monitor->read_hits, access, upper)))
            continue;
        found.locked = access->kind != ES_KIND_WRITE || flags & WORD_LOCK;
        found.dynamic = access->kind == ES_KIND_WRITE && !(flags & WORD_DATA);
        at_head(monitor, &found);
        any = true;
    }
    return any;
}

bool es_softprobe_execute(es_softprobe *probe, const es_machine_access *access, uint64_t time)
{
    if (access->kind >= ES_KIND_MARK) {
        if (access->kind == ES_KIND_MARK)
            return execute_mark(probe, access, time);
        return poke(probe, access, time);
    }
    bool is_fetch = access->kind == ES_KIND_FETCH, is_hit = false;
    bool upper = is_fetch && probe->options.compressed && (access->lanes & 7) == 4;
    uint32_t mask = masks[access->lanes & 15], data = access->data, unknown = access->unknown;
    uint32_t address = access->address & ~3u, offset = address - probe->options.window_base;
    if (is_fetch && access->address & 2) { /* from the instruction's first byte on, to lanes */
        data = data << 16 | data >> 16;
        unknown = unknown << 16 | unknown >> 16;
    }
    uint32_t merged = data & mask;
    if (offset <= probe->window_last) {
        uint32_t index = offset >> 2, place = index & (PAGE_WORDS - 1);
        page *at = page_at(probe, index);
        uint32_t before = at->words[place];
        unsigned flags = at->flags[place];
        merged |= before & ~mask;
        at->words[place] = merged;
        if (flags != WORD_KNOWN || unknown) { /* else it is known, and not armed */
            if (!(flags & WORD_KNOWN) || unknown & mask)
                learn(probe, index, &at->flags[place], access->lanes, unknown & mask);
            if (flags & armed(probe->any_read_hits, access, upper))
                is_hit = hits(probe, access, upper, time, before, merged, index, flags & WORD_KNOWN);
        }
    }
    if (is_fetch) {
        probe->fetch_address = address | (upper ? 2u : 0u);
        probe->fetch_word = upper ? access->data : merged;
        probe->fetch_known = !unknown;
    } else if (access->kind == ES_KIND_WRITE) {
        probe->write_address = address;
        probe->write_known = true;
    }
    return is_hit;
}
