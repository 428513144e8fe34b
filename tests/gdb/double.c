#include "double.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "probe_defs.h"

#define CLOCKS_EACH 3u
#define SNAPSHOT_EACH 20000u
#define MOST_DEFAULT 20000000u
#define MCAUSE_TIMER 0x80000007u
#define MCAUSE_ALARM 0x8000000Bu

typedef struct place {
    es_machine_snapshot *snapshot;
    uint64_t moment;
    size_t input, interrupt;
} place;

typedef struct interrupt {
    uint64_t moment;
    uint32_t cause;
} interrupt;

/* From a moment on, time has gone on by so much more (wfi). */
typedef struct jump {
    uint64_t moment, clocks;
} jump;

struct es_timeline {
    es_machine *machine;
    bool live; /* devices answer, and are noted */
    uint64_t end;
    uint32_t *inputs;
    size_t input_count, input;
    interrupt *interrupts;
    size_t interrupt_count, interrupt;
    place *places;
    size_t place_count;
    jump *jumps;
    size_t jump_count;
    /* devices */
    uint64_t timecmp, alarm;
    uint32_t random, high;
    es_text_buffer console;
    long exit;
    const char *ended;
};

#define PUSH(array, count, item) \
    ((array) = es_realloc((array), ((count) + 1) * sizeof *(array)), (array)[(count)++] = (item))

static uint64_t clock_of(const es_timeline *t, uint64_t moment)
{
    uint64_t clocks = moment * CLOCKS_EACH;
    for (size_t i = t->jump_count; i-- > 0;)
        if (t->jumps[i].moment <= moment)
            return clocks + t->jumps[i].clocks;
    return clocks;
}

static uint32_t device_value(es_timeline *t, uint32_t address)
{
    uint64_t clock = clock_of(t, es_machine_fetches(t->machine));
    uint32_t value;
    switch (address - ES_TARGET_IO_BASE) {
    case ES_TARGET_IO_CYCLE: t->high = (uint32_t)(clock >> 32); return (uint32_t)clock;
    case ES_TARGET_IO_CYCLEH: return t->high;
    case ES_TARGET_IO_TIMECMP: return (uint32_t)t->timecmp;
    case ES_TARGET_IO_TIMECMPH: return (uint32_t)(t->timecmp >> 32);
    case ES_TARGET_IO_ALARM: return (uint32_t)t->alarm;
    case ES_TARGET_IO_ALARMH: return (uint32_t)(t->alarm >> 32);
    case ES_TARGET_IO_RANDOM:
        value = t->random;
        t->random ^= t->random << 13;
        t->random ^= t->random >> 17;
        t->random ^= t->random << 5;
        return value;
    default: return 0;
    }
}

static uint32_t input(es_timeline *t, uint32_t live)
{
    if (t->live) {
        PUSH(t->inputs, t->input_count, live);
        return live;
    }
    return t->input < t->input_count ? t->inputs[t->input++] : 0;
}

static bool on_read(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    es_timeline *t = context;
    (void)size;
    *unknown = 0;
    *value = input(t, t->live ? device_value(t, address) : 0);
    return true;
}

static void set_half(uint64_t *whole, bool high, uint32_t value)
{
    *whole = high ? (*whole & UINT32_MAX) | (uint64_t)value << 32 : (*whole & ~(uint64_t)UINT32_MAX) | value;
}

static void on_write(void *context, uint32_t address, unsigned size, uint32_t value, uint32_t unknown)
{
    es_timeline *t = context;
    (void)size, (void)unknown;
    if (!t->live)
        return;
    switch (address - ES_TARGET_IO_BASE) {
    case ES_TARGET_IO_CONSOLE: es_text_add(&t->console, &(char){(char)value}, 1); break;
    case ES_TARGET_IO_EXIT:
        t->exit = (long)value;
        es_machine_stop_soon(t->machine);
        break;
    case ES_TARGET_IO_TIMECMP: set_half(&t->timecmp, false, value); break;
    case ES_TARGET_IO_TIMECMPH: set_half(&t->timecmp, true, value); break;
    case ES_TARGET_IO_ALARM: set_half(&t->alarm, false, value); break;
    case ES_TARGET_IO_ALARMH: set_half(&t->alarm, true, value); break;
    default: break;
    }
}

