#include "worlds.h"

#include <stdio.h>
#include <stdlib.h>

#define CORES_MAX 8
#define REPAIRS 40 /* steps whose lengths hang on those that move, at most */

bool worlds_is_lost(const life *l, const gaps *g, size_t at)
{
    bool lost = false;
    for (size_t i = 0; i < g->count; i++)
        lost |= at >= g->of[i].from && at < g->of[i].to &&
                life_step(l, l->firings[at].transition)->process == g->of[i].process;
    return lost;
}

static int64_t time_in(const truth *t, uint32_t transition, uint64_t number)
{
    return number < WORLDS_MORE + 2 ? t->times[transition * (WORLDS_MORE + 2) + number] : -1;
}

static truth truth_of(const random_net *made, const life_shift *shifts, size_t shift_count)
{
    life l = life_live(made, false, WORLDS_MORE, shifts, shift_count);
    const size_t size = (size_t)made->net->transition_count * (WORLDS_MORE + 2);
    truth t = {malloc(size * sizeof *t.times), l.count == WORLDS_MORE ? l.firings[WORLDS_MORE - 1].time : INT64_MAX};
    for (size_t i = 0; i < size; i++)
        t.times[i] = -1;
    for (size_t i = 0; i < l.count; i++)
        t.times[l.firings[i].transition * (WORLDS_MORE + 2) + l.firings[i].number] = l.firings[i].time;
    life_end(&l);
    return t;
}

/* What else the lost marks may have cost. World 0: what they did; 1: nothing; 2: as much as can be; others: at random.
 */
static size_t shift_lost(const life *l, const gaps *g, unsigned world, life_shift *shifts)
{
    size_t count = 0;
    for (size_t i = g->of[0].from; i < l->count && world; i++) {
        const es_net_firing *f = &l->firings[i];
        const es_net_transition *t = life_step(l, f->transition);
        if (!worlds_is_lost(l, g, i) || !t->monitor || t->untimed || !l->computes[i])
            continue;
        int64_t less = f->delay; /* the mark may have cost that much more */
        if (t->mark_max != ES_NET_UNKNOWN && less > t->mark_max - f->mark)
            less = t->mark_max - f->mark;
        int64_t more = f->mark;
        if (world == 2)
            more = -less;
        else if (world > 2)
            more = (int64_t)(random_mix(l->made.seed ^ i << 8 ^ world) % (uint64_t)(more + less + 1)) - less;
        if (more)
            shifts[count++] = (life_shift){f->transition, l->made_of[i], f->number, more, 0};
    }
    return count;
}

/* By transition and number: does no mark show it? It is lost, or of a process that is no core (templates.h). */
static bool *hidden_of(const life *l, const gaps *g)
{
    bool *hidden = calloc((size_t)l->made.net->transition_count * (WORLDS_MORE + 2), sizeof *hidden);
    for (size_t i = 0; i < l->count; i++)
        hidden[l->firings[i].transition * (WORLDS_MORE + 2) + l->firings[i].number] =
            worlds_is_lost(l, g, i) || life_step(l, l->firings[i].transition)->process >= CORES_MAX;
    return hidden;
}

static size_t next_shown(const life *l, const bool *hidden, size_t from)
{
    while (from < l->count && hidden[l->firings[from].transition * (WORLDS_MORE + 2) + l->firings[from].number])
        from++;
    return from;
}

/* Do both runs show the same, but for what is lost? Otherwise *first is the first firing of `other` that differs, by
 * *late ticks, or of another step. */
static bool looks_the_same(const life *l, const life *other, const bool *hidden, size_t *first, int64_t *late)
{
    size_t i = next_shown(l, hidden, 0), k = next_shown(other, hidden, 0);
    for (; i < l->count && k < other->count; i = next_shown(l, hidden, i + 1), k = next_shown(other, hidden, k + 1)) {
        const es_net_firing *a = &l->firings[i], *b = &other->firings[k];
        *first = k;
        *late = b->time - a->time;
        if (a->transition != b->transition || a->number != b->number || a->time != b->time || a->mark != b->mark)
            return false;
    }
    return true;
}

