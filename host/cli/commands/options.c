/* The table of the common options, and what each does. */
#include "cli/commands/options.h"

#include <getopt.h>
#include <string.h>

#include "base/sizes.h"
#include "base/times.h"
#include "cli/commands/dump.h"
#include "cli/number.h"

/* --- what each does -------------------------------------------------------------------------------------------- */

static bool take_expression(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    (void)err;
    es_texts_add(&o->texts, value);
    return true;
}

static bool take_statements(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    return es_texts_add_file(&o->texts, value, err);
}

static bool take_task(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    (void)err;
    es_texts_add_task(&o->texts, value);
    return true;
}

static bool take_probe(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    (void)value;
    return es_probe_parse(optarg, &o->access.choice, err); /* which it changes */
}

static bool take_from(void *options, const char *value, es_error *err)
{
    es_access *access = &((es_common_options *)options)->access;
    access->has_from = true;
    return es_replay_moment_read("--from", value, &access->from, err);
}

static bool take_to(void *options, const char *value, es_error *err)
{
    es_access *access = &((es_common_options *)options)->access;
    access->has_to = true;
    return es_replay_moment_read("--to", value, &access->to, err);
}

static bool take_for(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    return es_time_parse("--for", value, &o->session.for_ns, err);
}

static bool take_every(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    return es_time_parse("--every", value, &o->run.every_ns, err);
}

static bool take_dump_ir(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    o->dump_ir = es_dump_pass(value, err);
    return o->dump_ir;
}

static bool take_daemon(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    (void)err;
    o->run.daemon = true;
    o->run.socket = value;
    return true;
}

/* A number of bytes or a length of time: the second has a unit of time. */
static bool take_limit(const char *option, const char *value, uint64_t *bytes, uint64_t *ns, es_error *err)
{
    size_t length = strlen(value);
    return length && strchr("0123456789KMG", value[length - 1]) ? es_size_parse(option, value, bytes, err)
                                                                : es_time_parse(option, value, ns, err);
}

static bool take_rotate(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    return take_limit("--rotate", value, &o->run.rotate_bytes, &o->run.rotate_ns, err);
}

static bool take_keep(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    return take_limit("--keep", value, &o->run.keep_bytes, &o->run.keep_ns, err);
}

static bool take_run(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    if (o->run.run_count == ES_SEVERAL_MAX)
        return es_fail(err, ES_USAGE, "--run: at most %u runs can be looked at together", ES_SEVERAL_MAX);
    o->run.runs[o->run.run_count++] = o->run.joined = value;
    return true;
}

/* Options that are a number from `least` to `most`. */
#define TAKE_NUMBER(name, option, least, most, type, member) \
    static bool name(void *options, const char *value, es_error *err) \
    { \
        int64_t number; \
        (void)value; \
        if (!es_option_number(option, least, most, &number, err)) \
            return false; \
        ((es_common_options *)options)->member = (type)number; \
        return true; \
    }
TAKE_NUMBER(take_count, "--count", 1, INT64_MAX, uint64_t, session.count)
TAKE_NUMBER(take_ratio, "--ratio", 1, 1000, unsigned, access.ratio)
TAKE_NUMBER(take_jobs, "--jobs", 1, 64, unsigned, access.jobs)
TAKE_NUMBER(take_seed, "--seed", 0, UINT32_MAX, uint32_t, access.seed)
TAKE_NUMBER(take_clock, "--clock", 1, 10000000000, uint64_t, session.clock_hz)

/* Options whose text is kept as it is. */
#define TAKE_TEXT(name, member) \
    static bool name(void *options, const char *value, es_error *err) \
    { \
        (void)err; \
        ((es_common_options *)options)->member = value; \
        return true; \
    }
TAKE_TEXT(take_record, access.record)
TAKE_TEXT(take_out, run.out)
TAKE_TEXT(take_name, run.name)
TAKE_TEXT(take_lcov, run.lcov)

/* Options that say yes to something. */
#define TAKE_FLAG(name, member) \
    static bool name(void *options, const char *value, es_error *err) \
    { \
        (void)value, (void)err; \
        ((es_common_options *)options)->member = true; \
        return true; \
    }
