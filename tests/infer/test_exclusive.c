/* Exclusive states in the check, against all joint histories of small worlds: what it rules out none of them has. */
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "infer/check.h"

#define KEYS 3u
#define STATES 4u
#define VALUES 2u                      /* of the field by which states are exclusive */
#define PLACES (STATES * (VALUES + 1)) /* of one scenario: its state, and the value + 1 by which it holds it */
#define JOINTS (PLACES * PLACES * PLACES)
#define EVENTS 4u
#define STEPS 400u

static uint64_t state_of_dice;

static uint32_t dice(uint32_t sides)
{
    state_of_dice = state_of_dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state_of_dice >> 33) % sides;
}

typedef struct world {
    int to[STATES][EVENTS]; /* -1: no transition */
    bool exclusive[STATES];
    uint32_t values;          /* how many there are; 1: one scenario at all */
    bool loose;               /* events that leave a scenario in its state may have any value */
    bool possible[JOINTS];    /* what the naive check thinks of all scenarios */
    uint32_t truth[KEYS];     /* places */
    uint32_t now;             /* whose event it is */
    uint64_t certain, missed; /* missed: states that are possible, and the check has ruled out */
} world;

static uint32_t place_in(uint32_t joint, uint32_t key)
{
    for (uint32_t i = 0; i < key; i++)
        joint /= PLACES;
    return joint % PLACES;
}

static uint32_t with_place(uint32_t joint, uint32_t key, uint32_t place)
{
    uint32_t unit = 1;
    for (uint32_t i = 0; i < key; i++)
        unit *= PLACES;
    return joint + (place - place_in(joint, key)) * unit;
}

/* Where an event with a value leads one of the scenarios; JOINTS: it cannot have happened. */
static uint32_t follow(const world *w, uint32_t joint, uint32_t key, uint32_t event, uint32_t value)
{
    uint32_t place = place_in(joint, key), state = place / (VALUES + 1), held = place % (VALUES + 1);
    int to = w->to[state][event];
    if (w->loose && to == (int)state)
        return joint;
    if (to < 0 || (held && held != value + 1))
        return JOINTS;
    uint32_t after = w->exclusive[to] ? value + 1 : 0;
    for (uint32_t other = 0; other < KEYS; other++)
        if (after && other != key && place_in(joint, other) % (VALUES + 1) == after)
            return JOINTS;
    return with_place(joint, key, (uint32_t)to * (VALUES + 1) + after);
}

/* All that a loss may lead to, of events with some of the values: a bit for each. */
static void lose_any(world *w, uint32_t values)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t joint = 0; joint < JOINTS; joint++)
            for (uint32_t i = 0; w->possible[joint] && i < KEYS * EVENTS * w->values; i++) {
                uint32_t value = i / KEYS / EVENTS, next = follow(w, joint, i % KEYS, i / KEYS % EVENTS, value);
                if (values >> value & 1 && next < JOINTS && !w->possible[next])
                    more = w->possible[next] = true;
            }
    }
}

static void see(world *w, uint32_t key, uint32_t event, uint32_t value)
{
    static bool after[JOINTS];
    memset(after, 0, sizeof after);
    for (uint32_t joint = 0; joint < JOINTS; joint++) {
        uint32_t next = w->possible[joint] ? follow(w, joint, key, event, value) : JOINTS;
        if (next < JOINTS)
            after[next] = true;
    }
    memcpy(w->possible, after, sizeof after);
}

static bool look(void *context, const es_infer_step *step, es_infer_scenario *scenario)
{
    world *w = context;
    (void)scenario;
    w->certain += step->verdict == ES_INFER_CERTAIN;
    ck_assert(step->verdict == ES_INFER_CERTAIN || step->verdict == ES_INFER_UNCERTAIN);
    for (uint32_t joint = 0; joint < JOINTS; joint++)
        w->missed += w->possible[joint] && !es_infer_set_has(step->after, place_in(joint, w->now) / (VALUES + 1));
    return true;
}

