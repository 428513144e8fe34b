#include "predict/from_recording.h"

#include <string.h>

#include "predict/code.h"
#include "predict/experiment.h"
#include "predict/follow.h"
#include "predict/library.h"
#include "replay/recording.h"
#include "replay/timeline.h"

static bool follow_to_the_end(es_timeline *timeline, const es_predict_code *code, const es_predict_library *library,
                              es_predict_trace *trace, es_error *err)
{
    if (!es_timeline_seek(timeline, 0, err))
        return false;
    es_machine *machine = es_timeline_machine(timeline);
    es_predict_follower *f = es_predict_follow(machine, code, library, trace);
    es_predict_follow_memory(f);
    enum es_machine_stop stop;
    do
        stop = es_timeline_run(timeline, es_timeline_end(timeline), err);
    while (stop == ES_MACHINE_ASKED && !es_predict_follow_wrong(f));
    if (stop == ES_MACHINE_STRANGE) {
        es_predict_follow_end(f, NULL);
        return false;
    }
    return es_predict_follow_end(f, err);
}

es_predict_trace *es_predict_from_recording(const char *path, const es_symbols *symbols, bool *whole, es_error *err)
{
    es_predict_library library;
    es_predict_code code;
    es_replay_program program;
    es_timeline *timeline = NULL;
    if (!es_predict_library_find(symbols, &library, err) || !(timeline = es_timeline_open(path, symbols, err)))
        return NULL;
    es_predict_trace *trace = es_predict_trace_new();
    es_predict_code_read(&code, symbols);
    es_replay_reference(&program, symbols);
    trace->program_hash = es_recording_hash(symbols);
    bool good = follow_to_the_end(timeline, &code, &library, trace, err) &&
                es_predict_experiment(&program, &code, &library, trace, err);
    bool ended = good && strcmp(es_timeline_ended(timeline), "the target's program ended") == 0;
    trace->depends |= ended ? 0 : ES_PREDICT_CUT;
    if (good && whole)
        *whole = ended;
    if (good && !es_predict_trace_check(trace, err))
        good = es_fail_in(err, "%s", path);
    es_predict_code_free(&code);
    es_timeline_close(timeline);
    if (!good) {
        es_predict_trace_free(trace);
        return NULL;
    }
    return trace;
}
