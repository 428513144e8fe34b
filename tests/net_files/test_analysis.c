/* Invariants, states and bounds: known nets, and random ones against definitions and a plain search of another kind. */
#include "check_main.h"
#include "compare.h"
#include "net/analysis/analysis.h"

static es_arena *arena;

static void setup(void)
{
    arena = es_arena_new();
}

static void teardown(void)
{
    es_arena_free(arena);
}

/* "p + 2 q = 3; ..." */
static const char *invariants_text(const es_net *net, const es_net_invariants *list, bool places)
{
    es_text_buffer text = {0};
    es_text_add(&text, "", 0);
    for (size_t i = 0; i < list->count; i++) {
        for (uint32_t k = 0; k < list->list[i].count; k++) {
            const es_net_term *t = &list->list[i].terms[k];
            es_text_format(&text, "%s%llu %s", k ? " + " : "", (unsigned long long)t->weight,
                           places ? net->places[t->node].id : net->transitions[t->node].id);
        }
        if (places)
            es_text_format(&text, " = %llu", (unsigned long long)list->list[i].tokens);
        es_text_format(&text, "; ");
    }
    const char *copy = es_arena_copy(arena, text.text, text.length);
    es_text_free(&text);
    return copy;
}

START_TEST(known_invariants)
{
    es_net *net = net_of("tr t a -> b*2 tr u b -> c tr v c*2 -> a pl a (3)");
    es_net_invariants p = es_net_p_invariants(net, 1000, arena), t = es_net_t_invariants(net, 1000, arena);
    ck_assert(p.complete && t.complete);
    ck_assert_str_eq(invariants_text(net, &p, true), "2 a + 1 b + 1 c = 6; ");
    ck_assert_str_eq(invariants_text(net, &t, false), "1 t + 2 u + 1 v; ");
    es_net_free(net);
    net = net_of("tr t p -> p tr u -> q"); /* a loop changes nothing; a source has no invariant */
    p = es_net_p_invariants(net, 1000, arena);
    t = es_net_t_invariants(net, 1000, arena);
    ck_assert_str_eq(invariants_text(net, &p, true), "1 p = 0; ");
    ck_assert_str_eq(invariants_text(net, &t, false), "1 t; ");
    es_net_free(net);
}
END_TEST

/* 2^10 invariants: pairs of ways, one after the other. The limit ends it with an answer, not with a full memory. */
START_TEST(invariants_have_a_limit)
{
    es_text_buffer text = {0};
    for (int i = 0; i < 10; i++)
        es_text_format(&text, "tr a%d p%d -> p%d tr b%d p%d -> p%d\n", i, i, (i + 1) % 10, i, i, (i + 1) % 10);
    es_net *net = net_of(text.text);
    es_net_invariants t = es_net_t_invariants(net, 500, arena);
    ck_assert(!t.complete && t.count == 0);
    t = es_net_t_invariants(net, 100000, arena);
    ck_assert(t.complete && t.count == 1024);
    es_text_free(&text);
    es_net_free(net);
}
END_TEST

static es_net *random_net(uint64_t seed, uint32_t weights)
{
    es_net *net = es_net_new(NULL);
    uint32_t places = 2 + next_number(&seed, 5), transitions = 2 + next_number(&seed, 5);
    for (uint32_t i = 0; i < places; i++)
        es_net_place_add(net, es_arena_format(arena, "p%u", i), NULL, next_number(&seed, 2), NULL, NULL);
    for (uint32_t i = 0; i < transitions; i++) {
        es_net_transition_add(net, es_arena_format(arena, "t%u", i), NULL, 0, NULL, NULL);
        for (uint32_t k = 1 + next_number(&seed, 2); k-- > 0;)
            es_net_arc_in(net, next_number(&seed, places), i, 1 + next_number(&seed, weights), NULL);
        for (uint32_t k = 1 + next_number(&seed, 2); k-- > 0;)
            es_net_arc_out(net, i, next_number(&seed, places), 1 + next_number(&seed, weights), NULL);
    }
    ck_assert(es_net_finish(net, NULL));
    return net;
}

static int64_t effect(const es_net *net, uint32_t place, uint32_t transition)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < net->arc_count; i++)
        if (net->arcs[i].place == place && net->arcs[i].transition == transition)
            sum += net->arcs[i].to_place ? (int64_t)net->arcs[i].weight : -(int64_t)net->arcs[i].weight;
    return sum;
}