static void random_world(world *w, es_text_buffer *with, es_text_buffer *without)
{
    *w = (world){.values = 1 + dice(VALUES), .loose = dice(2)};
    for (uint32_t s = 0; s < STATES; s++) {
        w->exclusive[s] = s == 1 || (s == 2 && dice(2));
        for (uint32_t e = 0; e < EVENTS; e++)
            w->to[s][e] = dice(2) ? (int)dice(STATES) : -1;
        w->to[s][dice(EVENTS)] = (int)((s + 1) % STATES);
    }
    for (uint32_t n = 0; n < 2; n++) {
        es_text_buffer *text = n ? without : with;
        es_text_format(text, "machine m\n  key k\n  state s0 s1 s2 s3\n  initial s0\n");
        if (!n && w->values == 1)
            es_text_format(text, "  exclusive s1%s\n", w->exclusive[2] ? " s2" : "");
        else if (!n)
            es_text_format(text, "  exclusive s1%s by v of %u\n", w->exclusive[2] ? " s2" : "", w->values);
        for (uint32_t s = 0; s < STATES; s++)
            for (uint32_t e = 0; e < EVENTS; e++)
                if (w->to[s][e] >= 0)
                    es_text_format(text, "  s%u -> s%d on e%u if v >= 0\n", s, w->to[s][e], e);
    }
}

/* The same losses for both machines; returns how many states were certain. `of_values`: it is said which ones the lost
 * events had. */
static uint64_t run(world w, const es_text_buffer *text, uint32_t percent, bool of_values)
{
    es_error err;
    es_infer_model *model = es_infer_model_new();
    ck_assert_msg(es_infer_parse(model, "random", text->text, text->length, &err), "%s", err.text);
    es_infer_check *check = es_infer_check_new(model, &(es_infer_check_options){.step = look, .context = &w});
    es_infer_value values[ES_INFER_FIELDS_MAX] = {0};
    uint32_t k = es_infer_field_number(&model->words, "k", 1, false),
             v = es_infer_field_number(&model->words, "v", 1, false);
    uint32_t joint = 0, numbers[EVENTS], lost = 0; /* lost: a bit for each value */
    for (uint32_t e = 0; e < EVENTS; e++) {
        char name[3] = {'e', (char)('0' + e), 0};
        numbers[e] = es_infer_event_number(&model->words, name, 2, true);
    }
    w.possible[joint] = true; /* all at s0 */
    for (int64_t time = 1; time <= STEPS; time++) {
        uint32_t key = dice(KEYS), event = dice(EVENTS), value = dice(w.values),
                 next = follow(&w, joint, key, event, value);
        bool gone = dice(100) < percent;
        if (next == JOINTS)
            continue;
        joint = next;
        lost |= (uint32_t)gone << value;
        if (gone)
            continue;
        if (lost) {
            for (uint32_t i = 0; i < VALUES; i++)
                if (of_values && lost >> i & 1)
                    es_infer_check_loss(
                        check,
                        &(es_infer_loss){.begin = time - 1, .end = time, .of_one = true, .field = v, .value = i});
            if (!of_values)
                es_infer_check_loss(check, &(es_infer_loss){.begin = time - 1, .end = time});
            lose_any(&w, of_values ? lost : UINT32_MAX);
            lost = 0;
        }
        see(&w, key, event, value);
        ck_assert(w.possible[joint]);
        values[k] = w.now = key;
        values[v] = value;
        es_infer_event seen = {time, numbers[event], UINT64_C(1) << k | UINT64_C(1) << v, values};
        ck_assert(es_infer_check_event(check, &seen, &err));
    }
    ck_assert_msg(w.missed == 0, "%llu states ruled out that are possible\n%s", (unsigned long long)w.missed,
                  text->text);
    ck_assert_uint_eq(es_infer_check_totals(check)->ousted, 0);
    es_infer_check_free(check);
    es_infer_model_free(model);
    return w.certain;
}

START_TEST(nothing_that_is_possible_is_ruled_out)
{
    uint64_t with = 0, without = 0, of_values = 0;
    const char *base = getenv("EARSHOT_SEED");
    for (uint32_t seed = 1; seed <= 150; seed++) {
        es_text_buffer texts[2] = {{0}, {0}};
        world w;
        state_of_dice = seed * 7919 + (base ? strtoull(base, NULL, 10) : 1) * 1000003;
        random_world(&w, &texts[0], &texts[1]);
        uint64_t dice_before = state_of_dice;
        with += run(w, &texts[0], 10, false);
        state_of_dice = dice_before;
        of_values += run(w, &texts[0], 10, true);
        state_of_dice = dice_before;
        without += run(w, &texts[1], 10, false);
        es_text_free(&texts[0]);
        es_text_free(&texts[1]);
    }
    printf("certain states: %llu, with exclusive states %llu, with values of losses %llu\n",
           (unsigned long long)without, (unsigned long long)with, (unsigned long long)of_values);
    ck_assert_uint_gt(with, without);
    ck_assert_uint_gt(of_values, with);
}
END_TEST

