/* Random traffic against the model of the core that the RTL's tests use (tests/core/model.h): each hit, whatever its kind, and
 * what phantom memory and planes are afterwards. The soft core stands still; the loader arms words, looks at hits and
 * takes them off. EARSHOT_SEED; ES_SOFTPROBE_STEPS: how long. */
#include <string.h>

#include "../core/model.h"
#include "../support/check_main.h"
#include "../support/draw.h"
#include "base/arena.h"
#include "softprobe/softprobe.h"
#include "transport/command.h"

#define FED_MOST (1u << 20) /* accesses in one run */
#define BASE 0x40010000u
#define WINDOW_LOG2 12u
#define HIT_WORDS 6u /* from HIT_FLAGS to HIT_PC */

typedef struct side_by_side {
    struct model *model;
    es_softprobe *probe;
    es_link *link;
    unsigned time_w;
    uint64_t now;
    uint64_t *times; /* of what the model was fed */
    size_t fed, executed;
    bool compressed;
    struct model_hit head; /* the model's, while one waits */
    bool waits;
    size_t hits, marks, lost, known_hits, dynamic, cells, upper;
} side_by_side;

static void ignore(void *context, const es_event *event)
{
    (void)context, (void)event;
}

static uint32_t get(side_by_side *s, uint32_t address)
{
    es_error err = {0};
    uint32_t word = 0;
    ck_assert_msg(es_link_read(s->link, address, &word, 1, &err), "%s", err.text);
    return word;
}

static void put(side_by_side *s, uint32_t address, uint32_t word)
{
    es_error err = {0};
    ck_assert_msg(es_link_write(s->link, address, &word, 1, &err), "%s", err.text);
}

static side_by_side *new_sides(bool compressed, unsigned time_w)
{
    es_error err = {0};
    side_by_side *s = es_malloc(sizeof *s);
    *s = (side_by_side){.time_w = time_w, .compressed = compressed, .times = es_malloc(FED_MOST * sizeof *s->times)};
    const struct model_config config = {.taps = 1,
                                        .time_w = time_w,
                                        .addr_w = 32,
                                        .data_w = 32,
                                        .window_log2 = WINDOW_LOG2,
                                        .compressed = compressed,
                                        .window_base = BASE};
    const es_softprobe_options options = {.isa = es_isa_of_simulated_target(),
                                          .window_base = BASE,
                                          .window_log2 = WINDOW_LOG2,
                                          .mem_log2 = 16,
                                          .time_w = time_w,
                                          .fetches = ES_FETCHES_EXECUTED,
                                          .compressed = compressed};
    s->model = model_new(&config);
    s->probe = es_softprobe_new(&options, &err);
    ck_assert_msg(s->probe != NULL, "%s", err.text);
    s->link = es_link_new(es_softprobe_transport(s->probe), ignore, NULL);
    return s;
}

static void free_sides(side_by_side *s)
{
    es_link_free(s->link);
    es_softprobe_free(s->probe);
    model_free(s->model);
    free(s->times);
    free(s);
}

/* The model's next record. */
static bool execute(side_by_side *s, const struct model_hit *mark, struct model_hit *hit)
{
    bool is_hit = false;
    const char *wrong = model_execute(s->model, mark, &is_hit, hit);
    ck_assert_msg(wrong == NULL, "%s", wrong);
    s->executed += mark ? (mark->lanes == ES_MARK_GAP_FIRST ? mark->new_word : 0) : 1;
    return is_hit;
}

/* Executes what stands before a mark of the probe's, none of which may be a hit. */
static void execute_before(side_by_side *s, const struct model_hit *mark)
{
    struct model_hit hit;
    uint64_t epoch = model_epoch(s->model);
    while (s->executed < s->fed && s->times[s->executed] >> s->time_w == epoch &&
           (mark->lanes == ES_MARK_EPOCH || s->times[s->executed] < (epoch << s->time_w | mark->time)))
        ck_assert_msg(!execute(s, NULL, &hit), "the probe has missed a hit before a mark");
}

