/* Keyframes: a recording that has them shows the same, bit by bit, as one that is replayed from its start; also where it was
 * cut, or where some of it is damaged. */
#include "check_main.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "draw.h"
#include "recorded.h"
#include "replay/keyframes.h"
#include "replay/recording_private.h"
#include "replay/timeline.h"

static const char *const programs[] = {
    "examples/interrupts-O2.elf",  "examples/interrupts-O0.elf",
    "examples/nested-Og.elf",      "examples/nested-O2.elf",
    "examples/tasks-O0.elf",       "examples/tasks-O2.elf",
    "examples/thermostat-O2.elf",  "examples/recursion-O0.elf",
    "tests/replay/corners-O2.elf", "tests/machine/workload-O2-rv32imc_zicsr_zifencei.elf",
};

typedef struct fixture {
    recorded *recorded;
    char plain[64], keyed[64];
} fixture;

static void on_piece(void *context, es_replay_piece *piece)
{
    es_keyframes_piece(context, piece);
}

/* With a keyframe each `distance` instructions, in blocks of `block` bytes. */
static void write_keyed(const recorded *r, const char *path, uint64_t distance, size_t block)
{
    es_recording_info info;
    es_error err = {0};
    es_recording_info_of(&info, &r->program, 10000000);
    es_recording *recording = es_recording_create(path, &info, &err);
    ck_assert_msg(recording != NULL, "%s", err.text);
    es_keyframes *keyframes = es_keyframes_new(recording);
    es_keyframes_set_distance(keyframes, distance, UINT64_MAX);
    const es_replay_listener listener = {.piece = on_piece, .context = keyframes};
    es_replay *replay = es_replay_new(&r->program, &listener, &err);
    for (size_t at = 0, size; at < r->encoder.size; at += size) {
        size = r->encoder.size - at < block ? r->encoder.size - at : block;
        es_replay_push(replay, r->encoder.bytes + at, size);
        ck_assert(es_recording_add(recording, r->encoder.bytes + at, size, 0, 0, &err));
        ck_assert(es_recording_flush(recording, &err));
    }
    es_replay_finish(replay);
    ck_assert(es_keyframes_finish(keyframes, replay, &err));
    ck_assert(es_recording_close(recording, "the target's program ended", &err));
    es_keyframes_free(keyframes);
    es_replay_free(replay);
}

static void set_up(fixture *f, int which, uint64_t cycles)
{
    snprintf(f->plain, sizeof f->plain, "/tmp/earshot-plain-%d-%d", (int)getpid(), which);
    snprintf(f->keyed, sizeof f->keyed, "/tmp/earshot-keyed-%d-%d", (int)getpid(), which);
    f->recorded = recorded_new(programs[which], 3, 12, cycles);
    recorded_write(f->recorded, f->recorded->encoder.bytes, f->recorded->encoder.size, f->plain);
    write_keyed(f->recorded, f->keyed, 8000, 3000);
}

static void tear_down(fixture *f)
{
    unlink(f->plain);
    unlink(f->keyed);
    recorded_free(f->recorded);
}

static es_timeline *opened(const fixture *f, const char *path)
{
    es_error err = {0};
    es_timeline *t = es_timeline_open(path, f->recorded->symbols, &err);
    ck_assert_msg(t != NULL, "%s", err.text);
    return t;
}

/* All of the machine's state as bytes: equal states are equal bytes. */
static es_bytes state_of(es_timeline *t)
{
    es_bytes bytes = {0};
    es_machine_snapshot *snapshot = es_machine_save(es_timeline_machine(t));
    es_machine_snapshot_pack(snapshot, NULL, &bytes);
    es_machine_snapshot_free(snapshot);
    return bytes;
}

static void compare_at(es_timeline *a, es_timeline *b, uint64_t moment)
{
    es_error err = {0};
    uint64_t low[2], high[2];
    ck_assert_msg(es_timeline_seek(a, moment, &err), "%s", err.text);
    ck_assert_msg(es_timeline_seek(b, moment, &err), "moment %" PRIu64 ": %s", moment, err.text);
    es_bytes one = state_of(a), other = state_of(b);
    ck_assert_uint_eq(one.size, other.size);
    ck_assert_msg(memcmp(one.data, other.data, one.size) == 0, "another state at moment %" PRIu64, moment);
    es_bytes_free(&one);
    es_bytes_free(&other);
    es_timeline_time(a, moment, &low[0], &high[0]);
    es_timeline_time(b, moment, &low[1], &high[1]);
    ck_assert_msg(low[0] == low[1] && high[0] == high[1],
                  "moment %" PRIu64 " at %" PRIu64 "-%" PRIu64 " or %" PRIu64 "-%" PRIu64, moment, low[0], high[0],
                  low[1], high[1]);
    ck_assert_uint_eq(es_timeline_moment(a, low[0]), es_timeline_moment(b, low[0]));
}

