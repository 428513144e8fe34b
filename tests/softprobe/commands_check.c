/* What a host may send, sensible or not: the probe in software answers as the RTL does, byte by byte. And what it may put
 * into the soft core: nothing hangs. */
#include <string.h>

#include "../support/check_main.h"
#include "../support/draw.h"
#include "base/arena.h"
#include "sides.h"
#include "stream/frame.h"
#include "transport/command.h"

#define ROUNDS 400
#define BYTES 65536u

typedef struct two {
    es_sim *sim;
    es_softprobe *probe;
    uint8_t rtl[BYTES], software[BYTES];
    size_t sent;
} two;

static uint32_t draw_word(void)
{
    return draw(2) ? draw(UINT32_MAX) : draw(2) ? draw(64) : 1u << draw(32);
}

/* Registers whose value is the same: not clocks, room, or what no hit has been in. */
static uint32_t draw_register(bool write)
{
    static const uint8_t reads[] = {ES_REG_STATUS,   ES_REG_UNKNOWN,  ES_REG_MAILBOX,     ES_REG_CTRL,
                                    ES_REG_LOST,     ES_REG_ID,       ES_REG_FIFO_DEPTH,  ES_REG_HIT_CELL,
                                    ES_REG_CPU_CTRL, ES_REG_RX_BAD,   ES_REG_WINDOW_BASE, ES_REG_WINDOW_SIZE,
                                    ES_REG_EV_FLAGS, ES_REG_MEM_SIZE, ES_REG_TIME_HIGH};
    static const uint8_t writes[] = {ES_REG_STATUS, ES_REG_HIT_POP, ES_REG_EV_DATA,  ES_REG_EV_END,  ES_REG_MAILBOX,
                                     ES_REG_CTRL,   ES_REG_EV_HEAD, ES_REG_EV_FLAGS, ES_REG_TRIGGER, ES_REG_ID};
    return ES_REG_BASE + (write ? writes[draw(sizeof writes)] : reads[draw(sizeof reads)]) + 0x100 * draw(4);
}

static uint32_t draw_address(void)
{
    static const uint32_t regions[] = {ES_MEM_BASE,  ES_PHANTOM_BASE, ES_PLANE_DATA_BASE, ES_PLANE_FETCH_BASE,
                                       ES_ROWS_BASE, 0x30000000,      0xF0000000};
    return regions[draw(7)] + (draw(2) ? draw(0x10000) : draw(2) ? 0x3FF80 + draw(0x100) : draw(0x10000000));
}

/* A command, mostly a good one. Returns how many words. */
static size_t draw_command(uint32_t words[ES_FRAME_MAX_WORDS])
{
    bool write = draw(2), to_register = draw(3) == 0;
    size_t count = write ? 2 + (to_register ? draw(2) : draw(ES_FRAME_MAX_WORDS - 2)) : 3;
    uint32_t operation = draw(12) ? (write ? ES_OP_WRITE : ES_OP_READ) : draw(256);
    words[1] = to_register ? draw_register(write) : draw_address();
    for (size_t i = 2; i < count; i++)
        words[i] = draw_word();
    if (!write)
        words[2] = draw(10) ? to_register ? 1 : 1 + draw(60) : draw_word();
    if (!write && to_register && words[2] != 1)
        words[2] = draw(2) ? 0 : 61;
    if (draw(16) == 0)
        count = 1 + draw(4);
    words[0] = operation | (uint32_t)(count - 1) << 8 | draw(65536) << 16;
    if (draw(40) == 0)
        words[0] ^= 1u << draw(16);
    return count;
}

static size_t put_register(uint8_t *bytes, uint32_t offset, uint32_t value)
{
    const uint32_t words[] = {ES_OP_WRITE | 2u << 8, ES_REG_BASE + offset, value};
    return es_frame_encode(words, 3, bytes);
}

