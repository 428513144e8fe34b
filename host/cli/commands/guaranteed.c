#include "cli/commands/guaranteed.h"

#include <stdio.h>
#include <string.h>

#include "check/boards.h"
#include "check/sides.h"
#include "replay/recorder.h"

/* NULL, and *err: it cannot be asked of the probe, or there is none of that name. */
static const es_check_board *find_board(const es_access *access, const char *name, es_error *err)
{
    enum es_probe_kind probe = access->choice.probe;
    const es_check_board *board = es_check_board_named(name ? name : "sim");
    if (probe == ES_PROBE_FILE || probe == ES_PROBE_REPLAY)
        es_fail(err, ES_USAGE, "--guaranteed is about what will be heard: a recording has what it has");
    else if (probe == ES_PROBE_SIM && name && strcmp(name, "sim") != 0)
        es_fail(err, ES_USAGE, "--guaranteed=%s: the probe is the simulated one", name);
    else if (probe != ES_PROBE_SIM && !name)
        es_fail(err, ES_USAGE, "which board's probe is it? --guaranteed=ulx3s-85f (" ES_CHECK_BOARD_NAMES ")");
    else if (!board)
        es_fail(err, ES_USAGE, "--guaranteed: there is no board '%s': use " ES_CHECK_BOARD_NAMES, name);
    else
        return board;
    return NULL;
}

static bool all_on(const es_check_sides *sides, enum es_session_side side)
{
    if (side == ES_SIDE_PROBE)
        return sides->monitor.guaranteed;
    bool all = true;
    for (size_t k = 0; k < sides->count; k++)
        all = all && sides->statements[k].replay.guaranteed;
    return all;
}

/* Why a side does not guarantee them all. */
static const char *reason(const es_check_sides *sides, enum es_session_side side)
{
    if (side == ES_SIDE_PROBE && sides->count > 1)
        return sides->monitor.why;
    for (size_t k = 0; k < sides->count; k++) {
        const es_check_side *of = side == ES_SIDE_PROBE ? &sides->statements[k].monitor : &sides->statements[k].replay;
        if (!of->guaranteed)
            return of->why;
    }
    return "";
}

static bool choose(es_session_options *session, const es_check_sides *sides, bool quiet, es_error *err)
{
    bool monitor = all_on(sides, ES_SIDE_PROBE), replay = all_on(sides, ES_SIDE_REPLAY);
    if (session->side != ES_SIDE_EITHER) {
        bool good = session->side == ES_SIDE_PROBE ? monitor : replay;
        return good || es_fail(err, ES_EXPECTATION, "not guaranteed on the %s: %s (earshot check tells more)",
                               session->side == ES_SIDE_PROBE ? "monitor" : "replay", reason(sides, session->side));
    }
    if (!monitor && !replay)
        return es_fail(err, ES_EXPECTATION,
                       "not guaranteed: on the monitor: %s; on the replay: %s (earshot check tells more)",
                       reason(sides, ES_SIDE_PROBE), reason(sides, ES_SIDE_REPLAY));
    session->side = monitor ? ES_SIDE_PROBE : ES_SIDE_REPLAY;
    if (!quiet && monitor)
        fprintf(stderr, "earshot: guaranteed on the monitor%s%s\n", sides->monitor.condition ? ", as long as " : "",
                sides->monitor.condition ? sides->monitor.condition : "");
    else if (!quiet)
        fprintf(stderr,
                "earshot: evaluated on the replay, where it is guaranteed, as long as %s; not on the monitor: %s\n",
                sides->replay.condition, reason(sides, ES_SIDE_PROBE));
    return true;
}

bool es_guaranteed_choose(es_session_options *session, const es_access *access, const char *name, bool quiet,
                          es_error *err)
{
    const es_check_board *board = find_board(access, name, err);
    if (!board)
        return false;
    if (access->choice.probe == ES_PROBE_SIM && !access->ratio) /* its clock waits for whatever has to be done */
        return true;
    es_probe_limits limits = board->limits;
    es_check_options options = board->options;
    limits.bus_hz = session->clock_hz;
    limits.start_up = session->start_up;
    limits.times = session->times;
    options.recorder_period = ES_RECORDER_PERIOD;
    if (access->choice.probe == ES_PROBE_SIM)
        options.ratio = (es_check_ratio){access->ratio, 1};
    if (!session->allow_halt)
        limits.lacks |= ES_LACKS_LEAVE;
    es_check_sides sides;
    es_text_buffer earlier = {0};
    bool good = es_check_sides_run(session->program, session->texts, session->text_count, &limits, &options, &sides,
                                   &earlier, err);
    if (earlier.length)
        fputs(earlier.text, stderr);
    es_text_free(&earlier);
    if (!good)
        return false;
    good = choose(session, &sides, quiet, err);
    es_check_sides_free(&sides);
    return good;
}
