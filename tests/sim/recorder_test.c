/* The recorder in the simulated probe: what it sends of whole programs, against the target's own log of retired
 * instructions. Every token is looked at: nothing may be missing, and nothing too many. */
#include <string.h>

#include "../support/check_main.h"
#include "byte_port.h"
#include "probe_defs.h"
#include "symbols/symbols.h"
#include "transport/command.h"
#include "world.h"

#define PERIOD_LOG2 12
#define STREAM_MAX (8u << 20)
#define WINDOW (ES_TARGET_ROM_SIZE + ES_TARGET_RAM_SIZE)

/* What the target did on its bus, by the log. */
typedef struct access {
    uint32_t time, instruction, value;
    bool input, clock, vector[2], memory; /* tokens that it needs */
    bool may;                             /* a read of a word of which phantom memory knows some bytes: also memory */
    uint32_t fetches, sum, sums;          /* of all before it */
} access;

typedef struct recording {
    world *world;
    es_transport *transport;
    es_link *link;
    uint8_t *stream;
    size_t size;
    unsigned frames, events, gaps;
    size_t at; /* reading it */
    access *accesses;
    uint8_t known[WINDOW / 4]; /* bytes of each word that the file or an access has told so far, a bit each */
    size_t count, done;        /* of those so many are told by the stream so far */
    uint32_t last, predicted;
    unsigned tokens[16], predictions;
} recording;

static void on_event(void *context, const es_event *event)
{
    recording *r = context;
    if (event->kind != ES_EVENT_RECORD) {
        r->events++;
        r->gaps += event->kind == ES_EVENT_GAP;
        return;
    }
    ck_assert_uint_eq(event->core, 0);
    ck_assert_uint_eq(event->sequence, r->frames & 0xFFFF);
    ck_assert(r->size + 4 * event->word_count < STREAM_MAX);
    r->frames++;
    for (size_t i = 0; i < event->word_count; i++)
        for (unsigned lane = 0; lane < 4; lane++)
            r->stream[r->size++] = (uint8_t)(event->words[i] >> 8 * lane);
}

static void write_register(recording *r, uint32_t offset, uint32_t value)
{
    es_error err = {0};
    ck_assert_msg(es_link_write(r->link, ES_REG_BASE + offset, &value, 1, &err), "%s", err.text);
}

static uint32_t read_register(recording *r, uint32_t offset)
{
    es_error err = {0};
    uint32_t value = 0;
    ck_assert_msg(es_link_read(r->link, ES_REG_BASE + offset, &value, 1, &err), "%s", err.text);
    return value;
}

/* --- the log as accesses ---------------------------------------------------------------------------------- */

static uint32_t rotated(uint32_t value, unsigned by)
{
    return value << by | value >> (32 - by);
}

static bool reads_clock(uint32_t insn)
{
    static const uint16_t own[] = {0xB00, 0xB02, 0xB80, 0xB82, 0xC00, 0xC01, 0xC02, 0xC80, 0xC81, 0xC82, 0x344};
    if ((insn & 0x7F) != 0x73 || !(insn >> 12 & 3))
        return false;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (insn >> 20 == own[k])
            return true;
    return false;
}

static uint32_t bytes_of(unsigned lanes)
{
    uint32_t bytes = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        bytes |= lanes >> lane & 1 ? 0xFFu << 8 * lane : 0;
    return bytes;
}

/* What an instruction read, in its lanes. */
static uint32_t value_read(const es_retired *i)
{
    ck_assert_uint_ne(i->rd, 0); /* else the log does not tell */
    return i->rd_value << 8 * (unsigned)__builtin_ctz(i->mem_rmask) & bytes_of(i->mem_rmask);
}

/* One more access, of the term that it adds to the sum. The one after the last has the sums of all. */
static access *add_access(recording *r, const access *told, uint32_t term, bool fetch)
{
    access *here = &r->accesses[r->count++], *next = here + 1;
    uint32_t fetches = here->fetches, sum = here->sum, sums = here->sums;
    *here = *told;
    here->fetches = fetches;
    here->sum = sum;
    here->sums = sums;
    next->fetches = fetches + fetch;
    next->sum = sum + term;
    next->sums = sums + next->sum;
    return here;
}

