/* What to do when the monitor image is larger than the probe's memory, or its code needs more than it was given. */
#include "image/tables/fit.h"

#include <stdio.h>

#include "image/firmware.h"

#define TASK_PLACES_LEAST 8u /* activations that are kept of a task that does not run, at least */

/* A size as people read it: 52,300. */
static const char *thousands(char text[24], size_t number)
{
    if (number >= 1000000)
        snprintf(text, 24, "%zu,%03zu,%03zu", number / 1000000, number / 1000 % 1000, number % 1000);
    else if (number >= 1000)
        snprintf(text, 24, "%zu,%03zu", number / 1000, number % 1000);
    else
        snprintf(text, 24, "%zu", number);
    return text;
}

bool es_fit_refuse(image_builder *b, size_t need)
{
    char needs[24], has[24];
    b->too_large = true;
    if (b->limits->unsure)
        return es_fail(b->err, ES_USAGE,
                       "on the replay a statement, or a group of those that depend on each other, can have %s bytes of "
                       "tables, and here %s are needed: name fewer variables, procedures or paths at once (%zu armed "
                       "data words, %zu armed code words, %zu paths to locals)",
                       thousands(has, b->memory - ES_IMAGE_BASE), thousands(needs, need), b->image->keys_data,
                       b->image->keys_fetch, b->image->nodes);
    return es_fail(b->err, ES_USAGE,
                   "the statements need %s bytes of tables, the probe has %s: watch fewer variables or procedures (%zu "
                   "armed data words, %zu armed code words, %zu paths to locals)",
                   thousands(needs, need), thousands(has, b->memory - ES_IMAGE_BASE), b->image->keys_data,
                   b->image->keys_fetch, b->image->nodes);
}

bool es_fit_less(plan_options *options, const es_program *program)
{
    bool less = program->task ? options->task_places / 2 >= TASK_PLACES_LEAST : !options->lean;
    if (!less && !options->dense)
        return options->dense = true;
    if (program->task)
        options->task_places /= 2;
    options->lean = true;
    return less;
}

bool es_fit_more(const image_builder *b, plan_options *options)
{
    uint32_t library = es_firmware_library_need(b->code.library);
    bool more = b->spilled > options->spill_words || library > options->library;
    if (b->spilled > options->spill_words)
        options->spill_words = b->spilled;
    if (library > options->library)
        options->library = library;
    return more;
}
