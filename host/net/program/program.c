#include "net/program/program.h"

#include <stdlib.h>
#include <string.h>

#include "net/program/asking.h"
#include "net/program/flow.h"
#include "net/program/raw_messages.h"
#include "symbols/code.h"

/* What a mark is in the program's structure. */
enum role {
    ROLE_OWN,  /* of the program itself */
    ROLE_SEND, /* begins a call */
    ROLE_RECV,
    ROLE_TEST,
    ROLE_ANY,
    ROLE_INSIDE, /* belongs to a call that another mark begins */
};

typedef struct part {
    enum role role;
    bool synchronous;             /* SEND */
    bool ends;                    /* the program's own code goes on after it */
    bool close;                   /* one instruction lies between it and the next mark of the table */
    size_t recv, none;            /* TEST: marks of the receive and of `none`; ANY: recv */
    bool asks;                    /* TEST: it only asks again */
    bool idle;                    /* a step of asking again */
    uint32_t at[ES_NET_MP_CORES]; /* TEST, of the core at hand: the place that decides, by peer */
    const char *source;
} part;

typedef struct code { /* one ELF file */
    const char *path;
    es_net_mark_flow flow;
    part *parts;
    const char **notes;
    size_t note_count;
} code;

typedef struct maker {
    es_net *net;
    es_net_mp *mp;
    unsigned cores;
    int64_t mark;
    /* Of the core at hand: places of the program between marks. Those that lead to one mark are one place. */
    size_t *parent;   /* 2 m: before mark m; 2 m + 1: after it; 2 count: the start */
    uint32_t *places; /* by root, ES_NET_NONE until it is needed */
    unsigned core;
    es_net_mp_step *own;
    size_t own_count;
} maker;

static uint32_t clocks(const code *c, size_t from, size_t to)
{
    return c->flow.clocks[from * c->flow.count + to];
}

/* --- what belongs together ------------------------------------------------------------------------ */

static bool not_whole(const code *c, size_t mark, es_error *err)
{
    return es_fail(err, ES_USAGE, "%s: the marks of the message-passing call at %s are not those of examples/mp/mp.h",
                   c->path, c->parts[mark].source);
}

/* The next mark of the table, when it has this id and one instruction lies between. */
static bool adjacent(const code *c, size_t mark, uint32_t id)
{
    return c->parts[mark].close && c->flow.marks[mark + 1].id == id;
}

/* The one mark with this id that can follow. */
static bool follower(const code *c, size_t mark, uint32_t id, size_t *found)
{
    size_t count = 0;
    for (size_t i = 0; i < c->flow.count; i++)
        if (c->flow.marks[i].id == id && clocks(c, mark, i) != ES_NET_NEVER) {
            *found = i;
            count++;
        }
    return count == 1;
}

static bool find_part(const code *c, size_t mark, es_error *err)
{
    part *p = &c->parts[mark];
    bool whole = true;
    switch (c->flow.marks[mark].id) {
    case ES_NET_MP_SEND_BEGIN:
        p->role = ROLE_SEND;
        whole = adjacent(c, mark, ES_NET_MP_SEND_END);
        p->synchronous = whole && adjacent(c, mark + 1, ES_NET_MP_TAKEN_END);
        if (whole)
            c->parts[mark + 1 + p->synchronous].ends = true;
        break;
    case ES_NET_MP_RECV_BEGIN:
        p->role = ROLE_RECV;
        whole = adjacent(c, mark, ES_NET_MP_RECV_END);
        if (whole)
            c->parts[mark + 1].ends = true;
        break;
    case ES_NET_MP_TEST_BEGIN:
        p->role = ROLE_TEST;
        whole = follower(c, mark, ES_NET_MP_RECV_BEGIN, &p->recv) && follower(c, mark, ES_NET_MP_TEST_NONE, &p->none);
        if (whole)
            c->parts[p->none].ends = true;
        break;
    case ES_NET_MP_ANY_BEGIN:
        p->role = ROLE_ANY;
        whole = adjacent(c, mark, ES_NET_MP_ANY_FOUND) && follower(c, mark + 1, ES_NET_MP_RECV_BEGIN, &p->recv);
        break;
    case ES_NET_MP_SEND_END:
    case ES_NET_MP_TAKEN_END:
    case ES_NET_MP_RECV_END:
    case ES_NET_MP_TEST_NONE:
    case ES_NET_MP_ANY_FOUND: p->role = ROLE_INSIDE; break;
    default: p->role = ROLE_OWN; p->ends = true;
    }
    return whole || not_whole(c, mark, err);
}

