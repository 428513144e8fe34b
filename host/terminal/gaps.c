#include "terminal/gaps.h"

void es_gaps_add(es_gaps *gaps, const es_lost *lost)
{
    es_lost *sum = &gaps->lost[lost->what];
    gaps->count++;
    if (!sum->count) {
        *sum = *lost;
        gaps->order[gaps->kinds++] = lost->what;
        return;
    }
    sum->count += lost->count;
    sum->time = lost->time < sum->time ? lost->time : sum->time;
    if (lost->last == ES_NO_TIME || (sum->last != ES_NO_TIME && lost->last > sum->last))
        sum->last = lost->last;
}

void es_gaps_give(es_gaps *gaps, const es_schema *schema, const es_sink *sink)
{
    es_gaps given = *gaps;
    *gaps = (es_gaps){0};
    for (unsigned i = 0; i < given.kinds; i++) {
        es_record record = {.kind = ES_RECORD_LOST, .schema = schema, .lost = &given.lost[given.order[i]]};
        es_sink_give(sink, &record);
    }
}
