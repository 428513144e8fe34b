/* What is known of a probe's clock, in a few words. */
#ifndef ES_RECORD_CLOCK_TEXT_H
#define ES_RECORD_CLOCK_TEXT_H

#include "base/text.h"
#include "record/record.h"

/* Adds "+12.4 ppm (+-1.7), times +-61us", or that it is not known; and how often it was another one before. */
void es_clock_told_text(es_text_buffer *out, const es_clock_told *clock, bool utf8);

#endif
