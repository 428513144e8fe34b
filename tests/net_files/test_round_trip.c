/* Random nets with awkward names, times, rules and orders come back from both formats as they were. */
#include <stdio.h>
#include <stdlib.h>

#include "check_main.h"
#include "compare.h"
#include "net/formats/pnml.h"

static const char *const odd[] = {"p q", "tr",  "if",  "{", "}\\", "<a>&amp;\"'", "\xC3\xA4\xE2\x86\x92",
                                  "0",   "a:1", "not", "w", "#",   " x "};

/* An id that is one of a kind; every third one is awkward. */
static const char *some_id(es_arena *arena, uint64_t *seed, const char *prefix, uint32_t index)
{
    if (next_number(seed, 3))
        return es_arena_format(arena, "%s%u", prefix, index);
    return es_arena_format(arena, "%s%s%u", odd[next_number(seed, sizeof odd / sizeof *odd)], prefix, index);
}

static es_net_set some_set(es_arena *arena, uint64_t *seed, const es_net *net)
{
    uint32_t *list = es_arena_alloc(arena, 3 * sizeof *list), count = next_number(seed, 3);
    for (uint32_t i = 0; i < count; i++)
        list[i] = next_number(seed, net->transition_count);
    if (count == 2 && list[0] == list[1])
        count = 1;
    return (es_net_set){list, count};
}

static void add_rules(es_net *net, es_arena *arena, uint64_t *seed, uint32_t place)
{
    es_net_condition conditions[3] = {{0}};
    for (uint32_t i = 0; i < net->places[place].output_count; i++) {
        uint32_t count = next_number(seed, 4);
        for (uint32_t k = 0; k < count; k++)
            conditions[k] =
                (es_net_condition){next_number(seed, net->place_count), next_number(seed, 2),
                                   some_set(arena, seed, net), some_set(arena, seed, net), some_set(arena, seed, net)};
        ck_assert(es_net_rule_add(net, place, net->places[place].outputs[i], conditions, count, NULL));
    }
}

static void shuffle(es_net *net, es_arena *arena, uint64_t *seed)
{
    uint32_t *order = es_arena_alloc(arena, net->transition_count * sizeof *order);
    for (uint32_t i = 0; i < net->transition_count; i++)
        order[i] = i;
    for (uint32_t i = net->transition_count; i > 1; i--) {
        uint32_t k = next_number(seed, i), swap = order[k];
        order[k] = order[i - 1];
        order[i - 1] = swap;
    }
    ck_assert(es_net_order(net, order, NULL));
}

static es_net *random_net(es_arena *arena, uint64_t seed)
{
    es_net *net = es_net_new("random");
    uint32_t places = 1 + next_number(&seed, 8), transitions = 1 + next_number(&seed, 8);
    for (uint32_t i = 0; i < places; i++)
        es_net_place_add(net, some_id(arena, &seed, "p", i), next_number(&seed, 2) ? "a name <&>" : NULL,
                         next_number(&seed, 3), next_number(&seed, 2) ? "main.c:12" : NULL, NULL);
    for (uint32_t i = 0; i < places; i++)
        net->places[i].signal = next_number(&seed, 2);
    for (uint32_t i = 0; i < transitions; i++) {
        uint32_t t = es_net_transition_add(net, some_id(arena, &seed, "t", i), NULL,
                                           next_number(&seed, 4) ? next_number(&seed, 1000) : 0, NULL, NULL);
        net->transitions[t].untimed = net->transitions[t].delay == 0 && next_number(&seed, 2);
        net->transitions[t].fixed = next_number(&seed, 2);
        net->transitions[t].idle = next_number(&seed, 2), net->transitions[t].steady = next_number(&seed, 2);
        net->transitions[t].process = (int32_t)next_number(&seed, 4) - 1;
        if (next_number(&seed, 2))
            es_net_monitor(net, t, next_number(&seed, 9),
                           next_number(&seed, 2) ? 9 + (int64_t)next_number(&seed, 9) : ES_NET_UNKNOWN, NULL);
        for (uint32_t k = next_number(&seed, 4); k-- > 0;)
            ck_assert(es_net_arc_in(net, next_number(&seed, places), t, 1 + next_number(&seed, 2), NULL));
        for (uint32_t k = next_number(&seed, 4); k-- > 0;)
            ck_assert(es_net_arc_out(net, t, next_number(&seed, places), 1 + next_number(&seed, 2), NULL));
    }
    if (next_number(&seed, 2))
        es_net_process_name(net, 1, "the {second} <process>", NULL);
    net->tick = next_number(&seed, 2) ? "clock \\ cycle" : NULL;
    ck_assert(es_net_finish(net, NULL));
    for (uint32_t p = 0; p < places; p++) {
        if (next_number(&seed, 2))
            add_rules(net, arena, &seed, p);
        if (net->places[p].output_count && next_number(&seed, 3) == 0)
            net->places[p].initial_route = net->places[p].outputs[next_number(&seed, net->places[p].output_count)];
    }
    if (next_number(&seed, 2))
        shuffle(net, arena, &seed);
    ck_assert(es_net_finish(net, NULL));
    return net;
}

static es_net *through(const es_net *net, enum es_net_format format)
{
    es_text_buffer text = {0};
    es_error err = {0};
    ck_assert_msg(es_net_print(net, format, &text, &err), "%s", err.text);
    es_net *again = format == ES_NET_PNML ? es_pnml_read("again", text.text, text.length, &err)
                                          : es_tina_read("again", text.text, text.length, &err);
    ck_assert_msg(again, "%s\n%s", err.text, text.text);
    es_text_free(&text);
    return again;
}

START_TEST(comes_back)
{
    for (uint64_t seed = 1; seed <= 400; seed++) {
        es_arena *arena = es_arena_new();
        es_net *net = random_net(arena, seed);
        es_net *one = through(net, _i ? ES_NET_PNML : ES_NET_TINA);
        const char *what = difference(net, one);
        ck_assert_msg(!what, "seed %llu: %s", (unsigned long long)seed, what ? what : "");
        es_net *other = through(one, _i ? ES_NET_TINA : ES_NET_PNML); /* and through the other one */
        what = difference(net, other);
        ck_assert_msg(!what, "seed %llu, second: %s", (unsigned long long)seed, what ? what : "");
        es_net_free(net);
        es_net_free(one);
        es_net_free(other);
        es_arena_free(arena);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nets through files");
    TCase *tests = tcase_create("round trip");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, comes_back, 0, 2);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
