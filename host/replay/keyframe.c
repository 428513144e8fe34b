#include "replay/keyframe.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define CHOICE_BYTES 17u

enum { LAST = 1, BEGAN = 2, FAILED = 4 };

static void put_place(es_bytes *out, const es_replay_place *place)
{
    es_bytes_put_u64(out, place->offset);
    es_bytes_put_u64(out, place->last_fetches);
    es_bytes_put_u64(out, place->last_time);
    es_bytes_put_u8(out, place->anchor_count);
    for (size_t i = 0; i < place->anchor_count; i++) {
        es_bytes_put_u64(out, place->anchors[i].fetches);
        es_bytes_put_u64(out, place->anchors[i].time);
        es_bytes_put_u8(out, place->anchors[i].exact);
    }
    es_bytes_put_u32(out, place->state.left);
    es_bytes_put_u32(out, place->state.last);
    es_bytes_put_u32(out, place->state.delta);
    es_bytes_put_u64(out, place->state.reset_time);
    for (size_t i = 0; i < ES_REPLAY_TIMERS; i++)
        es_bytes_put_u64(out, place->state.compare[i]);
}

static void take_place(es_bytes_reader *in, es_replay_place *place)
{
    place->clear = true;
    place->offset = es_bytes_take_u64(in);
    place->last_fetches = es_bytes_take_u64(in);
    place->last_time = es_bytes_take_u64(in);
    place->anchor_count = es_bytes_take_u8(in);
    in->bad |= place->anchor_count > sizeof place->anchors / sizeof *place->anchors;
    for (size_t i = 0; i < place->anchor_count && !in->bad; i++) {
        place->anchors[i].fetches = es_bytes_take_u64(in);
        place->anchors[i].time = es_bytes_take_u64(in);
        place->anchors[i].exact = es_bytes_take_u8(in);
    }
    place->state.left = es_bytes_take_u32(in);
    place->state.last = es_bytes_take_u32(in);
    place->state.delta = es_bytes_take_u32(in);
    place->state.reset_time = es_bytes_take_u64(in);
    for (size_t i = 0; i < ES_REPLAY_TIMERS; i++)
        place->state.compare[i] = es_bytes_take_u64(in);
}

#define SINGLE 11
#define FIGURES (SINGLE + 2 * ES_CHOICE_KINDS)

static uint64_t *figure_of(es_replay_summary *s, size_t i)
{
    switch (i) {
    case 0: return &s->bytes;
    case 1: return &s->tokens;
    case 2: return &s->heartbeats;
    case 3: return &s->inputs;
    case 4: return &s->interrupts;
    case 5: return &s->restarts;
    case 6: return &s->changed_memory;
    case 7: return &s->clocks;
    case 8: return &s->fetches;
    case 9: return &s->time;
    case 10: return &s->attempts;
    default: return i - SINGLE < ES_CHOICE_KINDS ? &s->found[i - SINGLE] : &s->open[i - SINGLE - ES_CHOICE_KINDS];
    }
}

void es_keyframe_pack(const es_keyframe *keyframe, es_bytes *out)
{
    es_bytes_put_u32(out, ES_KEYFRAME_VERSION);
    es_bytes_put_u8(out, (uint8_t)((keyframe->last ? LAST : 0) | (keyframe->place.began ? BEGAN : 0) |
                                   (keyframe->failed ? FAILED : 0)));
    es_bytes_put_u64(out, keyframe->moment);
    es_bytes_put_u64(out, keyframe->time);
    es_bytes_put_u64(out, keyframe->tokens);
    es_bytes_put_u64(out, keyframe->choice_count);
    for (size_t i = 0; i < keyframe->choice_count; i++) {
        es_bytes_put_u8(out, keyframe->choices[i].kind);
        es_bytes_put_u64(out, keyframe->choices[i].fetches);
        es_bytes_put_u32(out, keyframe->choices[i].value);
        es_bytes_put_u32(out, keyframe->choices[i].unknown);
    }
    es_replay_summary summary = keyframe->summary;
    if (keyframe->last) {
        for (size_t i = 0; i < FIGURES; i++)
            es_bytes_put_u64(out, *figure_of(&summary, i));
        return;
    }
    put_place(out, &keyframe->place);
    es_bytes_put_u8(out, (uint8_t)keyframe->base);
}

static bool take_choices(es_keyframe *keyframe, es_bytes_reader *in)
{
    uint64_t count = es_bytes_take_u64(in);
    if (in->bad || count > (size_t)(in->end - in->at) / CHOICE_BYTES)
        return false;
    keyframe->choices = es_malloc((count + 1) * sizeof *keyframe->choices);
    keyframe->choice_count = count;
    for (size_t i = 0; i < count; i++) {
        es_choice *choice = &keyframe->choices[i];
        memset(choice, 0, sizeof *choice);
        choice->kind = es_bytes_take_u8(in);
        choice->fetches = es_bytes_take_u64(in);
        choice->value = es_bytes_take_u32(in);
        choice->unknown = es_bytes_take_u32(in);
        in->bad |= choice->kind >= ES_CHOICE_KINDS;
    }
    return !in->bad;
}

bool es_keyframe_unpack(es_keyframe *keyframe, const uint8_t *bytes, size_t size)
{
    es_bytes_reader in = {.at = bytes, .end = bytes + size};
    memset(keyframe, 0, sizeof *keyframe);
    if (es_bytes_take_u32(&in) != ES_KEYFRAME_VERSION)
        return false;
    unsigned flags = es_bytes_take_u8(&in);
    keyframe->last = flags & LAST;
    keyframe->place.began = flags & BEGAN;
    keyframe->failed = flags & FAILED;
    keyframe->moment = es_bytes_take_u64(&in);
    keyframe->time = es_bytes_take_u64(&in);
    keyframe->tokens = es_bytes_take_u64(&in);
    bool good = take_choices(keyframe, &in);
    for (size_t i = 0; i < FIGURES && good && keyframe->last; i++)
        *figure_of(&keyframe->summary, i) = es_bytes_take_u64(&in);
    good = good && !in.bad;
    if (good && !keyframe->last) {
        take_place(&in, &keyframe->place);
        keyframe->base = es_bytes_take_u8(&in);
        keyframe->machine = in.at;
        keyframe->machine_size = (size_t)(in.end - in.at);
        good = !in.bad && keyframe->base <= ES_KEYFRAME_PREVIOUS;
    }
    if (!good) {
        free(keyframe->choices);
        memset(keyframe, 0, sizeof *keyframe);
    }
    return good;
}