static uint32_t pending(const es_timeline *t)
{
    uint64_t clock = clock_of(t, es_machine_fetches(t->machine));
    return (clock >= t->timecmp ? 1u << 7 : 0) | (clock >= t->alarm ? 1u << 11 : 0);
}

static bool on_control(void *context, unsigned number, uint32_t *value, uint32_t *unknown)
{
    es_timeline *t = context;
    uint64_t clock = clock_of(t, es_machine_fetches(t->machine));
    uint32_t live = number == 0x344 ? pending(t) : number & 0x80 ? (uint32_t)(clock >> 32) : (uint32_t)clock;
    *unknown = 0;
    *value = input(t, live);
    return true;
}

static uint32_t control(const es_timeline *t, unsigned number)
{
    uint32_t value = 0, unknown = 0;
    es_machine_control(t->machine, number, &value, &unknown);
    return value & ~unknown;
}

/* --- the first run ------------------------------------------------------------------------------------------------- */

static void take_interrupt(es_timeline *t)
{
    uint32_t wanted = pending(t) & control(t, 0x304);
    if (!wanted || !(control(t, 0x300) & 8))
        return;
    interrupt taken = {es_machine_fetches(t->machine), wanted >> 11 & 1 ? MCAUSE_ALARM : MCAUSE_TIMER};
    if (es_machine_interrupt(t->machine, taken.cause, 0))
        PUSH(t->interrupts, t->interrupt_count, taken);
}

static void save(es_timeline *t)
{
    place here = {es_machine_save(t->machine), es_machine_fetches(t->machine), t->live ? t->input_count : t->input,
                  t->live ? t->interrupt_count : t->interrupt};
    PUSH(t->places, t->place_count, here);
}

/* wfi: time goes on to the next interrupt. False: none will come. */
static bool sleep_on(es_timeline *t)
{
    uint64_t now = clock_of(t, es_machine_fetches(t->machine)), next = t->timecmp < t->alarm ? t->timecmp : t->alarm;
    if (next == UINT64_MAX)
        return false;
    if (next > now) {
        uint64_t before = t->jump_count ? t->jumps[t->jump_count - 1].clocks : 0;
        PUSH(t->jumps, t->jump_count, ((jump){es_machine_fetches(t->machine), before + next - now}));
    }
    return true;
}

static void record(es_timeline *t, uint64_t most)
{
    es_machine_reset(t->machine);
    t->live = true;
    t->ended = "as many instructions as were wanted";
    save(t);
    while (es_machine_fetches(t->machine) < most) {
        enum es_machine_stop stop = es_machine_run(t->machine, es_machine_fetches(t->machine) + 1);
        if (stop == ES_MACHINE_ASKED) {
            t->ended = "the target's program ended";
            break;
        }
        if (stop == ES_MACHINE_WAITS ? !sleep_on(t) : stop != ES_MACHINE_UNTIL) {
            t->ended = stop == ES_MACHINE_WAITS ? "it waits for good" : es_machine_reason(t->machine);
            break;
        }
        take_interrupt(t);
        if (es_machine_fetches(t->machine) % SNAPSHOT_EACH == 0)
            save(t);
    }
    t->end = es_machine_fetches(t->machine);
    t->live = false;
}

static es_timeline *make(const es_isa *isa, es_error *err)
{
    es_timeline *t = es_malloc(sizeof *t);
    memset(t, 0, sizeof *t);
    t->timecmp = t->alarm = UINT64_MAX;
    t->exit = -1;
    es_machine_options options = {.isa = isa,
                                  .arch = "rv32imc_zicsr_zifencei",
                                  .reset_pc = ES_TARGET_ROM_BASE,
                                  .processor = ES_PROCESSOR_REFERENCE,
                                  .outside = {on_read, on_write, on_control, t}};
    t->machine = es_machine_new(&options, err);
    if (!t->machine || !es_machine_region(t->machine, ES_TARGET_ROM_BASE, ES_TARGET_ROM_SIZE, false, err) ||
        !es_machine_region(t->machine, ES_TARGET_RAM_BASE, ES_TARGET_RAM_SIZE, true, err)) {
        es_timeline_close(t);
        return NULL;
    }
    return t;
}

static void start(es_timeline *t, uint64_t most)
{
    es_error err;
    record(t, most);
    es_timeline_seek(t, 0, &err);
}