/* One that comes to where another is shows that the other has left unseen. */
START_TEST(losses_that_nobody_told_are_noticed)
{
    static const char text[] = "machine m\n  key k\n  state out in\n  initial out\n  exclusive in by c\n"
                               "  out -> in on come\n  in -> out on go\n  in -> in on stay\n";
    es_error err;
    es_infer_model *model = es_infer_model_new();
    ck_assert_msg(es_infer_parse(model, "text", text, sizeof text - 1, &err), "%s", err.text);
    es_infer_check *check = es_infer_check_new(model, &(es_infer_check_options){.hidden = false});
    uint32_t k = es_infer_field_number(&model->words, "k", 1, false),
             c = es_infer_field_number(&model->words, "c", 1, false);
    uint32_t come = es_infer_event_number(&model->words, "come", 4, false),
             stay = es_infer_event_number(&model->words, "stay", 4, false);
    static const int64_t rows[][3] = {{1, 0, 0}, {2, 0, 1}, {3, 0, 0}}; /* key, stay?, c: of 1 the departure is lost */
    for (uint32_t i = 0; i < 3; i++) {
        es_infer_value values[ES_INFER_FIELDS_MAX] = {0};
        values[k] = rows[i][0];
        values[c] = rows[i][2];
        es_infer_event e = {i + 1, come, UINT64_C(1) << k | UINT64_C(1) << c, values};
        ck_assert(es_infer_check_event(check, &e, &err));
    }
    ck_assert_uint_eq(es_infer_check_totals(check)->ousted, 1);
    ck_assert_uint_eq(es_infer_check_totals(check)->verdicts[ES_INFER_INCONSISTENT], 0);
    es_infer_value values[ES_INFER_FIELDS_MAX] = {0};
    values[k] = 1; /* it fits by itself, and yet something was lost before it */
    es_infer_event e = {9, stay, UINT64_C(1) << k, values};
    ck_assert(es_infer_check_event(check, &e, &err));
    ck_assert_uint_eq(es_infer_check_totals(check)->verdicts[ES_INFER_INCONSISTENT], 1);
    es_infer_check_free(check);
    es_infer_model_free(model);
}
END_TEST

START_TEST(lines_are_read_and_written)
{
    static const char good[] = "machine m\n  state a b c\n  exclusive a by cpu of 4\n  exclusive c b\n  a -> b on e\n";
    static const char *const bad[][2] = {
        {"machine m\nstate a\nexclusive b", "t:3:11: error: there is no state 'b'"},
        {"machine m\nstate a\nexclusive a\nexclusive a", "t:4:11: error: the state 'a' is exclusive already"},
        {"machine m\nstate a\nexclusive a by", "the field of which each value"},
        {"machine m\nstate a\nexclusive a of 2", "t:3:13: error: there is no state 'of'"},
        {"machine m\nstate a\nexclusive a by f of 0", "t:3:21: error: here should be how many values"},
        {"machine m\nstate a\nexclusive a by f of 65", "t:3:21: error: here should be how many values"},
        {"machine m\nstate a\nexclusive a by f of 2 x", "t:3:23: error: the line should end here"},
        {"machine m\nstate a\nexclusive", "t:3:10: error: here should be a state"},
    };
    es_error err;
    es_text_buffer out = {0};
    es_infer_model *model = es_infer_model_new();
    ck_assert_msg(es_infer_parse(model, "t", good, sizeof good - 1, &err), "%s", err.text);
    es_infer_write(model, &out);
    ck_assert_msg(strstr(out.text, "  exclusive a by cpu of 4\n  exclusive b c\n"), "%s", out.text);
    es_text_free(&out);
    es_infer_model_free(model);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        model = es_infer_model_new();
        ck_assert_msg(!es_infer_parse(model, "t", bad[i][0], strlen(bad[i][0]), &err), "%s", bad[i][0]);
        ck_assert_msg(strstr(err.text, bad[i][1]), "%s", err.text);
        es_infer_model_free(model);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exclusive");
    TCase *tests = tcase_create("exclusive");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, nothing_that_is_possible_is_ruled_out);
    tcase_add_test(tests, losses_that_nobody_told_are_noticed);
    tcase_add_test(tests, lines_are_read_and_written);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
