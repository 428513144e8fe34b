/* A recording of as many instructions as wanted, made by executing the program with inputs by chance: long INSTRUCTIONS [FILE to keep
 * it in]. What it
 * looks like at moments all over it is compared with what it was then; and how long they take is printed, with the ratio
 * to replaying all of it. */
#include "check_main.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "draw.h"
#include "replay/keyframes.h"
#include "replay/recording_private.h"
#include "replay/run.h"
#include "replay/timeline.h"

#define BEAT 2700u /* instructions between two heartbeats, of 3 clocks each */
#define LOOKS 24u

static uint64_t length = 200000000;
static const char *keep;

typedef struct maker {
    es_symbols *symbols;
    es_replay_program program;
    es_execution run;
    es_bytes stream; /* not yet written */
    uint64_t inputs;
} maker;

static bool read_input(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    maker *m = context;
    uint32_t word = (draw(1u << 16) << 16 | draw(1u << 16)) & (size < 4 ? (1u << 8 * size) - 1 : UINT32_MAX);
    const es_stream_token token = {.kind = ES_TOKEN_VALUE, .value = word << 8 * (address & 3)};
    uint8_t bytes[ES_TOKEN_LARGEST];
    es_bytes_put(&m->stream, bytes, es_stream_token_put(bytes, &token));
    m->inputs++;
    *value = word;
    *unknown = 0;
    return true;
}

static void put(maker *m, uint8_t kind, uint8_t detail)
{
    es_machine_hash hash = es_machine_get_hash(m->run.machine);
    uint64_t fetches = es_machine_fetches(m->run.machine);
    const es_stream_token token = {
        .kind = kind, .detail = detail, .fetches = fetches, .time = 3 * fetches + 8, .sum = hash.sum, .sums = hash.sums};
    uint8_t bytes[ES_TOKEN_LARGEST];
    es_bytes_put(&m->stream, bytes, es_stream_token_put(bytes, &token));
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void on_piece(void *context, es_replay_piece *piece)
{
    es_keyframes_piece(context, piece);
}

static es_bytes state_of(es_machine *machine)
{
    es_bytes bytes = {0};
    es_machine_snapshot *snapshot = es_machine_save(machine);
    es_machine_snapshot_pack(snapshot, NULL, &bytes);
    es_machine_snapshot_free(snapshot);
    return bytes;
}

/* Makes the recording; what the machine was like at `moments`, into `truth`. Returns how long its replay took. */
static double make(maker *m, const char *path, const uint64_t *moments, es_bytes *truth)
{
    es_error err = {0};
    es_recording_info info;
    const es_machine_outside outside = {.read = read_input, .context = m};
    ck_assert_msg(es_execution_begin_with(&m->run, &m->program, &outside, &err), "%s", err.text);
    es_recording_info_of(&info, &m->program, 10000000);
    es_recording *recording = es_recording_create(path, &info, &err);
    ck_assert_msg(recording != NULL, "%s", err.text);
    es_keyframes *keyframes = es_keyframes_new(recording);
    const es_replay_listener listener = {.piece = on_piece, .context = keyframes};
    es_replay *replay = es_replay_new(&m->program, &listener, &err);
    double took = 0;
    unsigned look = 0;
    put(m, ES_TOKEN_BEGIN, 0);
    for (uint64_t at = 0; at < length; at += BEAT) {
        for (; look < LOOKS && moments[look] < at + BEAT; look++) {
            ck_assert_int_eq(es_machine_run(m->run.machine, moments[look]), ES_MACHINE_UNTIL);
            truth[look] = state_of(m->run.machine);
        }
        ck_assert_int_eq(es_machine_run(m->run.machine, at + BEAT), ES_MACHINE_UNTIL);
        put(m, ES_TOKEN_HEARTBEAT, 0);
        double start = seconds();
        es_replay_push(replay, m->stream.data, m->stream.size);
        took += seconds() - start;
        ck_assert(es_recording_add(recording, m->stream.data, m->stream.size, at + BEAT, 3 * (at + BEAT), &err));
        m->stream.size = 0;
    }
    es_replay_finish(replay);
    ck_assert_msg(!es_replay_failed(replay), "%s", es_replay_ended(replay));
    ck_assert(es_keyframes_finish(keyframes, &err));
    ck_assert(es_recording_close(recording, "its time was over", &err));
    es_keyframes_free(keyframes);
    es_replay_free(replay);
    es_execution_free(&m->run);
    return took;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

START_TEST(any_moment)
{
    maker m = {0};
    es_error err = {0};
    struct stat status;
    char path[4096];
    uint64_t moments[LOOKS];
    es_bytes truth[LOOKS];
    draw_seed = 3;
    if (keep)
        snprintf(path, sizeof path, "%s", keep);
    else
        snprintf(path, sizeof path, "/tmp/earshot-long-%d", (int)getpid());
    m.symbols = es_symbols_open(TESTS_BUILD "/tests/replay/forever-O2.elf", &err);
    ck_assert_msg(m.symbols != NULL, "%s", err.text);
    es_replay_reference(&m.program, m.symbols);
    for (unsigned i = 0; i < LOOKS; i++)
        moments[i] = (uint64_t)draw(1u << 20) * (length >> 20) + 1;
    qsort(moments, LOOKS, sizeof *moments, ascending);
    double all = make(&m, path, moments, truth);
    double start = seconds(), longest = 0;
    es_timeline *t = es_timeline_open(path, m.symbols, &err);
    ck_assert_msg(t && es_timeline_seek(t, UINT64_MAX, &err), "%s", err.text);
    double at_end = seconds() - start;
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_uint_ge(es_timeline_end(t), length);
    for (unsigned i = 0, which; i < LOOKS; i++) {
        which = (i * 7u + 5u) % LOOKS;
        start = seconds();
        ck_assert_msg(es_timeline_seek(t, moments[which], &err), "%s", err.text);
        double one = seconds() - start;
        longest = one > longest ? one : longest;
        es_bytes state = state_of(es_timeline_machine(t));
        ck_assert_uint_eq(state.size, truth[which].size);
        ck_assert_msg(memcmp(state.data, truth[which].data, state.size) == 0, "another state at moment %" PRIu64,
                      moments[which]);
        es_bytes_free(&state);
        es_bytes_free(&truth[which]);
    }
    printf("%" PRIu64 " instructions, %.1f MB: replayed in %.2f s; open at its end in %.3f s (%.0f times faster), at any "
           "moment in %.3f s at most\n",
           es_timeline_end(t), (double)status.st_size / 1e6, all, at_end, all / at_end, longest);
    es_timeline_close(t);
    es_symbols_close(m.symbols);
    es_bytes_free(&m.stream);
    if (!keep)
        unlink(path);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc > 1)
        length = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        keep = argv[2];
    Suite *suite = suite_create("long recording");
    TCase *all = tcase_create("long recording");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, any_moment);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