/* By their definition: positive weights that balance every node of the other kind, and no support within another. */
START_TEST(random_invariants)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        es_net *net = random_net(seed, 3);
        for (int places = 0; places < 2; places++) {
            es_net_invariants all =
                places ? es_net_p_invariants(net, 1000, arena) : es_net_t_invariants(net, 1000, arena);
            ck_assert(all.complete);
            found += all.count;
            for (size_t i = 0; i < all.count; i++) {
                uint64_t mask = 0;
                for (uint32_t o = 0; o < (places ? net->transition_count : net->place_count); o++) {
                    int64_t sum = 0;
                    for (uint32_t k = 0; k < all.list[i].count; k++) {
                        const es_net_term *t = &all.list[i].terms[k];
                        sum += (int64_t)t->weight * (places ? effect(net, t->node, o) : effect(net, o, t->node));
                        ck_assert_uint_gt(t->weight, 0);
                        mask |= UINT64_C(1) << t->node;
                    }
                    ck_assert_msg(sum == 0, "seed %llu", (unsigned long long)seed);
                }
                for (size_t k = 0; k < all.count; k++) {
                    uint64_t other = 0;
                    for (uint32_t n = 0; n < all.list[k].count; n++)
                        other |= UINT64_C(1) << all.list[k].terms[n].node;
                    ck_assert_msg(k == i || (other & ~mask) != 0, "seed %llu: not minimal", (unsigned long long)seed);
                }
            }
        }
        es_net_free(net);
    }
    ck_assert_uint_gt(found, 200);
}
END_TEST

/* A plain search with a list, for nets of at most 8 places: markings as bytes of a number; without routing. */
struct search {
    uint64_t seen[5000];
    size_t count;
    bool unsafe, dead, full;
};

static void look(struct search *s, uint64_t marking)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->seen[i] == marking)
            return;
    if (s->count == 5000)
        s->full = true;
    else
        s->seen[s->count++] = marking;
}

static void search_all(struct search *s, const es_net *net, uint32_t most)
{
    uint64_t start = 0;
    for (uint32_t p = 0; p < net->place_count; p++)
        start |= (uint64_t)net->places[p].tokens << 8 * p;
    look(s, start);
    for (size_t i = 0; i < s->count && !s->full; i++) {
        bool any = false;
        for (uint32_t t = 0; t < net->transition_count; t++) {
            uint8_t tokens[8];
            bool enabled = true;
            for (uint32_t p = 0; p < net->place_count; p++)
                tokens[p] = (uint8_t)(s->seen[i] >> 8 * p);
            for (uint32_t a = 0; a < net->arc_count; a++)
                if (net->arcs[a].transition == t && !net->arcs[a].to_place) {
                    enabled = enabled && tokens[net->arcs[a].place] >= net->arcs[a].weight;
                    tokens[net->arcs[a].place] = (uint8_t)(tokens[net->arcs[a].place] - net->arcs[a].weight);
                }
            if (!enabled)
                continue;
            any = true;
            uint64_t next = 0;
            for (uint32_t a = 0; a < net->arc_count; a++)
                if (net->arcs[a].transition == t && net->arcs[a].to_place)
                    tokens[net->arcs[a].place] = (uint8_t)(tokens[net->arcs[a].place] + net->arcs[a].weight);
            for (uint32_t p = 0; p < net->place_count; p++) {
                s->unsafe = s->unsafe || tokens[p] > 1;
                s->full = s->full || tokens[p] > most;
                next |= (uint64_t)tokens[p] << 8 * p;
            }
            if (!s->full)
                look(s, next);
        }
        s->dead = s->dead || !any;
    }
}

static bool has_choice(const es_net *net)
{
    for (uint32_t p = 0; p < net->place_count; p++)
        if (net->places[p].output_count > 1)
            return true;
    return false;
}

