#include "predict/from_hits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "predict/experiment.h"
#include "predict/walk.h"
#include "replay/recording.h"

enum { FETCHES = 20000000 };

/* What a program says of itself. */
typedef struct study {
    const es_symbols *symbols;
    es_predict_library library;
    es_predict_code code;
    es_replay_program program;
    es_predict_rehearsal rehearsal;
    es_predict_routes routes;
    es_predict_shareds shareds;
} study;

static bool begin(study *s, const es_symbols *symbols, es_error *err)
{
    *s = (study){.symbols = symbols};
    if (!es_predict_library_find(symbols, &s->library, err))
        return false;
    if (s->library.late)
        return es_fail(err, ES_USAGE,
                       "items of this program's queues are on their way for a time, which hits do not "
                       "tell: use a recording (`earshot record --inputs`)");
    es_predict_code_read(&s->code, symbols);
    es_replay_reference(&s->program, symbols);
    if (!es_predict_rehearse(&s->rehearsal, &s->code, &s->library, &s->program, err) ||
        !es_predict_routes_find(&s->routes, &s->code, err))
        return false;
    es_predict_points_choose(&s->routes, &s->rehearsal);
    es_predict_shareds_find(symbols, &s->shareds);
    return true;
}

static void end(study *s)
{
    es_predict_shareds_free(&s->shareds);
    es_predict_routes_free(&s->routes);
    es_predict_rehearsal_free(&s->rehearsal);
    es_predict_code_free(&s->code);
}

bool es_predict_hits_statements(const es_symbols *symbols, es_text_buffer *out, es_error *err)
{
    study s;
    bool good = begin(&s, symbols, err);
    if (good)
        es_predict_points_write(&s.routes, &s.library, out);
    end(&s);
    return good;
}

/* --- a trace ---------------------------------------------------------------------------------- */

/* The start up to main is executed, as it does not depend on anything; from there on hits tell the way. */
static bool walk_to_the_end(study *s, es_machine *machine, es_predict_walk *walk, es_predict_trace *trace,
                            es_error *err)
{
    uint32_t main = es_symbols_procedure_named(s->symbols, "main")->low;
    es_machine_registers r;
    uint8_t self[4] = {0};
    es_predict_follower *f = es_predict_follow(machine, &s->code, &s->library, trace);
    es_machine_mark(machine, main, true);
    bool good = es_machine_run(machine, FETCHES) == ES_MACHINE_MARK ||
                es_fail(err, ES_USAGE, "the program's start does not come to main when it is executed by itself");
    es_machine_get(machine, &r);
    es_machine_peek(machine, s->library.running, self, NULL, 4);
    walk->follower = f;
    good = good &&
           es_predict_walk_run(
               walk, self[0] | (uint32_t)self[1] << 8 | (uint32_t)self[2] << 16 | (uint32_t)self[3] << 24, r.x[1], err);
    return es_predict_follow_end(f, good ? err : NULL) && good;
}

es_predict_trace *es_predict_from_hits(const char *path, const es_symbols *symbols, bool *whole, char **way,
                                       es_error *err)
{
    study s;
    es_predict_hits hits = {0};
    es_execution run = {0};
    es_predict_surroundings around = {.cores = 1};
    es_predict_trace *trace = NULL;
    bool good = begin(&s, symbols, err) && es_predict_hits_read(&hits, path, &s.library, err) &&
                es_predict_execute(&run, &s.program, &around, s.program.machine.reset_pc, err);
    if (good) {
        es_predict_walk walk = {.routes = &s.routes,
                                .rehearsal = &s.rehearsal,
                                .library = &s.library,
                                .hits = &hits,
                                .shareds = &s.shareds};
        trace = es_predict_trace_new();
        trace->program_hash = es_recording_hash(symbols);
        bool walked = walk_to_the_end(&s, run.machine, &walk, trace, err);
        trace->depends |= ES_PREDICT_UNSEEN | (walk.ended ? 0 : ES_PREDICT_CUT);
        good = (walked && es_predict_experiment(&s.program, &s.code, &s.library, trace, err) &&
                es_predict_trace_check(trace, err)) ||
               es_fail_in(err, "%s", path);
        es_execution_free(&run);
        if (good && whole)
            *whole = walk.ended;
        if (good && way) {
            es_text_buffer text = {0};
            es_text_format(&text, "%" PRIu64 " hits at places have told %" PRIu64 " blocks", walk.told, walk.blocks);
            if (walk.apart != SIZE_MAX)
                es_text_format(&text,
                               "; from hit %zu on their times are others than the way takes (in all %" PRIu64
                               " clocks, and %" PRIu64 "): hits are missing, or memory has wait states",
                               walk.apart + 1, walk.heard, walk.walked);
            *way = text.text;
        }
    }
    es_predict_hits_free(&hits);
    end(&s);
    if (!good) {
        es_predict_trace_free(trace);
        return NULL;
    }
    return trace;
}
