/* What a replay says where it cannot go on, and what to do then. */
#include "check_main.h"

#include <stdio.h>
#include <string.h>

#include "recorded.h"

#define PERIOD 13
#define TOLD(why, words) ck_assert_msg(strstr(why, words) != NULL, "\"%s\" is not in: %s", words, why)

/* The recorder listens for the handler at a place where there is none. */
START_TEST(handler_elsewhere)
{
    recorded *r = recorded_new_with_handler("examples/interrupts-O2.elf", 1, PERIOD, 2000000, 0xFFF0);
    compared c;
    compared_run(&c, r, r->encoder.bytes, r->encoder.size, 1000);
    const char *why = es_replay_ended(c.replay);
    ck_assert(es_replay_failed(c.replay));
    ck_assert_uint_eq(c.wrong, 0);
    TOLD(why, "mtvec does not lead to the handler that the recorder knows");
    TOLD(why, "--handler ADDRESS");
    TOLD(why, "all before it is confirmed");
    es_replay_free(c.replay);
    recorded_free(r);
}
END_TEST

/* --- a target whose registers hold something after the reset ------------------------------------------------------- */

typedef struct target {
    recorded truth; /* its program and stream */
    es_machine *machine;
} target;

static bool read_zeros(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    (void)context, (void)address, (void)size;
    *value = *unknown = 0;
    return true;
}

static void on_access(void *context, const es_machine_access *access)
{
    target *t = context;
    encoder *e = &t->truth.encoder;
    uint64_t time = 4 * es_machine_fetches(t->machine);
    switch (access->kind) {
    case ES_KIND_FETCH: encoder_fetch(e, access->address, access->data, time); break;
    case ES_KIND_READ: encoder_read(e, access->address, access->lanes, access->data, time); break;
    default: encoder_write(e, access->address, access->lanes, access->data, time); break;
    }
}

/* Executed by a machine, with these values in all registers; as its stream tells it. */
static void run_target(target *t, const char *name, uint32_t held, uint64_t instructions)
{
    es_error err = {0};
    char path[256];
    *t = (target){.machine = NULL};
    snprintf(path, sizeof path, TESTS_BUILD "/%s", name);
    t->truth.symbols = es_symbols_open(path, &err);
    ck_assert_msg(t->truth.symbols != NULL, "%s", err.text);
    es_replay_program *program = &t->truth.program;
    es_replay_reference(program, t->truth.symbols);
    program->machine.known_at_reset = false;
    es_execution run = {.machine = NULL};
    es_machine_outside outside = {.read = read_zeros};
    ck_assert(es_execution_begin_with(&run, program, &outside, &err));
    t->machine = run.machine;
    es_machine_registers registers = {.pc = program->machine.reset_pc};
    for (unsigned i = 1; i < 32; i++)
        registers.x[i] = held;
    es_machine_set(run.machine, &registers);
    encoder *e = &t->truth.encoder;
    *e = (encoder){.window_base = program->regions[0].base,
                   .window_size = program->regions[1].base + program->regions[1].size,
                   .vector = {1, 1},
                   .period = PERIOD};
    encoder_begin(e, t->truth.symbols, 0);
    es_machine_listener listener = {.access = on_access, .context = t};
    es_machine_listen(run.machine, &listener);
    ck_assert_int_eq(es_machine_run(run.machine, instructions), ES_MACHINE_UNTIL);
    encoder_end(e, 4 * instructions);
    es_execution_free(&run);
}

static es_replay *replay(const target *t)
{
    es_error err = {0};
    es_replay *replay = es_replay_new(&t->truth.program, NULL, &err);
    ck_assert_msg(replay != NULL, "%s", err.text);
    es_replay_push(replay, t->truth.encoder.bytes, t->truth.encoder.size);
    es_replay_finish(replay);
    return replay;
}

static void free_target(target *t)
{
    encoder_free(&t->truth.encoder);
    es_symbols_close(t->truth.symbols);
}

/* main stores what its caller had in registers, and start-up code has set few of them. */
START_TEST(registers_not_set)
{
    target t;
    run_target(&t, "examples/thermostat-O2.elf", 0x5A5A5A5A, 5000);
    es_replay *replayed = replay(&t);
    const char *why = es_replay_ended(replayed);
    ck_assert(es_replay_failed(replayed));
    ck_assert_uint_eq(es_replay_get_summary(replayed).fetches, 0);
    TOLD(why, "a register that nothing has set since the reset");
    TOLD(why, "its start-up code should set all of them");
    TOLD(why, "it was stored first at 0x");
    TOLD(why, "examples/thermostat/control.c:");
    es_replay_free(replayed);
    free_target(&t);
}
END_TEST

/* As after a power-up. */
START_TEST(registers_of_zeros)
{
    target t;
    run_target(&t, "examples/thermostat-O2.elf", 0, 5000);
    es_replay *replayed = replay(&t);
    ck_assert_msg(!es_replay_failed(replayed), "%s", es_replay_ended(replayed));
    ck_assert_uint_ge(es_replay_get_summary(replayed).fetches, 4990);
    es_replay_free(replayed);
    free_target(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alarms");
    TCase *all = tcase_create("messages");
    tcase_add_test(all, handler_elsewhere);
    tcase_add_test(all, registers_not_set);
    tcase_add_test(all, registers_of_zeros);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