/* Without choices tokens need no routing: states are markings. */
START_TEST(random_states)
{
    unsigned safe = 0, unsafe = 0, dead = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        es_net *net = random_net(seed, 1);
        struct search *s = es_arena_alloc(arena, sizeof *s);
        bool ordinary = true;
        for (uint32_t i = 0; i < net->arc_count; i++)
            ordinary = ordinary && net->arcs[i].weight == 1;
        if (ordinary && !has_choice(net)) {
            es_net_states states = es_net_explore(net, 10000, arena);
            search_all(s, net, 200);
            ck_assert_msg(states.safe == (s->unsafe ? ES_NET_NO : ES_NET_YES), "seed %llu", (unsigned long long)seed);
            if (!s->unsafe) {
                ck_assert_uint_eq(states.count, s->count);
                ck_assert_msg(states.dead == (s->dead ? ES_NET_YES : ES_NET_NO), "seed %llu", (unsigned long long)seed);
            }
            safe += !s->unsafe;
            unsafe += s->unsafe;
            dead += !s->unsafe && s->dead;
        }
        es_net_free(net);
    }
    ck_assert_msg(safe > 90 && unsafe > 90 && dead > 50, "%u %u %u", safe, unsafe, dead);
}
END_TEST

START_TEST(random_bounds)
{
    unsigned bounded = 0, unbounded = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        es_net *net = random_net(seed, 2);
        struct search *s = es_arena_alloc(arena, sizeof *s);
        search_all(s, net, 200);
        es_net_bounds bounds = es_net_cover(net, 5000, arena);
        if (bounds.bounded == ES_NET_YES) {
            uint32_t most = 0;
            ck_assert_msg(!s->full, "seed %llu", (unsigned long long)seed);
            for (size_t i = 0; i < s->count; i++)
                for (uint32_t p = 0; p < net->place_count; p++)
                    most = (s->seen[i] >> 8 * p & 0xFF) > most ? (uint32_t)(s->seen[i] >> 8 * p & 0xFF) : most;
            ck_assert_uint_eq(bounds.most, most);
            ck_assert_uint_eq(bounds.markings, s->count);
            bounded++;
        } else if (bounds.bounded == ES_NET_NO) {
            ck_assert_msg(s->full, "seed %llu", (unsigned long long)seed);
            ck_assert_uint_gt(bounds.unbounded_count, 0);
            unbounded++;
        }
        es_net_free(net);
    }
    ck_assert_msg(bounded > 100 && unbounded > 100, "%u %u", bounded, unbounded);
}
END_TEST

/* Routing is followed: what a rule excludes is not reached; a token that waits at the wrong transition is a
 * deadlock. */
START_TEST(routing_is_followed)
{
    es_net *net = net_of("tr t a -> p tr x p -> a tr y p b -> a pl a (1)"); /* free: y never gets b */
    es_net_states states = es_net_explore(net, 100, arena);
    ck_assert(states.complete && states.safe == ES_NET_YES && states.dead == ES_NET_YES && states.count == 3);
    ck_assert(states.dead_path.count == 1 && states.dead_place_count == 1 && states.never_count == 1);
    es_net_free(net);
    net =
        net_of("tr t a -> p tr x p -> a tr y p b -> a pl a (1)\n# earshot: route p -> y if b\n# earshot: route p -> x");
    states = es_net_explore(net, 100, arena);
    ck_assert(states.complete && states.dead == ES_NET_NO && states.count == 2);
    es_net_free(net);
    net = net_of("tr t a -> p tr x p -> a tr y p -> a pl a (1)\n# earshot: route p -> x if a from x\n# earshot: route "
                 "p -> y if a from y");
    states = es_net_explore(net, 100, arena);
    ck_assert(states.unrouted == es_net_place_find(net, "p") &&
              states.unrouted_path.count == 1); /* the initial token is of nobody */
    es_net_free(net);
    net = net_of("tr t a -> b c tr u b -> a pl a (1)");
    states = es_net_explore(net, 100, arena);
    ck_assert(states.safe == ES_NET_NO && states.unsafe_place == es_net_place_find(net, "c") &&
              states.unsafe.count == 3);
    es_net_free(net);
    es_net_states few;
    net = net_of("tr a p -> q tr b q -> r tr c r -> s pl p (1)");
    few = es_net_explore(net, 2, arena);
    ck_assert(!few.complete && few.safe == ES_NET_UNDECIDED && few.dead == ES_NET_UNDECIDED);
    es_net_free(net);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("analysis");
    TCase *tests = tcase_create("analysis");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, known_invariants);
    tcase_add_test(tests, invariants_have_a_limit);
    tcase_add_test(tests, random_invariants);
    tcase_add_test(tests, random_states);
    tcase_add_test(tests, random_bounds);
    tcase_add_test(tests, routing_is_followed);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
