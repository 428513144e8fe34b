/* libFuzzer's entry: any bytes must be read as a list of events or refused; what is read goes through statistics and both
 * methods. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "infer/content.h"
#include "infer/infer.h"
#include "infer/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char machine[] =
    "machine m\n key k\n state a b c\n a -> b on x if v < 3 and $w != v do $w = v + 1\n a -> c on y\n b -> a on x\n"
    " b -> c on z[j] if n == 'text'\n c -> a on y if v in (1, 2, 9)\n c -> c on z\n exclusive c by v of 2\n exclusive "
    "b\n";

typedef struct world {
    es_infer_check *check;
    es_infer_learned *learned;
    es_infer_contents *contents;
    es_infer *infer;
} world;

static bool event(void *context, const es_infer_event *event, es_error *err)
{
    world *w = context;
    if (w->infer)
        es_infer_event_came(w->infer, event->time);
    return es_infer_check_event(w->check, event, err);
}

static bool take_loss(void *context, const es_infer_loss *loss, es_error *err)
{
    world *w = context;
    (void)err;
    es_infer_check_loss(w->check, loss);
    if (w->infer)
        es_infer_lost(w->infer, loss);
    return true;
}

static bool learn(void *context, const es_infer_step *step, es_infer_scenario *scenario)
{
    world *w = context;
    es_infer_learn(w->learned, step, scenario);
    es_infer_contents_learn(w->contents, step);
    return true;
}

static bool found(void *context, const es_infer_result *r)
{
    world *w = context;
    double sum = r->other;
    for (uint32_t i = 0; i < r->alternative_count; i++) {
        sum += r->alternatives[i].probability;
        for (uint32_t k = 0; k < r->alternatives[i].count; k++) {
            es_infer_content content;
            es_infer_content_of(w->contents, r->machine_number, r->alternatives[i].passed[k].transition, r->key, 0,
                                &content);
        }
    }
    if (r->alternative_count && r->alternatives[0].probability >= 0 && !(fabs(sum - 1) < 1e-6))
        abort();
    return true;
}

static void leave(void *context, es_infer_scenario *scenario)
{
    (void)context;
    es_infer_leave(scenario);
}

static void pass(world *w, es_infer_model *model, const uint8_t *data, size_t size, bool hidden)
{
    es_error err;
    es_infer_sink sink = {w, event, take_loss};
    FILE *file = fmemopen((void *)data, size, "r");
    es_infer_check_options options = {
        .hidden = hidden, .step = w->infer ? es_infer_take_step : learn, .context = w->infer ? (void *)w->infer : w};
    w->check = es_infer_check_new(model, &options);
    es_infer_read_lines(file, "fuzz", &model->words, &sink, &err);
    if (w->infer)
        es_infer_finish(w->infer);
    es_infer_check_each(w->check, 0, leave, NULL);
    es_infer_check_free(w->check);
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    es_error err;
    es_infer_model *model = es_infer_model_new();
    size_t length = *data & 4 ? sizeof machine - 1 : (size_t)(strstr(machine, " exclusive") - machine);
    if (!es_infer_parse(model, "fuzz", machine, length, &err))
        abort();
    bool hidden = *data & 1;
    world w = {.learned = es_infer_learned_new(model), .contents = es_infer_contents_new(model)};
    pass(&w, model, data + 1, size - 1, hidden);
    es_infer_learned_finish(w.learned);
    es_infer_options how = {.method = *data & 2 ? ES_INFER_PAPER : ES_INFER_JOINT,
                            .loss_rate = 0.01,
                            .hidden = hidden,
                            .event_rate = 0.001,
                            .found = found,
                            .context = &w};
    w.infer = es_infer_new(model, w.learned, &how);
    pass(&w, model, data + 1, size - 1, hidden);
    es_infer_free(w.infer);
    es_infer_learned_free(w.learned);
    es_infer_contents_free(w.contents);
    es_infer_model_free(model);
    return 0;
}