static void compare(side_by_side *s, const uint32_t words[HIT_WORDS], const struct model_hit *want)
{
    ck_assert_uint_eq(words[0] & ES_HIT_KIND_MASK, want->kind);
    ck_assert_uint_eq(words[0] >> ES_HIT_LANES_SHIFT & 15, want->lanes);
    ck_assert_uint_eq(words[1], (uint32_t)want->time);
    ck_assert_uint_eq(words[3], want->new_word);
    if (want->kind == ES_KIND_MARK)
        return;
    ck_assert_uint_eq((words[0] & ES_HIT_OLD_KNOWN) != 0, want->old_known);
    ck_assert_uint_eq((words[0] & ES_HIT_LOCKED) != 0, want->locked);
    ck_assert_uint_eq(words[2], want->addr);
    ck_assert_uint_eq(words[4], want->old_word);
    ck_assert_uint_eq(words[5], want->pc);
    s->known_hits += want->old_known;
    s->dynamic += want->dynamic;
    s->upper += want->addr >> 1 & 1;
    uint32_t cell = get(s, ES_REG_BASE + ES_REG_HIT_CELL);
    ck_assert_uint_eq(cell, model_cell(s->model, want));
    ck_assert_uint_eq(get(s, ES_REG_BASE + ES_REG_HIT_NEXT), cell);
}

/* Looks at the hit at the head, if there is a new one; the model has executed all before it then. */
static void look(side_by_side *s)
{
    es_error err = {0};
    uint32_t words[HIT_WORDS], status = get(s, ES_REG_BASE + ES_REG_STATUS);
    if (s->waits)
        return;
    if (!(status & ES_STATUS_HIT)) {
        struct model_hit hit;
        while (s->executed < s->fed && !model_locked(s->model))
            ck_assert_msg(!execute(s, NULL, &hit), "the probe has missed a hit");
        ck_assert_uint_eq((status & ES_STATUS_LOCKED) != 0, model_locked(s->model));
        return;
    }
    ck_assert(es_link_read(s->link, ES_REG_BASE + ES_REG_HIT_FLAGS, words, HIT_WORDS, &err));
    s->waits = true;
    if ((words[0] & ES_HIT_KIND_MASK) == ES_KIND_MARK) {
        struct model_hit mark = {
            .kind = ES_KIND_MARK, .lanes = words[0] >> ES_HIT_LANES_SHIFT & 15, .time = words[1], .new_word = words[3]};
        execute_before(s, &mark);
        ck_assert(execute(s, &mark, &s->head));
        s->marks++;
        s->lost += mark.lanes == ES_MARK_GAP_FIRST ? mark.new_word : 0;
    } else {
        while (!execute(s, NULL, &s->head))
            ck_assert_uint_lt(s->executed, s->fed);
        s->hits++;
    }
    compare(s, words, &s->head);
    ck_assert_uint_eq((status & ES_STATUS_LOCKED) != 0, model_locked(s->model));
}

static void pop(side_by_side *s)
{
    put(s, ES_REG_BASE + ES_REG_HIT_POP, 0);
    if (s->waits && s->head.locked)
        model_lock(s->model, false);
    if (s->waits && s->head.kind == ES_KIND_MARK && s->head.lanes == ES_MARK_EPOCH)
        ck_assert_uint_eq(get(s, ES_REG_BASE + ES_REG_TIME_HIGH), s->head.new_word & 0xFFFFFF);
    s->waits = false;
    look(s);
}

/* --- what happens --- */

static uint32_t draw_word(void)
{
    return draw(UINT32_MAX);
}

