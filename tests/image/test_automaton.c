/* The automaton against es_path_find: random paths over random stacks denote the same activations. */
#include <stdio.h>
#include <string.h>

#include "check_main.h"
#include "image/paths/automaton.h"
#include "lang/statement.h"

enum { PROCEDURES = 5, PATHS = 4, DEPTH = 9 };

static uint32_t seed;

static uint32_t draw(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

static const uint8_t denotes[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, exists_only[] = {AUTOMATON_EXISTS};

static es_procedure procedures[PROCEDURES];

static es_path random_path(es_step *steps)
{
    es_path path = {.text = "", .steps = steps};
    size_t count = 1 + draw(4);
    for (size_t i = 0; i < count; i++) {
        const es_procedure *procedure = &procedures[draw(PROCEDURES - 1)]; /* the last one is in no path */
        bool any = path.count == 0 || steps[path.count - 1].kind != ES_STEP_ANY;
        if (any && draw(3) == 0)
            steps[path.count++] = (es_step){.kind = ES_STEP_ANY};
        switch (draw(4)) {
        case 0:
            steps[path.count++] = (es_step){.kind = ES_STEP_CALL, .procedure = procedure, .site = 4 * (1 + draw(3))};
            break;
        case 1:
            steps[path.count++] = (es_step){.kind = ES_STEP_NESTED, .procedure = procedure, .nest = 1 + draw(4)};
            break;
        default: steps[path.count++] = (es_step){.kind = ES_STEP_NAME, .procedure = procedure}; break;
        }
    }
    return path;
}

static bool make(automaton *a, es_arena *arena, const es_path *const *paths, const uint8_t *asked, size_t count)
{
    es_automaton_begin(a, arena, paths, count);
    return es_automaton_make(a, arena, paths, asked, NULL);
}

/* Innermost activation that the automaton accepts for each path. */
static void run(const automaton *a, const es_activation *stack, size_t depth, size_t *found, bool *exists)
{
    size_t state = 0;
    for (size_t p = 0; p < a->path_count; p++) {
        found[p] = depth;
        exists[p] = false;
    }
    for (size_t i = 0; i < depth; i++) {
        size_t symbol = es_automaton_symbol_of(a, stack[i].procedure, stack[i].site);
        state = a->next[state * a->symbol_count + symbol];
        for (size_t p = 0; p < a->path_count; p++)
            if (a->tells[state * a->path_count + p] & AUTOMATON_DENOTES)
                found[p] = i;
    }
    for (size_t p = 0; p < a->path_count; p++)
        exists[p] = a->tells[state * a->path_count + p] & AUTOMATON_EXISTS;
}

START_TEST(denotes_the_same)
{
    size_t hits = 0, nested = 0, large = 0;
    for (unsigned round = 0; round < 500; round++) {
        uint32_t own = (uint32_t)_i * 10000 + round + 1;
        seed = own;
        es_arena *arena = es_arena_new();
        es_step steps[PATHS][16];
        es_path paths[PATHS];
        const es_path *list[PATHS];
        uint8_t asked[PATHS];
        for (size_t p = 0; p < PATHS; p++) {
            asked[p] = (uint8_t)(1 + draw(3));
            paths[p] = random_path(steps[p]);
            list[p] = &paths[p];
        }
        automaton a;
        bool made = make(&a, arena, list, asked, PATHS);
        large += !made;
        for (unsigned k = 0; k < 100 && made; k++) {
            es_activation stack[DEPTH];
            size_t depth = draw(DEPTH + 1), found[PATHS];
            bool exists[PATHS];
            unsigned some = 1 + draw(PROCEDURES);
            for (size_t i = 0; i < depth; i++)
                stack[i] = (es_activation){.procedure = &procedures[draw(some)], .site = 4 * draw(4)};
            run(&a, stack, depth, found, exists);
            for (size_t p = 0; p < PATHS; p++) {
                size_t want = es_path_find(&paths[p], stack, depth);
                ck_assert_msg(exists[p] == (asked[p] & AUTOMATON_EXISTS && want < depth), "seed %u, path %zu", own, p);
                if (!(asked[p] & AUTOMATON_DENOTES))
                    want = depth;
                ck_assert_msg(found[p] == want, "seed %u, path %zu: activation %zu, not %zu", own, p, want, found[p]);
                hits += want < depth;
                nested += want < depth && want > 3;
            }
        }
        es_arena_free(arena);
    }
    ck_assert_msg(hits > 5000 && nested > 300 && large < 50, "%zu found, %zu of them deep, %zu too large", hits, nested,
                  large);
}
END_TEST

/* A recursive program's tree is infinite; the automaton of *:fact needs three states. */
START_TEST(recursion_is_finite)
{
    es_arena *arena = es_arena_new();
    const es_step any[] = {{.kind = ES_STEP_ANY}, {.kind = ES_STEP_NAME, .procedure = &procedures[0]}};
    es_path path = {.text = "*:fact", .steps = any, .count = 2};
    const es_path *list[] = {&path};
    automaton a;
    ck_assert(make(&a, arena, list, denotes, 1));
    ck_assert_uint_eq(a.state_count, 2);
    const es_step third[] = {{.kind = ES_STEP_ANY}, {.kind = ES_STEP_NESTED, .procedure = &procedures[0], .nest = 3}};
    es_path nested = {.text = "fact[3]", .steps = third, .count = 2};
    list[0] = &nested;
    ck_assert(make(&a, arena, list, denotes, 1));
    ck_assert_uint_eq(a.state_count, 5); /* 0, 1, 2 met, the third itself, and beyond it */
    ck_assert(make(&a, arena, list, exists_only, 1));
    ck_assert_uint_eq(a.state_count, 4); /* once there is one, it does not matter what else is */
    es_arena_free(arena);
}
END_TEST

START_TEST(too_many_states_are_told)
{
    es_arena *arena = es_arena_new();
    static es_step steps[12][14];
    static es_path paths[12];
    const es_path *list[12];
    for (size_t p = 0; p < 12; p++) { /* *:f[k] with many k of independent procedures multiply */
        steps[p][0] = (es_step){.kind = ES_STEP_ANY};
        steps[p][1] = (es_step){.kind = ES_STEP_NESTED, .procedure = &procedures[p % 5], .nest = 40};
        paths[p] = (es_path){.text = "", .steps = steps[p], .count = 2};
        list[p] = &paths[p];
    }
    automaton a;
    ck_assert(!make(&a, arena, list, denotes, 12));
    es_arena_free(arena);
}
END_TEST

int main(void)
{
    static char names[PROCEDURES][2];
    for (size_t i = 0; i < PROCEDURES; i++) {
        snprintf(names[i], sizeof names[i], "%c", (int)('a' + i));
        procedures[i] =
            (es_procedure){.name = names[i], .low = (uint32_t)(0x100 * (i + 1)), .high = (uint32_t)(0x100 * (i + 2))};
    }
    Suite *suite = suite_create("automaton");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, denotes_the_same, 0, 4);
    tcase_add_test(all, recursion_is_finite);
    tcase_add_test(all, too_many_states_are_told);
    suite_add_tcase(suite, all);
    return check_main(suite);
}
