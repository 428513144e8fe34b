#include "check/checker.h"

#include <string.h>

#include "base/text.h"
#include "check/lines.h"

/* --- events for the report ---------------------------------------------------------------------------------- */

static bool covers(const checker *c, const es_reference *reference, const es_image_key *k)
{
    (void)c;
    if (reference->frame || k->frame)
        return reference->frame == k->frame;
    return reference->address < k->address + 4 && reference->address + reference->size > k->address;
}

static void add_name(es_text_buffer *text, const char *name)
{
    if (!text->length || !strstr(text->text, name))
        es_text_format(text, "%s%s", text->length ? ", " : "", name);
}

/* Which variables and statements a data word is about. */
static void name_write(const checker *c, const es_image_key *k, check_event *event)
{
    es_text_buffer what = { 0 }, who = { 0 };
    for (size_t i = 0; i < c->statements->statement_count; i++) {
        const es_statement *statement = &c->statements->statements[i];
        bool any = false;
        for (size_t r = 0; r < statement->predicate_count; r++) {
            if (covers(c, &statement->references[r], k)) {
                add_name(&what, statement->references[r].text);
                any = true;
            }
        }
        if (any)
            add_name(&who, statement->name);
    }
    event->what = es_arena_format(c->report->arena, "write %s%s", what.length ? what.text : "beside a local",
                                  event->kind == CHECK_WRITE_PART ? " (in part)" : "");
    event->statements = es_arena_format(c->report->arena, "%s", who.length ? who.text : "");
    es_text_free(&what);
    es_text_free(&who);
}

static void add_event(checker *c, enum check_event_kind kind, const es_image_key *k, int64_t clocks, const char *what)
{
    check_report *r = c->report;
    r->events = es_arena_grow(r->arena, r->events, r->event_count, sizeof *r->events);
    check_event *event = &r->events[r->event_count++];
    *event = (check_event){ .kind = kind, .address = k->address, .clocks = (uint32_t)clocks, .holding = CHECK_FOR_EVER,
                            .what = what, .statements = "" };
    if (!what)
        name_write(c, k, event);
}

/* Over all calls in front of a return point, and all that they may call. */
static int64_t dearest_return(checker *c, uint32_t address)
{
    int64_t most = 0;
    for (size_t i = 0; i < c->program.edge_count; i++) {
        const check_edge *edge = &c->program.edges[i];
        if (edge->kind != CHECK_EDGE_CALL || edge->to == CHECK_NONE || c->program.nodes[edge->to].address != address)
            continue;
        int64_t clocks = checker_back_cost(c, &c->program.nodes[edge->from], edge->callee, address);
        most = clocks > most ? clocks : most;
    }
    return most;
}

static bool is_return_point(const checker *c, uint32_t address)
{
    for (size_t i = 0; i < c->program.edge_count; i++)
        if (c->program.edges[i].kind == CHECK_EDGE_CALL && c->program.edges[i].to != CHECK_NONE &&
            c->program.nodes[c->program.edges[i].to].address == address)
            return true;
    return false;
}

static void add_fetch_events(checker *c, const es_image_key *k)
{
    const es_procedure *in = es_symbols_procedure_at(c->symbols, k->address);
    const char *name = in ? in->name : "?";
    check_situation now = { .depth = checker_depth(c, CHECK_NONE) };
    es_arena *arena = c->report->arena;
    if (in && in->low == k->address && in->is_interrupt)
        add_event(c, CHECK_OTHER, k, checker_fetch_cost(c, 0, 0, k->address), es_arena_format(arena, "interrupt %s", name));
    else if (in && in->low == k->address)
        add_event(c, CHECK_CALL, k, checker_cost(c, CHECK_CALL, k->address, now), es_arena_format(arena, "call %s", name));
    else if (!is_return_point(c, k->address) && !(in && in->is_interrupt)) /* at(): as after the instruction before it */
        add_event(c, CHECK_OTHER, k, checker_fetch_cost(c, k->address - 4, 0x13, k->address),
                  es_arena_format(arena, "come to %s", check_line(arena, c->symbols, k->address)));
    else if (in && in->is_interrupt)
        add_event(c, CHECK_OTHER, k, checker_fetch_cost(c, 4, 0x13, k->address), es_arena_format(arena, "end of interrupt %s", name));
    else
        add_event(c, CHECK_RETURN, k, dearest_return(c, k->address), es_arena_format(arena, "return into %s", name));
}

void checker_list_events(checker *c)
{
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        if (k->fetch) {
            add_fetch_events(c, k);
            continue;
        }
        add_event(c, CHECK_WRITE, k, checker_write_cost(c, CHECK_NONE, k->address, true), NULL);
        add_event(c, CHECK_WRITE_PART, k, checker_write_cost(c, CHECK_NONE, k->address, false), NULL);
    }
}

/* --- holding times ------------------------------------------------------------------------------------------- */

static void note_holding(checker *c, check_event *event, uint64_t clocks, uint32_t at)
{
    if (clocks < event->holding) {
        event->holding = clocks;
        event->place = check_line(c->report->arena, c->symbols, at);
    }
}

static bool may_store(const checker *c, const check_node *node, const es_image_key *k)
{
    const es_store *store = node->store;
    if (!store || (store->kind == ES_STORE_UNKNOWN && !store->in_frame))
        return store != NULL;
    if (store->kind != ES_STORE_CONSTANT)
        return k->frame == c->program.procedures[node->procedure].procedure;
    return store->address < k->address + 4 && store->address + store->size > k->address;
}

void checker_find_holding(checker *c, const check_costs *costs)
{
    check_holding holding;
    check_holding_find(&c->program, costs, &holding);
    check_report *r = c->report;
    r->observability = CHECK_OBSERVABLE;
    for (size_t i = 0; i < r->event_count; i++) {
        check_event *event = &r->events[i];
        bool write = event->kind <= CHECK_WRITE_PART;
        const es_image_key *k = checker_key_of(c, write ? c->writes : c->fetches, event->address)->image;
        for (size_t n = 0; n < c->program.node_count; n++) {
            const check_node *node = &c->program.nodes[n];
            if (!c->program.procedures[node->procedure].reached)
                continue;
            if (write ? may_store(c, node, k) : node->address == event->address)
                note_holding(c, event, write ? holding.after_store[n] : holding.after_fetch[n], node->address);
        }
        double available = (double)event->holding * (double)c->options->ratio.core / (double)c->options->ratio.bus;
        if (event->holding != CHECK_FOR_EVER && available <= event->clocks)
            r->observability = CHECK_STATISTICALLY;
    }
}
