/* Frames of events: es_event_port. */
#include "softprobe/private.h"

void es_softprobe_event_word(es_softprobe *probe, uint32_t word)
{
    frame_building *frame = &probe->frame;
    if (frame->count == 0) {
        frame->missing = word >> 8 & 0x3F;
        frame->broken = (word >> 8 & 0xFF) > ES_FRAME_MAX_WORDS - 1;
    } else if (frame->missing == 0) {
        frame->broken = true;
    } else {
        frame->missing--;
    }
    if (!frame->broken)
        frame->words[frame->count] = word;
    frame->count += frame->count < ES_FRAME_MAX_WORDS;
}

void es_softprobe_event_end(es_softprobe *probe)
{
    frame_building *frame = &probe->frame;
    if (frame->count && !frame->broken && !frame->missing)
        es_softprobe_say(probe, frame->words, frame->count);
    frame->count = 0;
    frame->broken = false;
}

void es_softprobe_event_head(es_softprobe *probe, uint32_t head)
{
    es_softprobe_event_word(probe, (uint32_t)probe->frame.sequence_number << 16 | (head & 0xFFFF));
    probe->frame.sequence_number += probe->runs; /* while the soft core is in reset it stays 0 */
}

void es_softprobe_event_hit(es_softprobe *probe, uint32_t told)
{
    es_softprobe_event_head(probe, (told >> 16 & 0xFF) << 8 | ES_FRAME_HIT);
    if (!probe->runs)
        return;
    es_softprobe_event_word(probe, probe->head.time);
    es_softprobe_event_word(probe, probe->time_high);
    es_softprobe_event_word(probe, (uint32_t)probe->frame.flags << 16 | (told & 0xFFFF));
    es_softprobe_event_word(probe, probe->head.pc);
}