static uint32_t address(void)
{
    static const uint32_t hot[] = {BASE, BASE + 0x40, BASE + 0x200, BASE + 0x240, BASE + 0xFFC};
    switch (draw(8)) {
    case 0: return BASE - 16 + 4 * draw(8);
    case 1: return BASE + (1u << WINDOW_LOG2) - 16 + 4 * draw(8);
    case 2: return draw_word() & ~3u;
    case 3:
    case 4: return hot[draw(5)];
    default: return BASE + 4 * draw((1u << WINDOW_LOG2) / 4);
    }
}

/* Calls, returns and others, long and short. */
static uint32_t insn(void)
{
    static const uint32_t some[] = {0x00008067, 0x00028067, 0x000080E7, 0x0000006F, 0x000000EF, 0x000002EF,
                                    0x00812083, 0x8082,     0x9082,     0x2001,     0xA001,     0x8302,
                                    0xC101,     0x4501,     0x0080,     0x9002,     0x00C08067, 0x000282E7};
    uint32_t upper = draw_word() & 0xFFFF0000u, it = some[draw(sizeof some / sizeof *some)];
    return draw(3) ? (it & 3) == 3 ? it : it | upper : draw_word();
}

static es_machine_access draw_access(const side_by_side *s)
{
    static const uint8_t lanes[] = {15, 15, 15, 3, 12, 1, 2, 4, 8, 7, 14};
    static uint32_t last = BASE; /* a word whose parts come one after the other */
    es_machine_access a = {.kind = (uint8_t)draw(3), .address = draw(3) ? address() : last & ~3u, .data = draw_word()};
    last = a.address;
    a.lanes = lanes[draw(sizeof lanes)];
    if (a.kind == ES_KIND_FETCH) {
        a.data = insn();
        a.lanes = !s->compressed || draw(2) ? 15 : draw(3) ? 12 : 3;
        a.address += a.lanes == 12 ? 2 : 0;
    }
    return a;
}

static void feed_model(side_by_side *s, const es_machine_access *a)
{
    ck_assert_uint_lt(s->fed, FED_MOST);
    bool upper = a->kind == ES_KIND_FETCH && a->address & 2;
    const struct model_bus bus = {.addr = a->address & ~3u,
                                  .data = upper ? a->data << 16 | a->data >> 16 : a->data,
                                  .lanes = a->lanes,
                                  .kind = a->kind};
    model_bus_access(s->model, s->now, 0, &bus);
    s->times[s->fed++] = s->now;
}

static void feed(side_by_side *s, unsigned count)
{
    for (; count && s->fed < FED_MOST - 8; count--) {
        s->now += 1 + (draw(50) ? draw(4) : draw(2u << s->time_w));
        es_machine_access a = draw_access(s);
        feed_model(s, &a);
        es_softprobe_access(s->probe, &a, s->now);
    }
    look(s);
}

static void lose(side_by_side *s)
{
    uint64_t first = 0;
    uint32_t count = 1 + draw(5);
    for (uint32_t i = 0; i < count; i++) {
        s->now += 1 + (draw(4) ? draw(3) : draw(3u << s->time_w));
        first = i ? first : s->now;
        es_machine_access a = draw_access(s);
        feed_model(s, &a);
    }
    es_softprobe_lost(s->probe, count, first, s->now);
    look(s);
}

static void arm(side_by_side *s)
{
    static const uint32_t planes[] = {ES_PLANE_DATA_BASE, ES_PLANE_FETCH_BASE, ES_PHANTOM_BASE, ES_ROWS_BASE};
    uint32_t plane = planes[draw(4)], offset = (address() - BASE) & ((1u << WINDOW_LOG2) - 1), word = draw_word();
    if (plane == ES_ROWS_BASE)
        offset = 4 * draw(2 * ES_ROWS);
    put(s, plane + offset, word);
    model_write(s->model, plane + offset, word, 15);
}