static void compare(es_timeline *a, es_timeline *b, unsigned times)
{
    uint64_t end = es_timeline_end(b);
    ck_assert_uint_le(end, es_timeline_end(a));
    for (unsigned i = 0; i < times; i++) {
        uint64_t moment = draw((uint32_t)end + 1);
        compare_at(a, b, moment);
        if (moment && i % 4 == 0)
            compare_at(a, b, moment - 1);
    }
    compare_at(a, b, end);
}

static size_t count_blocks(const char *path, uint32_t kind, es_recording_block *which, size_t number)
{
    es_error err;
    es_recording_block *blocks;
    size_t count, found = 0;
    es_recording_reader *reader = es_recording_open(path, &err);
    ck_assert(reader && es_recording_list(reader, &blocks, &count, &err));
    for (size_t i = 0; i < count; i++)
        if (blocks[i].kind == kind && found++ == number && which)
            *which = blocks[i];
    free(blocks);
    es_recording_reader_free(reader);
    return found;
}

static void flip(const char *path, uint64_t at)
{
    FILE *file = fopen(path, "r+b");
    ck_assert(file && fseek(file, (long)at, SEEK_SET) == 0);
    int byte = fgetc(file);
    ck_assert(fseek(file, (long)at, SEEK_SET) == 0 && fputc(byte ^ 0x10, file) != EOF);
    fclose(file);
}

START_TEST(same)
{
    fixture f;
    draw_seed = 11;
    set_up(&f, _i, 1500000);
    es_timeline *a = opened(&f, f.plain), *b = opened(&f, f.keyed);
    size_t keyframes = count_blocks(f.keyed, ES_RECORDING_KEYFRAME, NULL, 0);
    ck_assert(!es_timeline_has_keyframes(a) && es_timeline_has_keyframes(b));
    ck_assert_uint_ge(keyframes, es_timeline_end(b) / 100000);
    ck_assert_uint_eq(es_timeline_end(a), es_timeline_end(b));
    ck_assert_str_eq(es_timeline_ended(a), es_timeline_ended(b));
    compare(a, b, 60);
    es_timeline_close(a);
    es_timeline_close(b);
    tear_down(&f);
}
END_TEST

/* Of a block of the stream that is damaged nothing is asked where other parts are looked at. */
START_TEST(lazy)
{
    fixture f;
    es_recording_block block, keyframe;
    draw_seed = 12;
    set_up(&f, 2, 1500000);
    write_keyed(f.recorded, f.keyed, 8000, 500);
    size_t count = count_blocks(f.keyed, ES_RECORDING_BYTES, &block, 2);
    ck_assert_uint_gt(count, 6);
    count_blocks(f.keyed, ES_RECORDING_KEYFRAME, &keyframe, 3);
    ck_assert_uint_gt(keyframe.offset, block.offset + block.raw);
    flip(f.keyed, block.at + ES_RECORDING_BLOCK_HEAD + 50);
    es_timeline *a = opened(&f, f.plain), *b = opened(&f, f.keyed);
    ck_assert_uint_eq(es_timeline_end(a), es_timeline_end(b));
    for (unsigned i = 0; i < 20; i++)
        compare_at(a, b, keyframe.fetches + draw((uint32_t)(es_timeline_end(b) - keyframe.fetches)));
    es_error err = {0};
    ck_assert(!es_timeline_seek(b, keyframe.fetches / 2, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "damaged"));
    compare_at(a, b, keyframe.fetches + 5);
    es_timeline_close(a);
    es_timeline_close(b);
    tear_down(&f);
}
END_TEST