/* The host itself makes an event frame, whose first word tells its length, mostly. */
static size_t draw_event(uint8_t *bytes)
{
    unsigned count = draw(4);
    size_t size = put_register(bytes, ES_REG_EV_HEAD, ES_FRAME_STATUS | (count + (draw(4) == 0)) << 8);
    for (; count; count--)
        size += put_register(bytes + size, ES_REG_EV_DATA, draw_word());
    return size + put_register(bytes + size, ES_REG_EV_END, 0);
}

static size_t draw_bytes(uint8_t *bytes)
{
    uint32_t words[ES_FRAME_MAX_WORDS];
    size_t size = 0;
    if (draw(10) == 0)
        return draw_event(bytes);
    if (draw(12) == 0) { /* noise */
        for (size_t left = draw(300); left; left--)
            bytes[size++] = (uint8_t)draw(draw(2) ? 4 : 256);
        bytes[size++] = 0;
        return size;
    }
    if (draw(8) == 0)
        bytes[size++] = 0;
    size += es_frame_encode(words, draw_command(words), bytes + size);
    if (draw(12) == 0)
        bytes[draw((uint32_t)size)] ^= (uint8_t)(1u << draw(8));
    return size;
}

static void send_both(two *t, const uint8_t *bytes, size_t size)
{
    es_error err = {0};
    es_transport *transport = es_softprobe_transport(t->probe);
    ck_assert_uint_eq(es_sim_write(t->sim, bytes, size), size);
    while (!es_sim_idle(t->sim))
        es_sim_step(t->sim, 1000, 0);
    ck_assert(es_transport_write(transport, bytes, size, &err));
    size_t got = es_sim_read(t->sim, t->rtl, BYTES);
    ssize_t own = es_transport_read(transport, t->software, BYTES, 0, &err);
    ck_assert_int_eq(own, (ssize_t)got);
    ck_assert_mem_eq(t->rtl, t->software, got);
    t->sent += got;
}

START_TEST(answers_are_the_same)
{
    const char *text = getenv("EARSHOT_SEED");
    draw_seed = (text ? (uint32_t)strtoul(text, NULL, 0) : 1) * 97 + (uint32_t)_i;
    es_error err = {0};
    es_softprobe_options options = softprobe_as_simulated();
    two *t = es_malloc(sizeof *t);
    *t = (two){.sim = es_sim_new(&(es_sim_config){.world = ES_SIM_BYTES}, &err),
               .probe = es_softprobe_new(&options, &err)};
    ck_assert_msg(t->sim && t->probe, "%s", err.text);
    static uint8_t bytes[1024];
    for (int i = 0; i < ROUNDS; i++)
        send_both(t, bytes, draw_bytes(bytes));
    ck_assert_uint_gt(t->sent, 10000);
    es_softprobe_free(t->probe);
    es_sim_free(t->sim);
    free(t);
}
END_TEST

static void ignore(void *context, const es_event *event)
{
    (void)context, (void)event;
}

/* Soft core programs that firmware is not: noise, an endless loop, one that stops itself, one that never takes its hits. */
static const uint32_t programs[][4] = {
    {0xFFFFFFFF},                                     /* illegal */
    {0x0000006F},                                     /* j . */
    {0x10500073, 0xFFDFF06F},                         /* wfi; j to it */
    {0x100000B7, 0x0600A023, 0x10500073, 0xFFDFF06F}, /* lui x1, REG_BASE; sw x0, CPU_CTRL(x1); wfi */
    {0x00002083, 0x00102083, 0x00000000},             /* loads, one misaligned */
    {0x200000B7, 0x00008067},                         /* jump to phantom memory */
};