TAKE_FLAG(take_all, run.all_runs)
TAKE_FLAG(take_json, run.json)
TAKE_FLAG(take_quiet, run.quiet)
TAKE_FLAG(take_no_daemon, run.no_daemon)
TAKE_FLAG(take_no_color, run.no_color)
TAKE_FLAG(take_allow_unknown, run.allow_unknown)
TAKE_FLAG(take_fail_on_loss, run.fail_on_loss)
TAKE_FLAG(take_exit_code, run.pass_exit_code)
TAKE_FLAG(take_times, session.times)
TAKE_FLAG(take_attach, session.attach)
TAKE_FLAG(take_loaded, session.loaded)
TAKE_FLAG(take_start_up, session.start_up)
TAKE_FLAG(take_allow_halt, session.allow_halt)

static bool take_side(es_common_options *o, enum es_session_side side, es_error *err)
{
    if (o->session.side != ES_SIDE_EITHER && o->session.side != side)
        return es_fail(err, ES_USAGE, "--replay and --probe-only cannot be combined");
    o->session.side = side;
    return true;
}

static bool take_replay(void *options, const char *value, es_error *err)
{
    (void)value;
    return take_side(options, ES_SIDE_REPLAY, err);
}

static bool take_probe_only(void *options, const char *value, es_error *err)
{
    (void)value;
    return take_side(options, ES_SIDE_PROBE, err);
}

static bool take_memory(void *options, const char *value, es_error *err)
{
    es_access *access = &((es_common_options *)options)->access;
    if (access->quiet_count == ES_REPLAY_QUIET)
        return es_fail(err, ES_USAGE, "--memory can be given %u times at most", ES_REPLAY_QUIET);
    es_replay_region *region = &access->quiet[access->quiet_count++];
    return es_option_region("--memory", value, &region->base, &region->size, err);
}

static bool take_guaranteed(void *options, const char *value, es_error *err)
{
    es_common_options *o = options;
    (void)err;
    o->guaranteed = true;
    o->board = value;
    return true;
}

static bool take_processor(void *options, const char *value, es_error *err)
{
    enum es_processor_name name = es_processor_named(value);
    ((es_common_options *)options)->access.processor = name;
    return name != ES_PROCESSORS ||
           es_fail(err, ES_USAGE, "no processor '%s' is known here: --processor takes one of %s", value,
                   es_processor_names());
}

/* --- the table ------------------------------------------------------------------------------------------------- */

#define REPORTS (ES_OF_WATCH | ES_OF_RECORD | ES_OF_TOP | ES_OF_STATS)

