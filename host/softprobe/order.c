/* Several monitors: what they say of one event goes out in the order in which a single one would have said it, with all
 * their statements.
 *
 * Each of them says its own in that order. So the heads of what they say are compared, hit by hit, and what comes
 * before a hit goes with it. What decides: of a fetch, a procedure that is left, what begins there, an interrupt that
 * its mret ends, what lasts while a path does; then deadlines that had passed by then; then the statements' order. */
#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "softprobe/private.h"

#define INSN_MRET 0x30200073u

/* Numbers in the list of interface/routines.h. */
enum {
#define NUMBER(name) PLACE_##name,
    ES_MI_ROUTINES(NUMBER)
#undef NUMBER
#define NUMBER(name, where) PLACE_##name,
        ES_MI_PLACES(NUMBER)
#undef NUMBER
};

static uint32_t word_at(const es_softprobe *probe, uint32_t address)
{
    uint8_t b[4] = {0};
    es_machine_peek(probe->core, address, b, NULL, sizeof b);
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* What the firmware does at the fetch, when it sends a hit of this statement. */
static unsigned stage(const es_softprobe *probe, const es_target_rank *rank)
{
    enum { LEFT, BEGINS, ENDS, LASTS };
    if (!probe->hit_valid || probe->head.kind != ES_KIND_FETCH)
        return LEFT;
    uint32_t control = word_at(probe, word_at(probe, ES_MI_ROUTINES_AT + 4 * PLACE_control_pc));
    if (!control)
        return LASTS;
    if (control != probe->head.address)
        return LEFT;
    return rank->leaves && probe->first->fetch_word == INSN_MRET ? ENDS : BEGINS;
}

/* Of a HIT frame; 0: it is none. */
static uint64_t key_of(const es_softprobe *probe, const uint32_t *words, size_t count)
{
    static const es_target_rank none = {0, false};
    if ((words[0] & 0xFF) != ES_FRAME_HIT || count < 5)
        return 0;
    uint32_t statement = words[3] & 0xFFFF;
    const es_target_rank *rank = statement < probe->rank_count ? &probe->ranks[statement] : &none;
    bool at_event = words[4] != ES_HIT_NOWHERE;
    return UINT64_C(1) << 63 | (uint64_t)stage(probe, rank) << 34 | (uint64_t)at_event << 33 | rank->number;
}

void es_softprobe_say(es_softprobe *probe, const uint32_t *words, size_t count)
{
    es_softprobe *first = probe->first;
    if (is_alone(probe)) {
        es_softprobe_send(probe, words, count);
        return;
    }
    if (!first->said || first->said_count == first->said_room) {
        first->said_room = first->said_room ? 2 * first->said_room : 64;
        first->said = es_realloc(first->said, first->said_room * sizeof *first->said);
    }
    while (first->said_word_room - first->said_word_count < count) {
        first->said_word_room = first->said_word_room ? 2 * first->said_word_room : 1024;
        first->said_words = es_realloc(first->said_words, first->said_word_room * sizeof *first->said_words);
    }
    memcpy(first->said_words + first->said_word_count, words, count * sizeof *words);
    first->said[first->said_count++] = (said){probe, key_of(probe, words, count), first->said_word_count, count};
    first->said_word_count += count;
}

static void send(es_softprobe *first, const said *frame)
{
    es_softprobe *by = frame->by;
    uint64_t before = by->sent;
    es_softprobe_send(by, first->said_words + frame->first, frame->count);
    if (first->turn_first == first->turn_count)
        first->turn_first = first->turn_count = 0;
    turn *last = first->turn_count ? &first->turns[first->turn_count - 1] : NULL;
    if (last && last->monitor == by->number) {
        last->end = by->sent;
        return;
    }
    if (!first->turns || first->turn_count == first->turn_room) {
        first->turn_room = first->turn_room ? 2 * first->turn_room : 64;
        first->turns = es_realloc(first->turns, first->turn_room * sizeof *first->turns);
    }
    first->turns[first->turn_count++] = (turn){by->number, before, by->sent};
}

/* What a monitor has said, whose head is to be compared: frames up to its next hit have that one's key, or a later
 * one's key that comes first in its own order; what follows its last hit comes last. */
static void spread_keys(said *frames, size_t count)
{
    uint64_t key = UINT64_MAX;
    for (size_t i = count; i-- > 0;) {
        key = frames[i].key ? frames[i].key : key;
        frames[i].key = key;
    }
    for (size_t i = 1; i < count; i++)
        if (frames[i].key < frames[i - 1].key)
            frames[i].key = frames[i - 1].key;
}

static int by_key(const void *left, const void *right)
{
    const said *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->by->number != b->by->number)
        return a->by->number < b->by->number ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static int by_monitor(const void *left, const void *right)
{
    const said *a = left, *b = right;
    if (a->by->number != b->by->number)
        return a->by->number < b->by->number ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

void es_softprobe_sort(es_softprobe *first)
{
    said *frames = first->said;
    size_t count = first->said_count;
    bool one = true;
    for (size_t i = 1; i < count; i++)
        one &= frames[i].by == frames[0].by;
    if (!one) {
        qsort(frames, count, sizeof *frames, by_monitor);
        for (size_t i = 0, end; i < count; i = end) {
            for (end = i; end < count && frames[end].by == frames[i].by; end++)
                ;
            spread_keys(frames + i, end - i);
        }
        qsort(frames, count, sizeof *frames, by_key);
    }
    for (size_t i = 0; i < count; i++)
        send(first, &frames[i]);
    first->said_count = first->said_word_count = 0;
}
