#include "predict/flownet.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "isa/flow.h"
#include "predict/code.h"

enum { PLACES = 2000 };

typedef struct drawer {
    const es_symbols *symbols;
    const es_predict_code *code;
    const es_procedure *procedure;
    es_predict_library library;
    es_net *net;
    uint32_t transitions;
    es_error *err;
    bool good;
} drawer;

static void block_id(char *id, size_t size, uint32_t address)
{
    snprintf(id, size, "b%x", (unsigned)address);
}

/* A place for the block at an address; outside of the procedure one that is called so. */
static uint32_t place_of(drawer *d, uint32_t address)
{
    char id[32], name[128];
    const char *file;
    unsigned line;
    block_id(id, sizeof id, address);
    uint32_t place = es_net_place_find(d->net, id);
    if (place != ES_NET_NONE || !d->good)
        return place;
    bool known = es_symbols_line(d->symbols, address, &file, &line);
    snprintf(name, sizeof name, "%s:%u", known ? es_base_name(file) : id, known ? line : 0);
    place = es_net_place_add(d->net, id, known ? name : id, address == d->procedure->low, known ? name : NULL, d->err);
    d->good = place != ES_NET_NONE;
    return place;
}

static uint32_t end_of(drawer *d)
{
    uint32_t place = es_net_place_find(d->net, "end");
    if (place == ES_NET_NONE && d->good) {
        place = es_net_place_add(d->net, "end", "end", 0, NULL, d->err);
        d->good = place != ES_NET_NONE;
    }
    return place;
}

static void edge(drawer *d, uint32_t from, uint32_t to, const char *name, uint32_t clocks)
{
    char id[32];
    snprintf(id, sizeof id, "t%u", (unsigned)d->transitions++);
    if (!d->good)
        return;
    uint32_t t = es_net_transition_add(d->net, id, name ? name : id, clocks, NULL, d->err);
    d->good = t != ES_NET_NONE && es_net_arc_in(d->net, from, t, 1, d->err) && es_net_arc_out(d->net, t, to, 1, d->err);
}

/* What a call is: "lock", or the procedure's name. */
static void call_name(const drawer *d, uint32_t target, bool known, char *name, size_t size)
{
    const es_procedure *p = known ? es_symbols_procedure_at(d->symbols, target) : NULL;
    for (unsigned kind = 0; p && kind < ES_PREDICT_KINDS; kind++)
        if (d->library.functions[kind] == p) {
            snprintf(name, size, "event %s", es_predict_kind_name(kind));
            return;
        }
    snprintf(name, size, "call %s", p ? p->name : "of what a register says");
}

/* The last instruction of a block, and where it leads. */
static void leave_block(drawer *d, uint32_t from, uint32_t address, es_insn insn, uint32_t clocks)
{
    char name[160];
    es_ways ways = es_insn_ways(insn, address);
    uint32_t next = address + insn.size;
    bool inside = ways.target >= d->procedure->low && ways.target < d->procedure->high;
    if (es_insn_is_call(insn)) {
        call_name(d, ways.target, ways.calls, name, sizeof name);
        edge(d, from, next < d->procedure->high ? place_of(d, next) : end_of(d), name, clocks);
        return;
    }
    if (ways.jumps) {
        call_name(d, ways.target, true, name, sizeof name);
        edge(d, from, inside ? place_of(d, ways.target) : end_of(d), inside ? NULL : name, clocks);
    }
    if (ways.next && next < d->procedure->high)
        edge(d, from, place_of(d, next), NULL, clocks);
    else if (!ways.jumps)
        edge(d, from, end_of(d), "return", clocks);
}

static void draw(drawer *d)
{
    uint32_t place = ES_NET_NONE, clocks = 0;
    es_insn insn;
    for (uint32_t a = d->procedure->low; d->good && a < d->procedure->high; a += insn.size) {
        const es_predict_insn *at = es_predict_insn_at(d->code, a);
        if (!at || !es_symbols_insn(d->symbols, a, &insn) || !insn.size)
            return;
        if (place == ES_NET_NONE || at->leads) {
            place = place_of(d, a);
            clocks = 0;
        }
        clocks += at->fetch + at->data;
        uint32_t next = a + insn.size;
        const es_predict_insn *after = next < d->procedure->high ? es_predict_insn_at(d->code, next) : NULL;
        if (at->ends || !after || after->leads) {
            leave_block(d, place, a, insn, clocks);
            place = ES_NET_NONE;
        }
        if (d->net->place_count > PLACES)
            d->good = es_fail(d->err, ES_USAGE, "%s has more than %u basic blocks", d->procedure->name, PLACES);
    }
}

es_net *es_predict_flownet(const es_symbols *symbols, const es_procedure *procedure, es_error *err)
{
    es_predict_code code;
    drawer d = {.symbols = symbols, .code = &code, .procedure = procedure, .err = err, .good = true};
    es_error none;
    if (procedure->low >= procedure->high) {
        es_fail(err, ES_USAGE, "%s has no code of its own", procedure->name);
        return NULL;
    }
    if (!es_predict_library_find(symbols, &d.library, &none))
        d.library = (es_predict_library){0}; /* a net of a program without threads is one, too */
    es_predict_code_read(&code, symbols);
    d.net = es_net_new(procedure->name);
    d.net->tick = "clock";
    draw(&d);
    es_predict_code_free(&code);
    if (d.good && es_net_finish(d.net, err))
        return d.net;
    es_net_free(d.net);
    return NULL;
}