/* Keyframes, their heads, the table or the end: what is damaged is noticed and replayed over. */
START_TEST(damaged)
{
    static const uint32_t kinds[] = {ES_RECORDING_KEYFRAME, ES_RECORDING_LAST, ES_RECORDING_KEYFRAME};
    fixture f;
    draw_seed = 13u + (unsigned)_i;
    set_up(&f, 2 + _i % 4, 800000);
    for (unsigned i = 0; i < 1u + (unsigned)_i % 3; i++) {
        es_recording_block block;
        uint32_t kind = kinds[draw(3)];
        size_t count = count_blocks(f.keyed, kind, NULL, 0);
        ck_assert_uint_gt(count, 0);
        count_blocks(f.keyed, kind, &block, draw((uint32_t)count));
        flip(f.keyed, block.at + (draw(4) ? ES_RECORDING_BLOCK_HEAD + draw(block.packed) : 16 + draw(24)));
    }
    struct stat status;
    ck_assert_int_eq(stat(f.keyed, &status), 0);
    if (_i % 3 == 2) /* the table, too */
        flip(f.keyed, (uint64_t)status.st_size - 30);
    es_timeline *a = opened(&f, f.plain), *b = opened(&f, f.keyed);
    ck_assert_uint_eq(es_timeline_end(a), es_timeline_end(b));
    compare(a, b, 40);
    es_timeline_close(a);
    es_timeline_close(b);
    tear_down(&f);
}
END_TEST

/* Anywhere. */
START_TEST(cut)
{
    fixture f;
    struct stat status;
    es_error err = {0};
    draw_seed = 14u + (unsigned)_i;
    set_up(&f, 2 + _i % 5, 800000);
    ck_assert_int_eq(stat(f.keyed, &status), 0);
    ck_assert_int_eq(truncate(f.keyed, (long)status.st_size / 4 + draw((uint32_t)status.st_size * 3 / 4)), 0);
    es_timeline *a = opened(&f, f.plain), *b = es_timeline_open(f.keyed, f.recorded->symbols, &err);
    if (b) {
        compare(a, b, 30);
        es_timeline_close(b);
    } else {
        ck_assert_ptr_nonnull(strstr(err.text, "no confirmed execution"));
    }
    es_timeline_close(a);
    tear_down(&f);
}
END_TEST

/* Marks and listeners hold over the borders of segments. */
static uint64_t told;
static void count(void *context, uint32_t pc)
{
    (void)context, (void)pc;
    told++;
}

START_TEST(running)
{
    fixture f;
    es_error err = {0};
    set_up(&f, 2, 800000);
    es_timeline *b = opened(&f, f.keyed);
    const recorded *r = f.recorded;
    uint32_t marked = r->program.traps.value & ~3u;
    es_machine_listener hears = {.insn = count};
    es_machine_listen(es_timeline_machine(b), &hears);
    es_machine_mark(es_timeline_machine(b), marked, true);
    for (size_t moment = 1; moment < es_timeline_end(b); moment++) {
        if (r->log[moment].pc != marked)
            continue;
        ck_assert_int_eq(es_timeline_run(b, UINT64_MAX, &err), ES_MACHINE_MARK);
        ck_assert_uint_eq(es_timeline_now(b), moment);
        ck_assert_uint_eq(told, moment);
    }
    ck_assert_int_eq(es_timeline_run(b, UINT64_MAX, &err), ES_MACHINE_UNTIL);
    ck_assert_uint_eq(told, es_timeline_end(b));
    es_timeline_close(b);
    tear_down(&f);
}
END_TEST

START_TEST(pipe_too)
{
    fixture f;
    char path[64];
    set_up(&f, 2, 400000);
    snprintf(path, sizeof path, "/tmp/earshot-pipe-%d", (int)getpid());
    unlink(path); /* of one that was killed and had this number */
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    pid_t writer = fork();
    if (!writer) {
        execlp("cp", "cp", f.keyed, path, (char *)NULL);
        _exit(1);
    }
    es_timeline *a = opened(&f, f.plain), *b = opened(&f, path);
    compare(a, b, 10);
    es_timeline_close(a);
    es_timeline_close(b);
    ck_assert_int_eq(waitpid(writer, NULL, 0), writer);
    unlink(path);
    tear_down(&f);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("keyframes");
    TCase *all = tcase_create("keyframes");
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, same, 0, sizeof programs / sizeof *programs);
    tcase_add_loop_test(all, damaged, 0, 12);
    tcase_add_loop_test(all, cut, 0, 12);
    tcase_add_test(all, lazy);
    tcase_add_test(all, running);
    tcase_add_test(all, pipe_too);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
