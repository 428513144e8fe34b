/* A recording on disk, and any moment of it: registers, times and marks are those of the retire log. */
#include "check_main.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw.h"
#include "recorded.h"
#include "replay/timeline.h"

static const char *const programs[] = {"examples/interrupts-O2.elf", "examples/nested-Og.elf", "examples/tasks-O0.elf",
                                       "examples/thermostat-O2.elf"};

/* What registers hold at each moment that is asked for, from the log. */
typedef struct truth {
    const recorded *recorded;
    size_t moment;
    uint32_t x[32];
} truth;

static void truth_at(truth *t, size_t moment)
{
    if (moment < t->moment) {
        memset(t->x, 0, sizeof t->x);
        t->moment = 0;
    }
    for (; t->moment < moment; t->moment++) {
        const es_retired *one = &t->recorded->log[t->moment];
        if (one->rd)
            t->x[one->rd] = one->rd_value;
    }
}

static void compare(es_timeline *t, truth *log, size_t moment)
{
    es_machine_registers registers;
    uint64_t low, high;
    const recorded *r = log->recorded;
    truth_at(log, moment);
    ck_assert_uint_eq(es_timeline_now(t), moment);
    es_machine_get(es_timeline_machine(t), &registers);
    if (moment < r->count)
        ck_assert_uint_eq(registers.pc, r->log[moment].pc);
    for (unsigned reg = 1; reg < 32; reg++)
        ck_assert_msg(!registers.x_unknown[reg] && registers.x[reg] == log->x[reg],
                      "x%u at moment %zu is 0x%08" PRIx32 " (unknown 0x%08" PRIx32 "), truth 0x%08" PRIx32, reg, moment,
                      registers.x[reg], registers.x_unknown[reg], log->x[reg]);
    es_timeline_time(t, moment, &low, &high);
    if (moment < r->count)
        ck_assert_msg(low <= r->log[moment].fetch_cycle && r->log[moment].fetch_cycle <= high,
                      "moment %zu at %" PRIu64 ", said to be at %" PRIu64 " to %" PRIu64, moment,
                      r->log[moment].fetch_cycle, low, high);
}

static es_timeline *opened(const recorded *r, const char *path)
{
    es_error err = {0};
    es_timeline *t = es_timeline_open(path, r->symbols, &err);
    ck_assert_msg(t != NULL, "%s", err.text);
    return t;
}

START_TEST(moments)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/earshot-timeline-%d-%d", (int)getpid(), _i);
    recorded *r = recorded_new(programs[_i], 3, 12, 2000000);
    recorded_write(r, r->encoder.bytes, r->encoder.size, path);
    es_timeline *t = opened(r, path);
    truth log = {.recorded = r};
    draw_seed = 7;
    ck_assert_uint_ge(es_timeline_end(t) + 1, r->count);
    ck_assert_str_eq(es_timeline_ended(t), "the target's program ended");
    for (unsigned i = 0; i < 100; i++) {
        es_error err = {0};
        size_t moment = draw((uint32_t)es_timeline_end(t) + 1);
        ck_assert_msg(es_timeline_seek(t, moment, &err), "%s", err.text);
        compare(t, &log, moment);
        uint64_t low, high;
        es_timeline_time(t, moment, &low, &high);
        ck_assert_uint_ge(es_timeline_moment(t, low), moment);
        if (moment > 20) { /* a few backwards */
            ck_assert(es_timeline_seek(t, moment - 1, &err));
            compare(t, &log, moment - 1);
        }
    }
    es_timeline_close(t);
    unlink(path);
    recorded_free(r);
}
END_TEST

/* Each time that an instruction is executed, and no other, a mark at it stops: also at handlers. */
START_TEST(marks)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/earshot-marks-%d-%d", (int)getpid(), _i);
    recorded *r = recorded_new(programs[_i], 3, 12, 1000000);
    recorded_write(r, r->encoder.bytes, r->encoder.size, path);
    es_timeline *t = opened(r, path);
    uint32_t marked[4] = {r->log[r->count / 2].pc, r->log[r->count / 3].pc, r->program.traps.value & ~3u, r->log[1].pc};
    for (unsigned i = 0; i < 4; i++)
        es_machine_mark(es_timeline_machine(t), marked[i], true);
    size_t stops = 0;
    for (size_t moment = 1; moment < es_timeline_end(t); moment++) {
        es_error err = {0};
        bool is = false;
        for (unsigned i = 0; i < 4; i++)
            is |= r->log[moment].pc == marked[i];
        if (!is)
            continue;
        ck_assert_int_eq(es_timeline_run(t, UINT64_MAX, &err), ES_MACHINE_MARK);
        ck_assert_uint_eq(es_timeline_now(t), moment);
        stops++;
    }
    ck_assert_uint_gt(stops, 3);
    es_timeline_close(t);
    unlink(path);
    recorded_free(r);
}
END_TEST

static int instructions;
static void count(void *context, uint32_t pc)
{
    (void)context, (void)pc;
    instructions++;
}

START_TEST(listener)
{
    char path[64];
    es_error err = {0};
    snprintf(path, sizeof path, "/tmp/earshot-listener-%d", (int)getpid());
    recorded *r = recorded_new(programs[0], 3, 12, 100000);
    recorded_write(r, r->encoder.bytes, r->encoder.size, path);
    es_timeline *t = opened(r, path);
    es_machine_listener hears = {.insn = count};
    instructions = 0;
    es_machine_listen(es_timeline_machine(t), &hears);
    ck_assert(es_timeline_seek(t, 5000, &err));
    ck_assert_int_eq(instructions, 0);
    ck_assert_int_eq(es_timeline_run(t, 6000, &err), ES_MACHINE_UNTIL);
    ck_assert_int_eq(instructions, 1000);
    es_timeline_close(t);
    unlink(path);
    recorded_free(r);
}
END_TEST

/* However it is cut, what can be read of it is what was recorded. */
START_TEST(cut)
{
    char path[64];
    es_error err = {0};
    snprintf(path, sizeof path, "/tmp/earshot-cut-%d", (int)getpid());
    recorded *r = recorded_new(programs[0], 3, 12, 300000), *other = recorded_new(programs[1], 3, 12, 1000);
    recorded_write(r, r->encoder.bytes, r->encoder.size, path);
    ck_assert_ptr_null(es_timeline_open(path, other->symbols, &err));
    ck_assert_int_eq(err.code, ES_USAGE);
    FILE *file = fopen(path, "rb");
    static char bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    draw_seed = 11;
    for (unsigned i = 0; i < 50; i++) {
        size_t kept = draw((uint32_t)size);
        file = fopen(path, "wb");
        ck_assert_uint_eq(fwrite(bytes, 1, kept, file), kept);
        fclose(file);
        es_timeline *t = es_timeline_open(path, r->symbols, &err);
        if (t) {
            ck_assert_str_eq(es_timeline_ended(t), "the recording is cut off there");
            ck_assert_uint_le(es_timeline_end(t), r->count);
        } else {
            ck_assert_int_eq(err.code, ES_USAGE);
        }
        es_timeline_close(t);
    }
    unlink(path);
    recorded_free(r);
    recorded_free(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("timeline");
    TCase *all = tcase_create("timeline");
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, moments, 0, sizeof programs / sizeof *programs);
    tcase_add_loop_test(all, marks, 0, sizeof programs / sizeof *programs);
    tcase_add_test(all, listener);
    tcase_add_test(all, cut);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
