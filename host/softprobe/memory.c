/* Phantom memory with its known bits, and the planes: es_phantom and es_planes. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "softprobe/private.h"

static uint32_t page_slots(const es_softprobe *probe)
{
    return (probe->window_last >> (PAGE_LOG2 + 2)) + 1;
}

void es_softprobe_memory_new(es_softprobe *probe)
{
    size_t size = page_slots(probe) * sizeof(page *);
    probe->pages = es_malloc(size);
    memset(probe->pages, 0, size);
}

void es_softprobe_memory_free(es_softprobe *probe)
{
    for (uint32_t i = 0; i < page_slots(probe); i++) {
        if (probe->pages)
            free(probe->pages[i]);
        if (probe->planes)
            free(probe->planes[i]);
    }
    free(probe->pages);
    free(probe->planes);
}

page *es_softprobe_page_new(es_softprobe *probe, uint32_t index)
{
    page *made = es_malloc(sizeof *made);
    memset(made, 0, sizeof *made);
    probe->page_count++;
    return probe->pages[index >> PAGE_LOG2] = made;
}

/* Offset of the word in the window; false: beyond it. */
static bool inside(const es_softprobe *probe, uint32_t address, uint32_t *index)
{
    uint32_t offset = address & 0x0FFFFFFFu;
    *index = offset >> 2;
    return offset <= probe->window_last;
}

uint32_t es_softprobe_array_read(const es_softprobe *probe, uint32_t address, bool *known)
{
    uint32_t index;
    const page *at = inside(probe, address, &index) ? probe->first->pages[index >> PAGE_LOG2] : NULL;
    *known = false;
    if (!at)
        return 0;
    uint8_t flags = es_softprobe_planes(probe, index);
    *known = at->flags[index & (PAGE_WORDS - 1)] & WORD_KNOWN;
    switch (address & 0xF0000000u) {
    case ES_PHANTOM_BASE: return at->words[index & (PAGE_WORDS - 1)];
    case ES_PLANE_DATA_BASE: return (flags & WORD_DATA ? ES_PLANE_HIT : 0u) | (flags & WORD_LOCK ? ES_PLANE_LOCK : 0u);
    default: return (flags & WORD_FETCH ? 1u : 0u) | (flags & WORD_UPPER ? 1u << 16 : 0u);
    }
}

uint8_t es_softprobe_planes(const es_softprobe *probe, uint32_t index)
{
    if (is_alone(probe)) {
        const page *at = probe->pages[index >> PAGE_LOG2];
        return at ? at->flags[index & (PAGE_WORDS - 1)] : 0;
    }
    const uint8_t *planes = probe->planes[index >> PAGE_LOG2];
    return planes ? planes[index & (PAGE_WORDS - 1)] : 0;
}

/* A word's flags in the page: what is known, and all planes. */
static void gather_planes(es_softprobe *first, uint32_t index)
{
    uint8_t *flags = &first->pages[index >> PAGE_LOG2]->flags[index & (PAGE_WORDS - 1)];
    *flags &= WORD_KNOWN;
    for (size_t i = 0; i < first->monitor_count; i++)
        *flags |= es_softprobe_planes(first->monitors[i], index) & (uint8_t)~WORD_KNOWN;
}

/* The planes of a monitor become these; WORD_KNOWN counts for nothing. Its page is there. */
static void arm(es_softprobe *probe, uint32_t index, uint8_t planes)
{
    uint8_t *flags = &probe->first->pages[index >> PAGE_LOG2]->flags[index & (PAGE_WORDS - 1)];
    planes &= (uint8_t)~WORD_KNOWN;
    if (is_alone(probe)) {
        *flags = (*flags & WORD_KNOWN) | planes;
        return;
    }
    uint8_t **own = &probe->planes[index >> PAGE_LOG2];
    if (!*own) {
        *own = es_malloc(PAGE_WORDS);
        memset(*own, 0, PAGE_WORDS);
    }
    uint8_t before = (*own)[index & (PAGE_WORDS - 1)];
    (*own)[index & (PAGE_WORDS - 1)] = planes;
    if (before & ~planes)
        gather_planes(probe->first, index);
    else
        *flags |= planes;
}

void es_softprobe_planes_new(es_softprobe *probe)
{
    size_t size = page_slots(probe) * sizeof *probe->planes;
    probe->planes = es_malloc(size);
    memset(probe->planes, 0, size);
    for (uint32_t i = 0; probe == probe->first && i < page_slots(probe); i++) {
        if (!probe->pages[i])
            continue;
        probe->planes[i] = es_malloc(PAGE_WORDS);
        for (uint32_t k = 0; k < PAGE_WORDS; k++)
            probe->planes[i][k] = probe->pages[i]->flags[k] & (uint8_t)~WORD_KNOWN;
    }
}

static uint8_t with(uint8_t flags, uint8_t flag, bool set)
{
    return set ? flags | flag : flags & (uint8_t)~flag;
}

void es_softprobe_array_write(es_softprobe *probe, uint32_t address, uint32_t data, unsigned lanes)
{
    uint32_t index;
    if (!inside(probe, address, &index))
        return;
    page *at = page_at(probe->first, index);
    uint32_t *word = &at->words[index & (PAGE_WORDS - 1)];
    uint8_t own = es_softprobe_planes(probe, index);
    switch (address & 0xF0000000u) {
    case ES_PHANTOM_BASE:
        for (unsigned lane = 0; lane < 4; lane++)
            if (lanes >> lane & 1)
                *word = (*word & ~(0xFFu << 8 * lane)) | (data & 0xFFu << 8 * lane);
        if (lanes == 15)
            at->flags[index & (PAGE_WORDS - 1)] |= WORD_KNOWN;
        break;
    case ES_PLANE_DATA_BASE:
        arm(probe, index, with(with(own, WORD_DATA, data & ES_PLANE_HIT), WORD_LOCK, data & ES_PLANE_LOCK));
        break;
    default:
        if (lanes & 1)
            own = with(own, WORD_FETCH, data & 1);
        if (lanes & 4 && probe->options.compressed)
            own = with(own, WORD_UPPER, data >> 16 & 1);
        arm(probe, index, own);
    }
}

/* Of one of several: its own planes in a page. */
static void clear_planes(es_softprobe *probe, uint32_t i)
{
    if (!probe->planes[i])
        return;
    memset(probe->planes[i], 0, PAGE_WORDS);
    for (uint32_t k = 0; k < PAGE_WORDS; k++)
        gather_planes(probe->first, i << PAGE_LOG2 | k);
}

/* Which words are armed, and of the first monitor what is known: not the bytes. */
void es_softprobe_clear(es_softprobe *probe)
{
    es_softprobe *first = probe->first;
    for (uint32_t i = 0; i < page_slots(probe); i++) {
        if (!is_alone(probe))
            clear_planes(probe, i);
        if (probe != first || !first->pages[i])
            continue;
        for (uint32_t k = 0; k < PAGE_WORDS; k++)
            first->pages[i]->flags[k] &= is_alone(probe) ? 0 : (uint8_t)~WORD_KNOWN;
    }
    if (probe == first)
        first->part_lanes = 0;
    probe->read_hits = first->any_read_hits = false;
    for (size_t i = 0; i < first->monitor_count; i++)
        first->any_read_hits |= first->monitors[i]->read_hits;
}