static void disarm(side_by_side *s)
{
    for (unsigned i = 0; i < 1u << (WINDOW_LOG2 - 2); i++) {
        put(s, ES_PLANE_DATA_BASE + 4 * i, 0);
        put(s, ES_PLANE_FETCH_BASE + 4 * i, 0);
        model_write(s->model, ES_PLANE_DATA_BASE + 4 * i, 0, 15);
        model_write(s->model, ES_PLANE_FETCH_BASE + 4 * i, 0, 15);
    }
}

static void control(side_by_side *s)
{
    unsigned bits = 1u << draw(4);
    if (bits == ES_CTRL_CLEAR && draw(8))
        return;
    put(s, ES_REG_BASE + ES_REG_CTRL, bits);
    if (bits == ES_CTRL_CLEAR) {
        model_clear(s->model);
        model_reads(s->model, false);
    }
    if (bits == ES_CTRL_READS)
        model_reads(s->model, true);
    if (bits == ES_CTRL_LOCK || bits == ES_CTRL_UNLOCK)
        model_lock(s->model, bits == ES_CTRL_LOCK);
    look(s);
}

static void compare_memory(side_by_side *s)
{
    for (uint32_t at = 0; at < 1u << WINDOW_LOG2; at += 4) {
        bool known;
        ck_assert_uint_eq(get(s, ES_PHANTOM_BASE + at), model_read(s->model, ES_PHANTOM_BASE + at, &known));
        ck_assert_uint_eq(get(s, ES_PLANE_DATA_BASE + at), model_read(s->model, ES_PLANE_DATA_BASE + at, &known));
        ck_assert_uint_eq(get(s, ES_PLANE_FETCH_BASE + at), model_read(s->model, ES_PLANE_FETCH_BASE + at, &known));
    }
}

static void step(side_by_side *s)
{
    switch (draw(16)) {
    case 0:
    case 1: arm(s); break;
    case 2: control(s); break;
    case 3:
        if (!draw(60))
            feed(s, 6000); /* more than wait, while a hit is at the head */
        break;
    case 4:
        if (!draw(8))
            lose(s);
        break;
    case 5:
        if (!draw(100))
            disarm(s);
        break;
    case 6:
    case 7:
    case 8: feed(s, 1 + draw(20)); break;
    default: pop(s);
    }
}

static void run(bool compressed, unsigned time_w, size_t steps)
{
    side_by_side *s = new_sides(compressed, time_w);
    for (size_t i = 0; i < steps && s->fed < FED_MOST - 10000; i++)
        step(s);
    put(s, ES_REG_BASE + ES_REG_CTRL, ES_CTRL_UNLOCK);
    model_lock(s->model, false);
    look(s);
    for (int i = 0; i < 100000 && (s->waits || s->executed < s->fed); i++)
        pop(s);
    compare_memory(s);
    ck_assert_uint_eq(get(s, ES_REG_BASE + ES_REG_LOST), model_lost(s->model));
    ck_assert(s->hits > steps / 20 && s->marks > 10 && s->lost > 100 && s->known_hits > 10 && s->dynamic > 10);
    ck_assert(!compressed || s->upper > 10);
    free_sides(s);
}

static void seed(unsigned more)
{
    const char *text = getenv("EARSHOT_SEED");
    draw_seed = (text ? (uint32_t)strtoul(text, NULL, 0) : 1) * 2654435761u + more;
    draw_seed += !draw_seed;
}

static size_t steps(void)
{
    const char *text = getenv("ES_SOFTPROBE_STEPS");
    return text ? strtoull(text, NULL, 0) : 20000;
}

static const struct {
    bool compressed;
    unsigned time_w;
} sets[] = {{true, 16}, {true, 8}, {false, 10}, {false, 32}, {true, 12}};

START_TEST(hits_are_the_models)
{
    seed((unsigned)_i);
    if (sets[_i].time_w == 32) /* no epoch ends there */
        return;
    run(sets[_i].compressed, sets[_i].time_w, steps());
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("softprobe against the core's model");
    TCase *tcase = tcase_create("traffic");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, hits_are_the_models, 0, (int)(sizeof sets / sizeof *sets));
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
