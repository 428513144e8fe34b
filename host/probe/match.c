#include "probe/match.h"

#include <stdlib.h>

#include "base/arena.h"

#define WORDS 60u /* what one command reads */

/* Words in a row that the program loads into the window. */
typedef struct run {
    uint32_t address, words;
    const uint8_t *bytes;
} run;

struct es_match {
    es_link *link;
    uint32_t window_base;
    run *runs;
    size_t count;
    size_t at;       /* the run that is next, ... */
    uint32_t offset; /* ... from this word on */
    bool wished;
    uint32_t wish;
};

/* The whole aligned words of the segment that lie in the window. */
static run clip(const es_segment *segment, const es_probe_info *info)
{
    uint64_t low = ((uint64_t)segment->address + 3) & ~(uint64_t)3;
    uint64_t high = ((uint64_t)segment->address + segment->size) & ~(uint64_t)3;
    uint64_t window_end = (uint64_t)info->window_base + info->window_size;
    if (low < info->window_base)
        low = info->window_base;
    if (high > window_end)
        high = window_end;
    if (low >= high)
        return (run){0};
    return (run){(uint32_t)low, (uint32_t)(high - low) / 4, segment->bytes + (low - segment->address)};
}

es_match *es_match_new(es_link *link, const es_probe_info *info, const es_symbols *symbols)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    es_match *match = es_malloc(sizeof *match);
    *match = (es_match){.link = link, .window_base = info->window_base, .runs = es_malloc(count * sizeof *match->runs)};
    for (size_t i = 0; i < count; i++) {
        run part = clip(&segments[i], info);
        if (segments[i].executable && !segments[i].writable && part.words)
            match->runs[match->count++] = part;
    }
    return match;
}

void es_match_free(es_match *match)
{
    if (!match)
        return;
    free(match->runs);
    free(match);
}

void es_match_look_at(es_match *match, uint32_t address)
{
    match->wished = true;
    match->wish = address;
}

size_t es_match_steps(const es_match *match)
{
    size_t steps = 0;
    for (size_t i = 0; i < match->count; i++)
        steps += (match->runs[i].words + WORDS - 1) / WORDS;
    return steps;
}

/* Moves to the words around the wish, if they are among those that are compared. */
static void grant_wish(es_match *match)
{
    match->wished = false;
    for (size_t i = 0; i < match->count; i++) {
        uint32_t word = (match->wish - match->runs[i].address) / 4;
        if (match->wish < match->runs[i].address || word >= match->runs[i].words)
            continue;
        match->at = i;
        match->offset = word < WORDS / 2 ? 0 : word - WORDS / 2;
    }
}

int es_match_step(es_match *match, es_mismatch *mismatch, es_error *err)
{
    if (match->count == 0)
        return 1;
    if (match->wished)
        grant_wish(match);
    const run *at = &match->runs[match->at];
    uint32_t first = match->offset, words[WORDS];
    uint32_t count = at->words - first < WORDS ? at->words - first : WORDS;
    if (!es_link_read(match->link, ES_PHANTOM_BASE + (at->address - match->window_base) + first * 4, words, count, err))
        return -1;
    match->offset += count;
    if (match->offset == at->words) {
        match->offset = 0;
        match->at = (match->at + 1) % match->count;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *b = at->bytes + (size_t)(first + i) * 4;
        uint32_t expected = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        if (words[i] != expected) {
            *mismatch = (es_mismatch){at->address + (first + i) * 4, expected, words[i]};
            return 0;
        }
    }
    return 1;
}
