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
    for (uint32_t i = 0; probe->pages && i < page_slots(probe); i++)
        free(probe->pages[i]);
    free(probe->pages);
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
    const page *at = inside(probe, address, &index) ? probe->pages[index >> PAGE_LOG2] : NULL;
    *known = false;
    if (!at)
        return 0;
    uint8_t flags = at->flags[index & (PAGE_WORDS - 1)];
    *known = flags & WORD_KNOWN;
    switch (address & 0xF0000000u) {
    case ES_PHANTOM_BASE: return at->words[index & (PAGE_WORDS - 1)];
    case ES_PLANE_DATA_BASE: return (flags & WORD_DATA ? ES_PLANE_HIT : 0u) | (flags & WORD_LOCK ? ES_PLANE_LOCK : 0u);
    default: return (flags & WORD_FETCH ? 1u : 0u) | (flags & WORD_UPPER ? 1u << 16 : 0u);
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
    page *at = page_at(probe, index);
    uint32_t *word = &at->words[index & (PAGE_WORDS - 1)];
    uint8_t *flags = &at->flags[index & (PAGE_WORDS - 1)];
    switch (address & 0xF0000000u) {
    case ES_PHANTOM_BASE:
        for (unsigned lane = 0; lane < 4; lane++)
            if (lanes >> lane & 1)
                *word = (*word & ~(0xFFu << 8 * lane)) | (data & 0xFFu << 8 * lane);
        if (lanes == 15)
            *flags |= WORD_KNOWN;
        break;
    case ES_PLANE_DATA_BASE:
        *flags = with(with(*flags, WORD_DATA, data & ES_PLANE_HIT), WORD_LOCK, data & ES_PLANE_LOCK);
        break;
    default:
        if (lanes & 1)
            *flags = with(*flags, WORD_FETCH, data & 1);
        if (lanes & 4 && probe->options.compressed)
            *flags = with(*flags, WORD_UPPER, data >> 16 & 1);
    }
}

/* Which words are armed, and what is known: not the bytes. */
void es_softprobe_clear(es_softprobe *probe)
{
    for (uint32_t i = 0; i < page_slots(probe); i++)
        if (probe->pages[i])
            memset(probe->pages[i]->flags, 0, sizeof probe->pages[i]->flags);
    probe->part_lanes = 0;
    probe->read_hits = false;
}