/* When a lost step was made is not known either. In other worlds each of them takes no time, and the first or the last
 * one all that is left; or some take more, and some less. Where another process shows that by a firing at another time,
 * it took so much less or more for it: its length is only known from what is lost. Returns how many shifts there are
 * with those of such a world; without them, where there is none that shows the same. */
static size_t move_lost(const life *l, const gaps *g, const bool *hidden, unsigned kind, life_shift *shifts,
                        size_t count)
{
    size_t added = count, of[WORLDS_FIRINGS], lost = 0;
    int64_t left = 0;
    for (size_t i = g->of[0].from; i < l->count; i++)
        if (worlds_is_lost(l, g, i) && l->computes[i] && l->firings[i].delay > 0)
            of[lost++] = i;
    for (size_t i = 0; i < lost; i++) {
        const es_net_firing *f = &l->firings[of[i]];
        const uint64_t random = random_mix(l->made.seed ^ of[i] << 9 ^ kind);
        int64_t late = -f->delay;
        if (kind > 1 && random & 3)
            late = 0;
        if (kind > 2 && (random & 7) == 4)
            late = left > 0 ? (int64_t)(random >> 8 & 0xFFFF) % left : 0;
        left -= late;
        shifts[added++] = (life_shift){f->transition, l->made_of[of[i]], f->number, 0, late};
    }
    if (!lost)
        return count;
    const size_t rest = kind ? lost - 1 : 0;
    shifts[added] = shifts[count + rest];
    shifts[added].late = left;
    added++;
    for (unsigned repair = 0; repair < REPAIRS; repair++) {
        size_t first = 0;
        int64_t late = 0;
        life other = life_live(&l->made, true, WORLDS_FIRINGS, shifts, added);
        const bool same = looks_the_same(l, &other, hidden, &first, &late);
        const es_net_firing f = other.firings[first];
        const uint64_t data = other.made_of[first];
        const bool possible = late && late <= f.delay && other.computes[first] && life_step(l, f.transition)->monitor;
        life_end(&other);
        if (same)
            return added;
        if (!possible)
            return count;
        shifts[added++] = (life_shift){f.transition, data, f.number, 0, -late};
    }
    return count;
}

/* Its number; of one that is not counted the true one, which must not be less. */
static uint64_t number_of(const run *r, const es_net_recovered *e)
{
    if (!(e->flags & ES_NET_UNCOUNTED))
        return e->number;
    if (e->serial < r->observed->count)
        return r->observed->firings[e->serial].number;
    for (uint64_t number = e->number; number < WORLDS_MORE + 2; number++)
        if (time_in(&r->worlds[0], e->transition, number) == e->time)
            return number;
    return e->number;
}

void worlds_on_event(void *context, const es_net_recovered *e)
{
    run *r = context;
    if (e->certainty != ES_NET_TOTALLY)
        return;
    if (e->serial < r->observed->count)
        r->certain[e->serial] = true;
    r->sum->certain_of_all++;
    const uint64_t number = number_of(r, e);
    bool *told = &r->told[e->transition * (WORLDS_MORE + 2) + (number < WORLDS_MORE + 2 ? number : 0)];
    if (number < e->number || (*told && number < WORLDS_MORE + 2)) {
        printf("FAIL seed %llu: %s#%llu is told twice\n", (unsigned long long)r->observed->made.seed,
               life_step(r->observed, e->transition)->id, (unsigned long long)e->number);
        r->failed = true;
    }
    *told = true;
    for (unsigned w = 0; w < WORLDS; w++) {
        int64_t want = time_in(&r->worlds[w], e->transition, number);
        if (want == e->time || (want < 0 && e->time >= r->worlds[w].end))
            continue;
        r->sum->wrong++;
        if (!r->failed)
            printf("FAIL seed %llu: %s#%llu recovered %lld, in world %u it is %lld\n",
                   (unsigned long long)r->observed->made.seed, life_step(r->observed, e->transition)->id,
                   (unsigned long long)e->number, (long long)e->time, w, (long long)want);
        r->failed = true;
        return;
    }
}

