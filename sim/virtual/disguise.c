#include "virtual/disguise.h"

#include <string.h>

void es_disguise_command(es_disguise *disguise, const uint32_t *words, size_t count)
{
    if (count != 3 || (words[0] & 0xFF) != ES_OP_READ)
        return;
    disguise->asked = true;
    disguise->sequence = words[0] >> 16;
    disguise->address = words[1];
    disguise->count = words[2];
}

/* The word of an answer that has this register; NULL: it is not among them. */
static uint32_t *answer_for(const es_disguise *disguise, uint32_t reg, uint32_t *words, size_t count)
{
    uint32_t place = (ES_REG_BASE + reg - disguise->address) / 4;
    bool there = ES_REG_BASE + reg >= disguise->address && place < disguise->count && place + 2 < count;
    return there ? &words[place + 2] : NULL;
}

static void change(es_disguise *disguise, uint32_t *words, size_t count)
{
    if (!disguise->asked || (words[0] & 0xFF) != ES_FRAME_RESPONSE || words[0] >> 16 != disguise->sequence)
        return;
    uint32_t *id = answer_for(disguise, ES_REG_ID, words, count);
    uint32_t *config = answer_for(disguise, ES_REG_CONFIG, words, count);
    if (id && disguise->id)
        *id = disguise->id;
    if (config && disguise->no_clock)
        *config &= ~ES_CONFIG_TIME_NOW;
    disguise->asked = false;
}

void es_disguise_push(es_disguise *disguise, const uint8_t *bytes, size_t size)
{
    uint32_t words[ES_FRAME_MAX_WORDS];
    uint8_t wire[ES_FRAME_WIRE_MAX];
    for (size_t done = 0; done < size;) {
        size_t count = 0;
        done += es_deframer_push(&disguise->frames, bytes + done, size - done, words, &count);
        if (!count)
            continue;
        change(disguise, words, count);
        size_t length = es_frame_encode(words, count, wire);
        es_text_add(&disguise->out, (const char *)wire, length);
    }
}

size_t es_disguise_take(es_disguise *disguise, uint8_t *bytes, size_t size)
{
    size_t left = disguise->out.length - disguise->taken, count = left < size ? left : size;
    if (count)
        memcpy(bytes, disguise->out.text + disguise->taken, count);
    disguise->taken += count;
    if (disguise->taken == disguise->out.length) {
        es_text_clear(&disguise->out);
        disguise->taken = 0;
    }
    return count;
}