/* clang-format off */
const es_option es_common_option_table[] = {
    {"expression", 'e', false, ES_OF_ALL, "STATEMENT", "a statement: 'temp > 80 && mode == ARMED { print temp, mode }'",
     take_expression},
    {"statements", 's', false, ES_OF_ALL, "FILE", "statements from a file", take_statements},
    {"probe", 'p', false, ES_OF_ALL, "PROBE",
     "sim[:OPTIONS] (default), ftdi[:SERIAL], usb[:SERIAL], uart:DEVICE[@BAUD], file:RECORDING",
     take_probe},
    {"count", 'n', false, REPORTS, "N", "end after N hits", take_count},
    {"for", 't', false, ES_OF_ALL, "TIME", "end after TIME: 500us, 5ms, 2s", take_for},
    {"from", 0, false, ES_OF_WATCH | ES_OF_TEST | ES_OF_STATS, "MOMENT",
     "of a recording of inputs: what happened from then on: 1.5ms, a number of instructions, start, end", take_from},
    {"to", 0, false, ES_OF_WATCH | ES_OF_TEST | ES_OF_STATS, "MOMENT", "... and before that", take_to},
    {"every", 0, false, ES_OF_WATCH | ES_OF_TEST | ES_OF_STATS, "TIME",
     "shows statistics every TIME of the target's, not just at the end",
     take_every},
    {"json", 'j', false, ES_OF_ALL, NULL, "JSON Lines on stdout", take_json},
    {"quiet", 'q', false, ES_OF_WATCH, NULL, "hits only: no notes, no summary", take_quiet},
    {"record", 'o', false, ES_OF_WATCH | ES_OF_TOP | ES_OF_STATS, "FILE",
     "keep what the probe sends; replay it with --probe file:FILE", take_record},
    {"task", 0, false, ES_OF_ALL, "VARIABLE",
     "names the running task: a call path for each task (default: that of a usual kernel; none)", take_task},
    {"replay", 0, false, ES_OF_ALL, NULL,
     "evaluate the statements on the replay (default: only where the probe cannot see what they need)", take_replay},
    {"probe-only", 0, false, ES_OF_ALL, NULL, "never: refuse what the probe cannot see", take_probe_only},
    {"jobs", 0, false, REPORTS, "N",
     "of a recording with keyframes: N threads execute it (default: one for each processor)", take_jobs},
    {"guaranteed", 0, true, ES_OF_ALL, "BOARD",
     "evaluate them where it is proven that nothing is missed (earshot check), or do not run; BOARD: which probe it is",
     take_guaranteed},
    {"processor", 0, false, ES_OF_ALL, "NAME",
     "of a board's target, for the replay: any (default), standard, picorv32, serv, ibex, vexriscv, vexriscv-small",
      take_processor},
    {"memory", 0, false, ES_OF_ALL, "REGION",
     "for the replay, twice at most: memory beyond the probe's window that only the program writes, as 0x80000000:8M",
     take_memory},
    {"ratio", 0, false, ES_OF_ALL, "N", "sim: N probe clocks per bus clock (default: as many as the probe needs)",
     take_ratio},
    {"seed", 0, false, REPORTS, "N", "sim: seed of the target's random numbers (default 1)", take_seed},
    {"clock", 0, false, ES_OF_ALL, "HZ",
     "frequency of the target's bus clock, for times (default: the simulation's, 10000000)", take_clock},
    {"times", 0, false, REPORTS, NULL,
     "with each hit, when it was recognised and when its actions began and ended; sim: --ratio 4 unless given",
     take_times},
    {"attach", 0, false, ES_OF_ALL, NULL, "a board's target already runs: do not wait for its reset", take_attach},
    {"loaded", 0, false, ES_OF_ALL, NULL,
     "a board's target was loaded and has not run: data in RAM is as the program file has it", take_loaded},
    {"start-up", 0, false, ES_OF_ALL, NULL, "what start-up code copies and clears is an event, too", take_start_up},
    {"allow-halt", 0, false, ES_OF_ALL, NULL, "the action `halt` may stop the target", take_allow_halt},
    {"allow-unknown", 0, false, ES_OF_ALL, NULL,
     "an expectation of which a loss or an early end leaves open whether it was met does not fail the run",
     take_allow_unknown},
    {"fail-on-loss", 0, false, ES_OF_ALL, NULL, "exit with 4 when anything was lost", take_fail_on_loss},
    {"exit-code", 0, false, REPORTS, NULL, "sim: exit with the program's exit code", take_exit_code},
    {"no-color", 0, false, ES_OF_ALL, NULL, "no colours on a terminal", take_no_color},
    {"out", 0, false, ES_OF_WATCH, "DIR", "keep a trace there: earshot read, export and report show it", take_out},
    {"out", 'o', false, ES_OF_RECORD, "DIR", "keep a trace there: earshot read, export and report show it", take_out},
    {"lcov", 0, false, ES_OF_WATCH | ES_OF_TEST, "FILE",
     "which lines ran, by statements like `cover control.c`, for lcov and genhtml", take_lcov},
    {"rotate", 0, false, ES_OF_WATCH | ES_OF_RECORD, "LIMIT", "begin a new part of the trace after 100M, 2G; 10min, 1h",
     take_rotate},
    {"keep", 0, false, ES_OF_WATCH | ES_OF_RECORD, "LIMIT", "remove its oldest parts beyond 4G, 7d", take_keep},
    {"name", 0, false, ES_OF_RECORD, "NAME", "of the run in the daemon (default: the probe)", take_name},
    {"daemon", 0, true, REPORTS, "SOCKET",
     "let earshotd run it (default for real probes, where it listens; its usual socket unless one is named)",
     take_daemon},
    {"no-daemon", 0, false, REPORTS, NULL, "run it here, also where earshotd listens", take_no_daemon},
    {"run", 0, false, ES_OF_WATCH | ES_OF_TOP | ES_OF_STATS, "NAME",
     "no program: look at a run of earshotd's; watch: may be repeated, and shows several on one time axis", take_run},
    {"all", 0, false, ES_OF_WATCH, NULL, "no program: look at all runs of earshotd's, on one time axis", take_all},
    {"dump-ir", 0, true, ES_OF_WATCH, "PASS",
     "runs nothing: prints the code that the statements become, as built or after a pass", take_dump_ir},
    {0},
};
/* clang-format on */