/* Which tests are loops that only ask. */
static void find_asking(code *c, es_arena *arena, const es_symbols *symbols)
{
    es_net_asking_test *tests = es_arena_alloc(arena, (c->flow.count + 1) * sizeof *tests);
    size_t count = 0;
    for (size_t i = 0; i < c->flow.count; i++)
        if (c->parts[i].role == ROLE_TEST)
            tests[count++] = (es_net_asking_test){i, c->parts[i].recv, c->parts[i].none};
    es_net_asking asking = es_net_asking_find(arena, symbols, c->flow.marks, c->flow.count, tests, count);
    c->notes = es_arena_alloc(arena, (count + 1) * sizeof *c->notes);
    for (size_t i = 0; i < c->flow.count; i++)
        c->parts[i].idle = asking.idle[i];
    for (size_t i = 0; i < count; i++) {
        c->parts[tests[i].mark].asks = asking.asks[i];
        if (asking.why[i])
            c->notes[c->note_count++] =
                es_arena_format(arena,
                                "%s: when this test finds another thing without marks, what follows is estimated; it "
                                "does not only ask again: %s",
                                c->parts[tests[i].mark].source, asking.why[i]);
    }
}

static bool read_code(code *c, es_arena *arena, const char *path, es_error *err)
{
    c->path = path;
    size_t count = 0;
    es_net_mark_place *table = es_net_mark_table(path, &count, err);
    if (!table)
        return false;
    es_net_mark_place *marks = es_arena_alloc(arena, count * sizeof *marks);
    memcpy(marks, table, count * sizeof *marks);
    free(table);
    es_symbols *symbols = es_symbols_open(path, err);
    if (!symbols)
        return false;
    bool ok = es_net_refuse_raw_messages(symbols, marks, count, err) &&
              es_net_mark_flow_make(&c->flow, arena, symbols, marks, count, err);
    c->parts = es_arena_alloc(arena, (count + 1) * sizeof *c->parts);
    for (size_t i = 0; ok && i < count; i++) {
        const char *file;
        unsigned line;
        bool known = es_symbols_line(symbols, marks[i].begin, &file, &line);
        es_insn insn;
        c->parts[i].close = i + 1 < count && es_symbols_insn(symbols, marks[i].end, &insn) &&
                            marks[i + 1].begin == marks[i].end + insn.size;
        c->parts[i].source = known ? es_arena_format(arena, "%s:%u", file, line)
                                   : es_arena_format(arena, "0x%x", (unsigned)marks[i].begin);
    }
    for (size_t i = 0; ok && i < count; i++)
        ok = find_part(c, i, err);
    if (ok)
        find_asking(c, arena, symbols);
    es_symbols_close(symbols);
    return ok;
}

/* --- places between marks ------------------------------------------------------------------------- */

static size_t root(const maker *m, size_t port)
{
    while (m->parent[port] != port)
        port = m->parent[port] = m->parent[m->parent[port]];
    return port;
}

static uint32_t port_place(maker *m, size_t port, es_error *err)
{
    size_t at = root(m, port);
    if (m->places[at] == ES_NET_NONE) {
        const char *id = es_arena_format(m->net->arena, "code %u.%zu", m->core, at);
        m->places[at] = es_net_place_add(m->net, id, NULL, 0, NULL, err);
    }
    return m->places[at];
}

static void join_ports(const maker *m, const code *c)
{
    size_t count = c->flow.count;
    for (size_t i = 0; i <= 2 * count; i++) {
        m->parent[i] = i;
        m->places[i] = ES_NET_NONE;
    }
    for (size_t from = 0; from <= count; from++)
        for (size_t to = 0; to < count; to++)
            if ((from == count || c->parts[from].ends) && c->parts[to].role != ROLE_INSIDE &&
                clocks(c, from, to) != ES_NET_NEVER)
                m->parent[root(m, from == count ? 2 * count : 2 * from + 1)] = root(m, 2 * to);
}

/* The fewest clocks from any of the program's own code to this mark; -1 when there is none: then it is only ever part
 * of a call, or never reached. Compilers join the receive of a test with one that follows, so a receive may be both. */