static void list_accesses(recording *r, uint32_t handler)
{
    bool was_handler = false;
    r->accesses = calloc(2 * r->world->retired_count + 1, sizeof *r->accesses);
    ck_assert_ptr_nonnull(r->accesses);
    for (size_t k = 0; k < r->world->retired_count; k++) {
        const es_retired *i = &r->world->retired[k];
        access fetch = {.time = (uint32_t)i->fetch_cycle,
                        .instruction = (uint32_t)k,
                        .clock = reads_clock(i->insn),
                        .vector = {i->pc == handler && !was_handler, i->pc == 0}};
        was_handler = i->pc == handler;
        add_access(r, &fetch, i->pc, true);
        access data = {
            .time = (uint32_t)i->cycle, .instruction = (uint32_t)k, .input = i->mem_rmask && i->mem_addr >= WINDOW};
        if (!i->mem_rmask && !i->mem_wmask)
            continue;
        uint8_t *known = i->mem_addr < WINDOW ? &r->known[i->mem_addr / 4] : NULL;
        if (i->mem_rmask)
            data.value = value_read(i);
        data.memory = i->mem_rmask && known && *known == 0;
        data.may = i->mem_rmask && known && *known != 15;
        if (known)
            *known |= i->mem_rmask | i->mem_wmask;
        if (i->mem_rmask)
            add_access(r, &data, rotated(i->mem_addr, 8) ^ data.value, false);
        else
            add_access(r, &data, rotated(i->mem_addr, 16) ^ (i->mem_wdata & bytes_of(i->mem_wmask)), false);
    }
}

/* The whole run of a program, phantom memory loaded before; writes to the topmost `watched` words are events. */
static void record_watched(recording *r, const es_sim_config *config, const char *program, const char *handler,
                           size_t watched)
{
    es_error err = {0};
    char path[256];
    memset(r, 0, sizeof *r);
    r->stream = malloc(STREAM_MAX);
    ck_assert_ptr_nonnull(r->stream);
    r->world = world_new(config, program, true);
    r->transport = es_transport_sim(r->world->sim);
    r->link = es_link_new(r->transport, on_event, r);
    ck_assert(read_register(r, ES_REG_CONFIG) & ES_CONFIG_RECORDER);
    ck_assert_uint_eq(read_register(r, ES_REG_REC_CTRL), 0);
    write_register(r, ES_REG_CTRL, ES_CTRL_CLEAR);
    while (read_register(r, ES_REG_CTRL) & 1)
        continue;
    snprintf(path, sizeof path, TESTS_BUILD "/%s", program);
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++) {
        for (size_t at = 0; at < segments[i].size; at += 4) {
            uint32_t word = 0;
            memcpy(&word, segments[i].bytes + at, segments[i].size - at < 4 ? segments[i].size - at : 4);
            ck_assert_msg(es_link_write(r->link, ES_PHANTOM_BASE + segments[i].address + (uint32_t)at, &word, 1, &err),
                          "%s", err.text);
            r->known[(segments[i].address + at) / 4] = 15;
        }
    }
    uint32_t address = 1; /* none */
    ck_assert(!handler || es_symbols_value(symbols, handler, &address));
    es_symbols_close(symbols);
    uint32_t code[256] = {0}; /* firmware, which takes the marks of epochs off the hit queue */
    FILE *file = fopen(TESTS_BUILD "/tests/sim/monitor.bin", "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(code, 1, sizeof code, file), 0);
    fclose(file);
    ck_assert_msg(es_link_write(r->link, ES_MEM_BASE, code, 256, &err), "%s", err.text);
    write_register(r, ES_REG_CPU_CTRL, 1);
    for (size_t i = 1; i <= watched; i++) {
        uint32_t bit = ES_PLANE_HIT, at = ES_PLANE_DATA_BASE + WINDOW - (uint32_t)(4 * i);
        ck_assert_msg(es_link_write(r->link, at, &bit, 1, &err), "%s", err.text);
    }
    write_register(r, ES_REG_REC_PERIOD, ~0u << PERIOD_LOG2);
    write_register(r, ES_REG_REC_VECTOR, address);
    write_register(r, ES_REG_REC_MASK, ~0u);
    write_register(r, ES_REG_REC_VECTOR + 8, 0);
    write_register(r, ES_REG_REC_MASK + 8, ~0u);
    write_register(r, ES_REG_REC_CTRL, ES_REC_START);
    while (!(read_register(r, ES_REG_REC_CTRL) & 1))
        continue;
    ck_assert_int_eq(world_run(r->world), ES_SIM_EXITED);
    for (int i = 0; i < 100 && !es_sim_idle(r->world->sim); i++)
        es_sim_step(r->world->sim, 10000, 0);
    write_register(r, ES_REG_REC_CTRL, ES_REC_STOP);
    while (read_register(r, ES_REG_REC_CTRL) & 1)
        continue;
    while (es_link_pump(r->link, 1, &err) > 0)
        continue;
    list_accesses(r, address);
}