es_timeline *es_timeline_open(const char *path, const es_symbols *symbols, es_error *err)
{
    char *rest;
    uint32_t seed = (uint32_t)strtoul(path, &rest, 0);
    uint64_t most = *rest == ',' ? strtoull(rest + 1, NULL, 0) : MOST_DEFAULT;
    const es_segment *segments;
    es_timeline *t = make(es_isa_of_simulated_target(), err);
    if (!t)
        return NULL;
    t->random = seed ? seed : 0x2545F491;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        es_machine_poke(t->machine, segments[i].address, segments[i].bytes, NULL, segments[i].size);
    start(t, most);
    return t;
}

es_timeline *double_of_code(const void *code, uint32_t size, uint64_t most)
{
    es_timeline *t = make(es_isa_of_simulated_target(), NULL);
    if (t) {
        es_machine_poke(t->machine, 0, code, NULL, size);
        start(t, most);
    }
    return t;
}

void es_timeline_close(es_timeline *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->place_count; i++)
        es_machine_snapshot_free(t->places[i].snapshot);
    es_machine_free(t->machine);
    free(t->inputs);
    free(t->interrupts);
    free(t->places);
    free(t->jumps);
    es_text_free(&t->console);
    free(t);
}

/* --- later ones ---------------------------------------------------------------------------------------------------- */

uint64_t es_timeline_end(const es_timeline *t)
{
    return t->end;
}

const char *es_timeline_ended(const es_timeline *t)
{
    return t->ended;
}

uint64_t es_timeline_hz(const es_timeline *t)
{
    (void)t;
    return 10000000;
}

es_machine *es_timeline_machine(es_timeline *t)
{
    return t->machine;
}

uint64_t es_timeline_now(const es_timeline *t)
{
    return es_machine_fetches(t->machine);
}

enum es_machine_stop es_timeline_run(es_timeline *t, uint64_t moment, es_error *err)
{
    moment = moment < t->end ? moment : t->end;
    while (es_machine_fetches(t->machine) < moment) {
        bool interrupts = t->interrupt < t->interrupt_count && t->interrupts[t->interrupt].moment <= moment;
        enum es_machine_stop stop =
            es_machine_run(t->machine, interrupts ? t->interrupts[t->interrupt].moment : moment);
        if (interrupts && es_machine_fetches(t->machine) == t->interrupts[t->interrupt].moment) {
            es_machine_interrupt(t->machine, t->interrupts[t->interrupt++].cause, 0);
            if (stop != ES_MACHINE_ASKED)
                stop = es_machine_is_marked(t->machine, es_machine_pc(t->machine)) ? ES_MACHINE_MARK : ES_MACHINE_UNTIL;
        }
        if (stop == ES_MACHINE_MARK || stop == ES_MACHINE_ASKED)
            return stop;
        if (stop != ES_MACHINE_UNTIL && stop != ES_MACHINE_WAITS) {
            es_fail(err, ES_USAGE, "the replay fails: %s", es_machine_reason(t->machine));
            return ES_MACHINE_STRANGE;
        }
    }
    return ES_MACHINE_UNTIL;
}

bool es_timeline_seek(es_timeline *t, uint64_t moment, es_error *err)
{
    size_t i = t->place_count - 1;
    while (t->places[i].moment > moment)
        i--;
    if (es_machine_fetches(t->machine) > moment || es_machine_fetches(t->machine) < t->places[i].moment) {
        es_machine_restore(t->machine, t->places[i].snapshot);
        t->input = t->places[i].input;
        t->interrupt = t->places[i].interrupt;
    }
    enum es_machine_stop stop = ES_MACHINE_UNTIL;
    while (es_machine_fetches(t->machine) < moment && stop != ES_MACHINE_STRANGE)
        stop = es_timeline_run(t, moment, err);
    return stop != ES_MACHINE_STRANGE;
}

void es_timeline_time(es_timeline *t, uint64_t moment, uint64_t *low, uint64_t *high)
{
    *low = *high = clock_of(t, moment);
}

uint64_t es_timeline_moment(es_timeline *t, uint64_t clocks)
{
    uint64_t moment = 0;
    for (uint64_t step = UINT64_C(1) << 40; step; step /= 2)
        if (moment + step <= t->end && clock_of(t, moment + step) <= clocks)
            moment += step;
    return moment;
}

const char *double_console(const es_timeline *t)
{
    return t->console.text ? t->console.text : "";
}

long double_exit(const es_timeline *t)
{
    return t->exit;
}