START_TEST(no_program_hangs_it)
{
    es_error err = {0};
    es_softprobe_options options = softprobe_as_simulated();
    es_softprobe *probe = es_softprobe_new(&options, &err);
    ck_assert_msg(probe != NULL, "%s", err.text);
    es_link *link = es_link_new(es_softprobe_transport(probe), ignore, NULL);
    uint32_t one = 1, zero = 0, run = 2, lost = 0;
    const uint32_t *program = programs[_i];
    ck_assert(es_link_write(link, ES_MEM_BASE, program, 4, &err));
    ck_assert(es_link_write(link, ES_REG_BASE + ES_REG_CPU_CTRL, &one, 1, &err));
    ck_assert(es_link_write(link, ES_PLANE_DATA_BASE, &one, 1, &err));
    ck_assert(es_link_read(link, ES_REG_BASE + ES_REG_CPU_CTRL, &run, 1, &err));
    ck_assert_uint_eq(run, _i != 3);
    for (uint32_t i = 0; i < 3; i++) {
        const es_machine_access write = {.kind = ES_KIND_WRITE, .lanes = 15, .data = i};
        es_softprobe_access(probe, &write, i);
    }
    ck_assert(!es_softprobe_idle(probe));
    /* it can be used again */
    ck_assert(es_link_write(link, ES_REG_BASE + ES_REG_CPU_CTRL, &zero, 1, &err));
    ck_assert(es_link_write(link, ES_REG_BASE + ES_REG_HIT_POP, &zero, 1, &err));
    ck_assert(es_link_read(link, ES_REG_BASE + ES_REG_HIT_NEW, &run, 1, &err));
    ck_assert_uint_eq(run, 1);
    ck_assert(es_link_read(link, ES_REG_BASE + ES_REG_LOST, &lost, 1, &err));
    ck_assert_uint_eq(lost, 0);
    es_link_free(link);
    es_softprobe_free(probe);
}
END_TEST

static const struct {
    es_softprobe_options options;
} wrong[] = {
    {{.window_log2 = 29, .mem_log2 = 16, .time_w = 16}},
    {{.window_log2 = 11, .mem_log2 = 16, .time_w = 16}},
    {{.window_log2 = 18, .window_base = 0x1000, .mem_log2 = 16, .time_w = 16}},
    {{.window_log2 = 18, .mem_log2 = 14, .time_w = 16}},
    {{.window_log2 = 18, .mem_log2 = 16, .time_w = 33}},
    {{.window_log2 = 18, .mem_log2 = 16, .time_w = 7}},
    {{.window_log2 = 18, .mem_log2 = 16, .time_w = 16, .fetches = ES_FETCHES_UNTOLD}},
};

START_TEST(wrong_options_are_refused)
{
    es_error err = {0};
    es_softprobe_options options = wrong[_i].options;
    options.isa = es_isa_of_simulated_target();
    ck_assert_ptr_null(es_softprobe_new(&options, &err));
    ck_assert_int_eq(err.code, ES_USAGE);
}
END_TEST