static void record(recording *r, const es_sim_config *config, const char *program, const char *handler)
{
    record_watched(r, config, program, handler, 0);
}

static void recording_free(recording *r)
{
    es_link_free(r->link);
    r->transport->ops->close(r->transport);
    world_free(r->world);
    free(r->stream);
    free(r->accesses);
}

/* --- the stream --------------------------------------------------------------------------------------------- */

static uint32_t number(recording *r, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        ck_assert_uint_lt(r->at, r->size);
        value |= (uint32_t)r->stream[r->at++] << 8 * i;
    }
    return value;
}

static bool needs_token(const access *a)
{
    return a->input || a->clock || a->memory || a->vector[0] || a->vector[1];
}

/* All accesses before `upto` are told. */
static void pass(recording *r, size_t upto)
{
    ck_assert_uint_le(r->done, upto);
    for (; r->done < upto; r->done++)
        ck_assert_msg(!needs_token(&r->accesses[r->done]), "a token of access %zu is missing", r->done);
}

/* The next access that needs a token: it is this one's. */
static access *next_told(recording *r)
{
    size_t next = r->done;
    while (next < r->count && !needs_token(&r->accesses[next]))
        next++;
    ck_assert_uint_lt(next, r->count);
    pass(r, next);
    return &r->accesses[next];
}

static void take_input(recording *r, uint32_t value)
{
    access *a = next_told(r);
    ck_assert(a->input);
    ck_assert_uint_eq(a->value, value);
    a->input = false;
    r->predicted = 2 * value - r->last;
    r->last = value;
    pass(r, r->done + 1);
}

static void take_vector(recording *r, unsigned vector)
{
    ck_assert_uint_le(vector, 1);
    access *a = next_told(r);
    ck_assert(a->vector[vector]);
    ck_assert_uint_eq(a->instruction, number(r, 4));
    ck_assert_uint_eq(a->time, number(r, 4));
    a->vector[vector] = false;
}

static void take_memory(recording *r, unsigned which)
{
    uint32_t instruction = number(r, 4);
    ck_assert_uint_eq(which, 1); /* no code is unknown, and no instruction reads twice */
    size_t place = r->done;
    while (place < r->count && !(r->accesses[place].instruction == instruction && r->accesses[place].may))
        place++;
    ck_assert_msg(place < r->count, "instruction %u reads no word that is not known", instruction);
    pass(r, place);
    ck_assert_uint_eq(number(r, 4), r->accesses[place].value);
    r->accesses[place].memory = r->accesses[place].may = false;
}

static void take_clock(recording *r)
{
    access *a = next_told(r);
    ck_assert(a->clock);
    ck_assert_uint_eq(a->time, number(r, 4));
    a->clock = false;
}

static void take_heartbeat(recording *r)
{
    uint32_t fetches = number(r, 4), sum = number(r, 4), sums = number(r, 4), time = number(r, 4);
    size_t place = r->done;
    const access *a = r->accesses;
    while (place < r->count && !(a[place].fetches == fetches && a[place].sum == sum && a[place].sums == sums))
        place++;
    ck_assert_msg(a[place].fetches == fetches && a[place].sum == sum && a[place].sums == sums,
                  "no place has the sums of the heartbeat after %u fetches", fetches);
    pass(r, place);
    /* periods begin between the access before it and its own time */
    ck_assert(place == 0 || place == r->count || a[place - 1].time >> PERIOD_LOG2 < time >> PERIOD_LOG2);
}

static void take_token(recording *r)
{
    unsigned first = number(r, 1), kind = first >> ES_TOKEN_KIND_SHIFT, low = first & 15;
    r->tokens[kind]++;
    switch (kind) {
    case ES_TOKEN_NOTHING: ck_assert_uint_eq(low, 0); break;
    case ES_TOKEN_VALUE: {
        ck_assert_uint_le(low, 3);
        uint32_t value = number(r, low + 1);
        ck_assert_uint_ne(value, r->predicted);
        take_input(r, value);
        break;
    }
    case ES_TOKEN_RUN: {
        ck_assert_uint_le(low, 3);
        uint32_t count = number(r, low + 1);
        ck_assert_uint_gt(count, 0);
        r->predictions += count;
        for (; count; count--)
            take_input(r, r->predicted);
        break;
    }
    case ES_TOKEN_MEMORY: take_memory(r, low); break;
    case ES_TOKEN_VECTOR: take_vector(r, low); break;
    case ES_TOKEN_CLOCK: take_clock(r); break;
    case ES_TOKEN_HEARTBEAT: take_heartbeat(r); break;
    case ES_TOKEN_END:
        ck_assert_uint_eq(low, ES_END_ASKED);
        ck_assert_uint_eq(number(r, 4), r->accesses[r->done].fetches);
        number(r, 4);
        break;
    case ES_TOKEN_BEGIN: ck_assert_uint_eq(number(r, 4), r->accesses[0].time); break;
    default: ck_abort_msg("an unexpected token: 0x%02x at %zu", first, r->at - 1);
    }
}