/* Of the observed events after the gap: which are certain, and which could be at most. */
static void count_after(const run *r, const gaps *g)
{
    const life *l = r->observed;
    for (size_t i = g->of[0].from; i < l->count; i++) {
        const es_net_firing *f = &l->firings[i];
        const es_net_transition *t = life_step(l, f->transition);
        if (!t->monitor || t->fixed || worlds_is_lost(l, g, i))
            continue;
        bool same = true;
        for (unsigned w = 1; w < WORLDS; w++)
            same &=
                time_in(&r->worlds[w], f->transition, f->number) == time_in(&r->worlds[0], f->transition, f->number);
        r->sum->events++;
        r->sum->certain += r->certain[i];
        r->sum->knowable += same;
    }
}

static gaps gaps_of(const life *l, bool several)
{
    const uint64_t random = random_mix(l->made.seed ^ 77), more = random_mix(random);
    gap first = {.from = l->count / 4 + random % (l->count / 4 + 1), .process = (int32_t)((random >> 40) % 3)};
    first.to = first.from + 10 + (random >> 20) % 40;
    gaps g = {{first}, 1, several && (more & 1)};
    if (!several || (more & 2))
        return g;
    g.of[1] = (gap){.from = first.from + more % (l->count / 4 + 1) / (more & 4 ? 8 : 1),
                    .process = (int32_t)((more >> 40) % 3)};
    g.of[1].to = g.of[1].from + 1 + (more >> 20) % 40;
    g.count = 2;
    return g;
}

bool worlds_test(random_net made, totals *sum, bool several, bool (*recover)(run *r, const gaps *g, void *context),
                 void *context)
{
    life observed = life_live(&made, true, WORLDS_FIRINGS, NULL, 0);
    const gaps g = gaps_of(&observed, several);
    life_shift *shifts = malloc((2 * observed.count + REPAIRS + 2) * sizeof *shifts);
    bool *hidden = hidden_of(&observed, &g);
    truth worlds[WORLDS];
    bool good = true;
    for (unsigned w = 0; w < WORLDS; w++) {
        size_t count = shift_lost(&observed, &g, w % (WORLDS / 2), shifts);
        if (w >= WORLDS / 2)
            count = move_lost(&observed, &g, hidden, w - WORLDS / 2, shifts, count);
        life other = life_live(&made, true, WORLDS_FIRINGS, shifts, count);
        size_t first;
        int64_t late;
        if (!looks_the_same(&observed, &other, hidden, &first, &late)) {
            printf("FAIL seed %llu: world %u shows something else\n", (unsigned long long)made.seed, w);
            good = false;
        }
        life_end(&other);
        worlds[w] = truth_of(&made, shifts, count);
    }
    run r = {&observed,
             worlds,
             sum,
             calloc(observed.count + 1, sizeof *r.certain),
             calloc((size_t)made.net->transition_count * (WORLDS_MORE + 2), sizeof *r.told),
             false};
    good &= recover(&r, &g, context);
    count_after(&r, &g);
    sum->nets++;
    for (unsigned w = 0; w < WORLDS; w++)
        free(worlds[w].times);
    free(r.certain);
    free(r.told);
    free(shifts);
    free(hidden);
    life_end(&observed);
    es_net_free(made.net);
    return good;
}

bool worlds_report(const char *what, const totals *sum, unsigned percent)
{
    printf("%s: %llu nets, %llu certain events, %llu wrong; after the gap %llu of %llu certain, and %llu at most can "
           "be known\n",
           what, (unsigned long long)sum->nets, (unsigned long long)sum->certain_of_all, (unsigned long long)sum->wrong,
           (unsigned long long)sum->certain, (unsigned long long)sum->events, (unsigned long long)sum->knowable);
    if (sum->certain * 100 >= sum->events * percent)
        return true;
    printf("FAIL %s: less than %u %% of the events after gaps are certain\n", what, percent);
    return false;
}