/* The largest window: memory for what is accessed, at both ends. What is poked is no hit. */
START_TEST(large_windows_are_sparse)
{
    es_error err = {0};
    es_softprobe_options options = softprobe_as_simulated();
    options.window_log2 = 28;
    options.window_base = 0x80000000u;
    options.time_w = 32;
    es_softprobe *probe = es_softprobe_new(&options, &err);
    ck_assert_msg(probe != NULL, "%s", err.text);
    es_link *link = es_link_new(es_softprobe_transport(probe), ignore, NULL);
    uint32_t last = (1u << 28) - 4, one = 1, word = 0;
    ck_assert(es_link_write(link, ES_PLANE_DATA_BASE + last, &one, 1, &err));
    es_softprobe_poke(probe, 0x80000000u + last, 0x12345678, 0);
    es_softprobe_poke(probe, 0x7FFFFFFCu, 1, 0); /* outside */
    ck_assert(es_link_read(link, ES_PHANTOM_BASE + last, &word, 1, &err));
    ck_assert_uint_eq(word, 0x12345678);
    ck_assert(es_link_read(link, ES_REG_BASE + ES_REG_STATUS, &word, 1, &err));
    ck_assert_uint_eq(word, 0);
    const es_machine_access write = {.kind = ES_KIND_WRITE, .lanes = 3, .address = 0x80000000u + last, .data = 0x9999};
    es_softprobe_access(probe, &write, (uint64_t)5 << 32 | 7);
    const uint32_t expected[][2] = {
        /* the epochs' marks come first, as many as have ended */
        {ES_REG_HIT_NEW, 1},
    };
    for (unsigned i = 0; i < 5; i++) {
        ck_assert(es_link_read(link, ES_REG_BASE + expected[0][0], &word, 1, &err));
        ck_assert_uint_eq(word, i + 1);
        ck_assert(es_link_write(link, ES_REG_BASE + ES_REG_HIT_POP, &one, 1, &err));
    }
    ck_assert(es_link_read(link, ES_REG_BASE + ES_REG_HIT_NEW, &word, 1, &err));
    ck_assert_uint_eq(word, 0x12349999);
    ck_assert(es_link_read(link, ES_REG_BASE + ES_REG_HIT_TIME, &word, 1, &err));
    ck_assert_uint_eq(word, 7);
    ck_assert_uint_le(es_softprobe_get_figures(probe).pages, 2);
    es_link_free(link);
    es_softprobe_free(probe);
}
END_TEST

/* What is not known of an access makes its word unknown, until it is known again. */
START_TEST(unknown_bits_make_words_unknown)
{
    es_error err = {0};
    es_softprobe_options options = softprobe_as_simulated();
    es_softprobe *probe = es_softprobe_new(&options, &err);
    ck_assert_msg(probe != NULL, "%s", err.text);
    es_link *link = es_link_new(es_softprobe_transport(probe), ignore, NULL);
    uint32_t one = 1, flags = 0;
    static const struct {
        es_machine_access access;
        bool known_before;
    } steps[] = {
        {{.kind = ES_KIND_WRITE, .lanes = 15, .data = 1}, false},
        {{.kind = ES_KIND_WRITE, .lanes = 1, .unknown = 0x80}, true},
        {{.kind = ES_KIND_WRITE, .lanes = 14, .data = 0x100}, false},
        {{.kind = ES_KIND_WRITE, .lanes = 1, .data = 2}, false},
        {{.kind = ES_KIND_WRITE, .lanes = 2, .unknown = 0x80}, true}, /* of a lane that is not concerned */
        {{.kind = ES_KIND_WRITE, .lanes = 15, .data = 3}, true},
    };
    ck_assert(es_link_write(link, ES_PLANE_DATA_BASE, &one, 1, &err));
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        es_softprobe_access(probe, &steps[i].access, i);
        ck_assert(es_link_read(link, ES_REG_BASE + ES_REG_HIT_FLAGS, &flags, 1, &err));
        ck_assert_msg(!(flags & ES_HIT_OLD_KNOWN) == !steps[i].known_before, "step %u", i);
        ck_assert(es_link_write(link, ES_REG_BASE + ES_REG_HIT_POP, &one, 1, &err));
    }
    es_softprobe_poke(probe, 0, 0, 0x00010000);
    es_softprobe_access(probe, &steps[0].access, 10);
    ck_assert(es_link_read(link, ES_REG_BASE + ES_REG_HIT_FLAGS, &flags, 1, &err));
    ck_assert(!(flags & ES_HIT_OLD_KNOWN));
    es_link_free(link);
    es_softprobe_free(probe);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("softprobe");
    TCase *tcase = tcase_create("commands");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, answers_are_the_same, 0, 4);
    tcase_add_loop_test(tcase, no_program_hangs_it, 0, (int)(sizeof programs / sizeof *programs));
    tcase_add_loop_test(tcase, wrong_options_are_refused, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tcase, large_windows_are_sparse);
    tcase_add_test(tcase, unknown_bits_make_words_unknown);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