static int64_t delay_to(const code *c, size_t mark)
{
    uint32_t least = ES_NET_NEVER;
    for (size_t from = 0; from <= c->flow.count; from++)
        if ((from == c->flow.count || c->parts[from].ends) && clocks(c, from, mark) < least)
            least = clocks(c, from, mark);
    return least == ES_NET_NEVER ? -1 : (int64_t)least;
}

/* --- transitions ---------------------------------------------------------------------------------- */

static bool add_own(maker *m, const code *c, size_t mark, uint32_t before, es_error *err)
{
    es_net *net = m->net;
    const es_net_mark_place *at = &c->flow.marks[mark];
    uint32_t after = port_place(m, 2 * mark + 1, err);
    const char *id = es_arena_format(net->arena, "mark %u.%zu", m->core, mark);
    const char *name = es_arena_format(net->arena, "mark %u", (unsigned)at->id);
    uint32_t t = after == ES_NET_NONE
                     ? ES_NET_NONE
                     : es_net_transition_add(net, id, name, delay_to(c, mark), c->parts[mark].source, err);
    if (t == ES_NET_NONE || !es_net_monitor(net, t, m->mark, m->mark, err) || !es_net_arc_in(net, before, t, 1, err) ||
        !es_net_arc_out(net, t, after, 1, err))
        return false;
    net->transitions[t].process = (int32_t)m->core;
    m->own = es_arena_grow(net->arena, m->own, m->own_count, sizeof *m->own);
    m->own[m->own_count++] = (es_net_mp_step){t, ES_NET_SEEN_END, m->core, at->id, (uint32_t)mark, 0};
    return true;
}

/* The receive inside a test or after a wait for any. */
static bool add_inner(maker *m, const code *c, size_t from, size_t recv, unsigned peer, uint32_t before, es_error *err)
{
    es_net_mp_call call = {m->core,
                           peer,
                           (uint32_t)recv,
                           clocks(c, from, recv),
                           before,
                           port_place(m, 2 * recv + 3, err),
                           c->parts[recv].source};
    return call.after != ES_NET_NONE && es_net_mp_recv(m->mp, &call, err) != ES_NET_NONE;
}

/* An earlier test that only asks for the same, or `mark`. */
static size_t first_alike(const code *c, size_t mark)
{
    size_t first = 0;
    while (c->parts[first].role != ROLE_TEST || c->parts[first].recv != c->parts[mark].recv ||
           c->parts[first].none != c->parts[mark].none || delay_to(c, first) < 0)
        first++;
    return c->parts[mark].asks ? first : mark;
}

static bool add_test(maker *m, const code *c, size_t mark, es_net_mp_call call, es_error *err)
{
    part *p = &c->parts[mark];
    size_t first = first_alike(c, mark);
    if (first != mark)
        return es_net_mp_test_again(m->mp, &call, c->parts[first].at[call.peer], err);
    call.after = port_place(m, 2 * p->none + 1, err);
    if (call.after == ES_NET_NONE)
        return false;
    uint32_t hit = es_net_mp_test(m->mp, &call, (uint32_t)p->none, clocks(c, mark, p->none), err);
    p->at[call.peer] = hit;
    return hit != ES_NET_NONE && add_inner(m, c, mark, p->recv, call.peer, hit, err);
}

static bool add_any(maker *m, const code *c, size_t mark, const es_net_mp_call *call, es_error *err)
{
    uint32_t found[ES_NET_MP_CORES];
    if (!es_net_mp_any(m->mp, call, (1u << m->cores) - 1, found, err))
        return false;
    for (unsigned s = 0; s < m->cores; s++)
        if (!add_inner(m, c, mark + 1, c->parts[mark].recv, s, found[s], err))
            return false;
    return true;
}

static bool add_mark(maker *m, const code *c, size_t mark, es_error *err)
{
    const part *p = &c->parts[mark];
    if (p->role == ROLE_INSIDE || delay_to(c, mark) < 0)
        return true;
    uint32_t before = port_place(m, 2 * mark, err);
    if (before == ES_NET_NONE)
        return false;
    es_net_mp_call call = {m->core, 0, (uint32_t)mark, delay_to(c, mark), before, ES_NET_NONE, p->source};
    if (p->role == ROLE_OWN)
        return add_own(m, c, mark, before, err);
    if (p->role == ROLE_ANY)
        return add_any(m, c, mark, &call, err);
    for (call.peer = 0; call.peer < m->cores; call.peer++) {
        size_t last = mark + 1 + (p->role == ROLE_SEND && p->synchronous);
        if (p->role == ROLE_TEST) {
            if (!add_test(m, c, mark, call, err))
                return false;
            continue;
        }
        call.after = port_place(m, 2 * last + 1, err);
        if (call.after == ES_NET_NONE)
            return false;
        uint32_t after = p->role == ROLE_RECV ? es_net_mp_recv(m->mp, &call, err)
                         : p->synchronous     ? es_net_mp_sync_send(m->mp, &call, err)
                                              : es_net_mp_async_send(m->mp, &call, err);
        if (after == ES_NET_NONE)
            return false;
    }
    return true;
}