static void check_stream(recording *r)
{
    ck_assert_uint_eq(r->stream[0] >> ES_TOKEN_KIND_SHIFT, ES_TOKEN_BEGIN);
    while (r->at < r->size && !r->tokens[ES_TOKEN_END])
        take_token(r);
    ck_assert_uint_eq(r->tokens[ES_TOKEN_END], 1);
    ck_assert_uint_eq(r->done, r->count);
    ck_assert_uint_lt(r->size - r->at, 4);
    while (r->at < r->size)
        ck_assert_uint_eq(number(r, 1), 0);
    printf("  %zu accesses, %zu bytes in %u frames: %u VALUE, %u RUN (%u), %u MEMORY, %u VECTOR, %u CLOCK, "
           "%u HEARTBEAT\n",
           r->count, r->size, r->frames, r->tokens[ES_TOKEN_VALUE], r->tokens[ES_TOKEN_RUN], r->predictions,
           r->tokens[ES_TOKEN_MEMORY], r->tokens[ES_TOKEN_VECTOR], r->tokens[ES_TOKEN_CLOCK],
           r->tokens[ES_TOKEN_HEARTBEAT]);
}

static const struct {
    const char *program, *handler;
} programs[] = {
    {"examples/tasks-O2.elf", "timer_isr"}, {"examples/interrupts-Og.elf", "timer_isr"},
    {"examples/nested-O0.elf", "isr"},      {"examples/thermostat-O2.elf", NULL},
    {"examples/recursion-O0.elf", NULL},
};

START_TEST(stream_is_what_the_log_says)
{
    static recording r;
    record(&r, &(es_sim_config){.world = ES_SIM_BYTES, .seed = 3}, programs[_i].program, programs[_i].handler);
    check_stream(&r);
    recording_free(&r);
}
END_TEST

/* Clocks that are left out change no byte, nor does a probe that does not wait for the target's clock. */
START_TEST(stream_is_the_same)
{
    static const es_sim_config configs[] = {{.world = ES_SIM_BYTES, .seed = 5},
                                            {.world = ES_SIM_BYTES, .seed = 5, .every_clock = true},
                                            {.world = ES_SIM_BYTES, .seed = 5, .ratio = 4},
                                            {.world = ES_SIM_FT245, .seed = 5, .ratio = 4}};
    static recording first, other;
    record(&first, &configs[0], programs[0].program, programs[0].handler);
    record(&other, &configs[_i], programs[0].program, programs[0].handler);
    ck_assert_uint_gt(first.size, 1000);
    ck_assert_uint_eq(first.size, other.size);
    ck_assert_mem_eq(first.stream, other.stream, first.size);
    recording_free(&first);
    recording_free(&other);
}
END_TEST

/* Events in between change nothing, and none of them is missing. */
START_TEST(events_go_beside)
{
    const es_sim_config config = {.world = ES_SIM_BYTES, .seed = 5};
    static recording alone, beside;
    record(&alone, &config, "examples/recursion-O0.elf", NULL);
    record_watched(&beside, &config, "examples/recursion-O0.elf", NULL, 64);
    ck_assert_uint_gt(beside.events, alone.events + 500);
    ck_assert_uint_eq(beside.gaps, 0);
    ck_assert_uint_eq(alone.size, beside.size);
    ck_assert_mem_eq(alone.stream, beside.stream, alone.size);
    recording_free(&alone);
    recording_free(&beside);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder");
    TCase *cases = tcase_create("recorder");
    tcase_set_timeout(cases, 60);
    tcase_add_loop_test(cases, stream_is_what_the_log_says, 0, sizeof programs / sizeof *programs);
    tcase_add_loop_test(cases, stream_is_the_same, 1, 4);
    tcase_add_test(cases, events_go_beside);
    suite_add_tcase(suite, cases);
    return check_main(suite);
}
