#include "check/firmware/tracked.h"

#include <string.h>

#include "isa/isa.h"

/* Of the word that is written, as far as that is known, no value makes a statement true. */
static bool is_filtered(const es_check_service *s, uint32_t first, uint32_t second, es_check_word stored)
{
    struct es_mi_filter filter;
    if (!(first & ES_MI_FILTERED))
        return false;
    memcpy(&filter, s->memory + (second & ~ES_MI_NARROW) - sizeof filter, sizeof filter);
    uint32_t mask = 0xFFFFFFFFu, up = 0;
    if (second & ES_MI_NARROW) {
        mask = filter.low & ES_MI_FILTER_TWO ? 0xFFFFu : 0xFFu;
        up = (filter.low & ES_MI_FILTER_UPPER ? 16 : 0) + (filter.low & ES_MI_FILTER_ODD ? 8 : 0);
    }
    return (stored.known >> up & mask) == mask && (((stored.bits >> up) - filter.low) & mask) > filter.span;
}

unsigned es_check_service_filtered(const es_check_service *s, uint32_t address)
{
    uint32_t cell = es_service_cell(s, false, address), second = es_service_half(s, cell + ES_CELL_SECOND), low;
    if (!(s->header.control & ES_CTRL_TRACK) || !(es_service_half(s, cell) & ES_MI_FILTERED))
        return 0;
    if (!(second & ES_MI_NARROW))
        return 4;
    memcpy(&low, s->memory + (second & ~ES_MI_NARROW) - sizeof low, sizeof low);
    return low & ES_MI_FILTER_TWO ? 2 : 1;
}

bool es_service_marked(const es_check_service *s, enum es_check_event_kind kind, uint32_t address,
                       const es_check_situation *now)
{
    bool fetch = kind == ES_CHECK_CALL || kind == ES_CHECK_RETURN || kind == ES_CHECK_OTHER;
    if (now->slots || (!fetch && kind != ES_CHECK_WRITE && kind != ES_CHECK_WRITE_PART))
        return false;
    uint32_t cell = es_service_cell(s, fetch, address);
    return fetch ? es_service_half(s, cell + ES_CELL_SECOND) & ES_MI_PLAIN : es_service_half(s, cell) & ES_MI_FILTERED;
}

bool es_check_service_stays(const es_check_service *s, enum es_check_event_kind kind, uint32_t address,
                            const es_check_situation *now)
{
    const es_isa_evidence *evidence = &s->target->evidence;
    return kind == ES_CHECK_OTHER && es_service_half(s, es_service_cell(s, true, address)) < ES_IMAGE_BASE &&
           now->from && now->word != evidence->trap_return &&
           (now->word & evidence->call_mask) != evidence->call_bits &&
           (now->word & es_isa_return_mask(s->target)) != evidence->a_return;
}

bool es_service_tracked(const es_check_service *s, enum es_check_event_kind kind, uint32_t address,
                        const es_check_situation *now)
{
    if (!(s->header.control & ES_CTRL_TRACK) || now->hushed || (now->slots && !address))
        return false;
    bool fetch = kind == ES_CHECK_CALL || kind == ES_CHECK_RETURN || kind == ES_CHECK_OTHER;
    if (!fetch && kind != ES_CHECK_WRITE)
        return false;
    uint32_t cell = es_service_cell(s, fetch, address), first = es_service_half(s, cell),
             second = es_service_half(s, cell + ES_CELL_SECOND);
    bool plain = second & ES_MI_PLAIN, begins = first >= ES_IMAGE_BASE, comes_back = second >= ES_IMAGE_BASE;
    switch (kind) {
    case ES_CHECK_CALL: return plain && (!begins || now->depth < ES_MI_STACK_DEPTH);
    case ES_CHECK_RETURN: /* a switch of tasks has returns come to the soft core */
        return plain && (!comes_back || (now->site && !now->to_do && !s->header.tasks_at));
    case ES_CHECK_OTHER: return plain && es_check_service_stays(s, kind, address, now);
    default: return !now->slots && !s->partly && is_filtered(s, first, second, now->stored);
    }
}