static bool add_core(maker *m, const code *c, es_error *err)
{
    size_t count = c->flow.count;
    m->parent = es_arena_alloc(m->net->arena, (2 * count + 2) * sizeof *m->parent);
    m->places = es_arena_alloc(m->net->arena, (2 * count + 2) * sizeof *m->places);
    join_ports(m, c);
    uint32_t start = port_place(m, 2 * count, err);
    if (start == ES_NET_NONE)
        return false;
    m->net->places[start].tokens = 1;
    for (size_t i = 0; i < count; i++)
        if (!add_mark(m, c, i, err))
            return false;
    return es_net_process_name(m->net, (int32_t)m->core, es_arena_format(m->net->arena, "core %u", m->core), err);
}

/* Says which of the steps only ask again, and which go on after that. */
static void set_idle(const maker *m, const code *codes, const es_net_mp_step *steps, size_t count)
{
    es_net *net = m->net;
    for (size_t i = 0; i < count; i++) {
        const code *of = &codes[steps[i].core];
        if (steps[i].seen == ES_NET_SEEN_END && steps[i].site < of->flow.count && of->parts)
            net->transitions[steps[i].transition].idle = of->parts[steps[i].site].idle;
    }
    for (size_t i = 0; i < net->place_count; i++) {
        const es_net_place *at = &net->places[i];
        bool spin = false;
        for (uint32_t k = 0; k < at->output_count; k++)
            spin |= at->rule_count && net->transitions[at->outputs[k]].idle;
        for (uint32_t k = 0; k < at->output_count; k++)
            net->transitions[at->outputs[k]].steady |= spin && !net->transitions[at->outputs[k]].idle;
    }
}

static bool make(es_net_program *program, maker *m, const char *const *paths, int64_t latency, es_error *err)
{
    m->mp = es_net_mp_new(m->net, m->cores, latency, m->mark, err);
    if (!m->mp)
        return false;
    code codes[ES_NET_MP_CORES] = {0};
    for (m->core = 0; m->core < m->cores; m->core++) {
        unsigned same = 0;
        while (same < m->core && strcmp(paths[same], paths[m->core]) != 0)
            same++;
        if (same < m->core)
            codes[m->core] = codes[same];
        else if (!read_code(&codes[m->core], m->net->arena, paths[m->core], err))
            return false;
        if (!add_core(m, &codes[m->core], err))
            return false;
    }
    if (!es_net_mp_finish(m->mp, err) || !es_net_finish(m->net, err))
        return false;
    const es_net_mp_step *steps;
    size_t count = es_net_mp_steps(m->mp, &steps);
    es_net_mp_step *all = es_arena_alloc(m->net->arena, (count + m->own_count + 1) * sizeof *all);
    if (count)
        memcpy(all, steps, count * sizeof *all);
    if (m->own_count)
        memcpy(all + count, m->own, m->own_count * sizeof *all);
    set_idle(m, codes, all, count + m->own_count);
    *program = (es_net_program){m->net, all, count + m->own_count, NULL, 0};
    for (unsigned k = 0; k < m->cores; k++) {
        bool seen = false;
        for (unsigned before = 0; before < k; before++)
            seen |= strcmp(paths[before], paths[k]) == 0;
        for (size_t i = 0; i < codes[k].note_count && !seen; i++) {
            program->notes = es_arena_grow(m->net->arena, program->notes, program->note_count, sizeof *program->notes);
            program->notes[program->note_count++] = codes[k].notes[i];
        }
    }
    return true;
}

bool es_net_from_program(es_net_program *program, const char *const *paths, unsigned cores, int64_t latency,
                         int64_t mark, es_error *err)
{
    maker m = {.net = es_net_new("program"), .cores = cores, .mark = mark};
    m.net->tick = "clock";
    if (make(program, &m, paths, latency, err))
        return true;
    es_net_free(m.net);
    return false;
}
