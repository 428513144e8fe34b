#include "check/events/checker.h"

#include <string.h>

#include "base/text.h"
#include "check/target/lines.h"

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
static void name_write(const checker *c, const es_image_key *k, es_check_event *event)
{
    es_text_buffer what = {0}, who = {0};
    for (size_t i = 0; i < c->statements->statement_count; i++) {
        const es_statement *statement = &c->statements->statements[i];
        bool any = false;
        for (size_t r = 0; r < statement->predicate_count; r++) {
            if (covers(c, &statement->references[r], k)) {
                add_name(&what, statement->references[r].text);
                any = true;
            }
        }
        const es_stack *stack = es_statement_stack(statement);
        if (stack && !k->frame && k->address - stack->low < stack->size) {
            add_name(&what, es_arena_format(c->report->arena, "the stack %s", stack->name));
            any = true;
        }
        if (any)
            add_name(&who, statement->name);
    }
    event->what = es_arena_format(c->report->arena, "write %s%s", what.length ? what.text : "beside a local",
                                  event->kind == ES_CHECK_WRITE_PART ? " (in part)" : "");
    event->statements = es_arena_format(c->report->arena, "%s", who.length ? who.text : "");
    es_text_free(&what);
    es_text_free(&who);
}

/* at: a fetch that is neither a call, a return nor an interrupt's beginning or end. */
static const char *sort_of(enum es_check_event_kind kind, bool at)
{
    static const char *const sorts[ES_CHECK_KINDS] = {"write",     "write_part", "call", "return",
                                                      "interrupt", "mark",       "read"};
    return at ? "at" : sorts[kind];
}

static void add_event(checker *c, enum es_check_event_kind kind, const es_image_key *k, int64_t clocks,
                      const char *what)
{
    es_check_report *r = c->report;
    r->events = es_arena_grow(r->arena, r->events, r->event_count, sizeof *r->events);
    es_check_event *event = &r->events[r->event_count++];
    *event = (es_check_event){.kind = kind,
                              .sort = sort_of(kind, false),
                              .key = kind == ES_CHECK_EPOCH ? CHECK_NONE : (size_t)(k - c->image->keys),
                              .address = k->address,
                              .clocks = (uint32_t)clocks,
                              .holding = ES_CHECK_FOR_EVER,
                              .what = what,
                              .statements = ""};
    if (!what)
        name_write(c, k, event);
}

/* Over all places of the program from which a word may be written; 0: from none. The start-up code clears whole words
 * of static storage. */
static int64_t costliest_write(checker *c, const es_image_key *k, bool part)
{
    size_t cleared = CHECK_NONE;
    int64_t most = 0;
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *same = &c->image->keys[i];
        if (same->fetch || same->address != k->address)
            continue;
        cleared = !same->frame && !part ? i : cleared;
        for (size_t n = 0; n < c->program.node_count; n++) {
            const es_check_node *node = &c->program.nodes[n];
            bool whole, some;
            if (!node->store || !c->program.procedures[node->procedure].reached)
                continue;
            es_checker_lanes(node, &whole, &some);
            if (!(part ? some : whole) || !(c->one_stack[i] != CHECK_NONE || es_checker_may_store(c, node, i)))
                continue;
            int64_t clocks = es_checker_write_cost(c, node->procedure, i, es_checker_slots_of(c, node), !part,
                                                   es_checker_stored(c, node, i));
            most = clocks > most ? clocks : most;
        }
    }
    int64_t clocks = cleared == CHECK_NONE ? 0 : es_checker_clear_cost(c, cleared);
    return clocks > most ? clocks : most;
}

/* The same of a stack's word, where all words are alike: whatever stores may store there. */
static int64_t costliest_event(checker *c, size_t which, bool part)
{
    size_t first = c->one_stack[which];
    if (first == CHECK_NONE)
        return costliest_write(c, &c->image->keys[which], part);
    if (c->stack_costs[first][part] < 0)
        c->stack_costs[first][part] = costliest_write(c, &c->image->keys[first], part);
    return c->stack_costs[first][part];
}

/* Over all calls in front of a return point, and all that they may call. */
static int64_t costliest_return(checker *c, uint32_t address)
{
    int64_t most = 0;
    for (size_t i = 0; i < c->program.edge_count; i++) {
        const es_check_edge *edge = &c->program.edges[i];
        if (edge->kind != CHECK_EDGE_CALL || edge->to == CHECK_NONE || c->program.nodes[edge->to].address != address)
            continue;
        int64_t clocks = es_checker_back_cost(c, &c->program.nodes[edge->from], edge->callee, address);
        most = clocks > most ? clocks : most;
    }
    return most;
}

/* The call after which the address lies; false: there is none. */
static bool call_before(const checker *c, uint32_t address, uint32_t *call)
{
    es_insn insn;
    *call = es_symbols_call_at(c->symbols, address - ES_SITE_RETURN);
    return es_symbols_insn(c->symbols, *call, &insn) && es_insn_is_call(insn) && *call + insn.size == address;
}

/* What the fetch costs at worst in other circumstances: after a jump from another procedure, or when an interrupt came
 * just before. */
static int64_t costliest_other(checker *c, uint32_t address)
{
    int64_t most = es_checker_fetch_cost(c, 0, evidence_of(c)->trap_return, address);
    for (size_t i = 0; i < c->program.edge_count; i++) {
        const es_check_edge *edge = &c->program.edges[i];
        const es_check_node *from = &c->program.nodes[edge->from];
        bool here = edge->kind == CHECK_EDGE_NEXT ? c->program.nodes[edge->to].address == address
                                                  : edge->kind == CHECK_EDGE_TAIL &&
                                                        c->program.procedures[edge->callee].procedure->low == address;
        int64_t clocks = here ? es_checker_fetch_cost(c, from->address, from->word, address) : 0;
        most = clocks > most ? clocks : most;
    }
    return most;
}

/* The event that was added last is a switch of tasks. */
static void name_switch(checker *c, const char *what, const char *procedure)
{
    es_check_event *event = &c->report->events[c->report->event_count - 1];
    event->sort = "switch";
    event->what = es_arena_format(c->report->arena, "switch of tasks, %s %s", what, procedure);
}

static int64_t begin_cost(checker *c, uint32_t entry)
{
    int64_t by_return = es_checker_fetch_cost(c, CHECK_HUB_ADDRESS, evidence_of(c)->a_return, entry);
    int64_t by_mret = es_checker_fetch_cost(c, 0, evidence_of(c)->trap_return, entry);
    return by_return > by_mret ? by_return : by_mret;
}

static void add_fetch_events(checker *c, const es_image_key *k)
{
    const es_procedure *in = es_symbols_procedure_at(c->symbols, k->address);
    const char *name = in ? in->name : "?";
    es_arena *arena = c->report->arena;
    es_insn insn;
    uint32_t last;
    bool entry = in && in->low == k->address;
    int64_t back = costliest_return(c, k->address), other = costliest_other(c, k->address);
    int64_t called =
        entry && !in->is_interrupt ? es_checker_fetch_cost(c, 0, evidence_of(c)->call_bits, k->address) : 0;
    int64_t most = back > other ? back : other;
    most = called > most ? called : most;
    int64_t begins = es_checker_begins(c, k->address) ? begin_cost(c, k->address) : 0;
    most = begins > most ? begins : most;
    if (entry && in->is_interrupt)
        add_event(c, ES_CHECK_OTHER, k, es_checker_fetch_cost(c, 0, 0, k->address),
                  es_arena_format(arena, "interrupt %s", name));
    else if (entry)
        add_event(c, ES_CHECK_CALL, k, most, es_arena_format(arena, "call %s", name));
    else if (call_before(c, k->address, &last)) {
        add_event(c, ES_CHECK_RETURN, k, most, es_arena_format(arena, "return into %s", name));
        if (es_checker_returns_switched(c, last))
            name_switch(c, "return into", name);
    } else if (!es_symbols_insn(c->symbols, k->address, &insn) || insn.kind != ES_INSN_TRAP_RETURN) {
        add_event(c, ES_CHECK_OTHER, k, most,
                  es_arena_format(arena, "come to %s", es_check_line(arena, c->symbols, k->address)));
        c->report->events[c->report->event_count - 1].sort = sort_of(ES_CHECK_OTHER, true);
    } else {
        add_event(c, ES_CHECK_OTHER, k, most, es_arena_format(arena, "end of interrupt %s", name));
        if (es_checker_switches_at(c, k->address))
            name_switch(c, "end of interrupt", name);
    }
    if (begins) {
        add_event(c, ES_CHECK_OTHER, k, begins, "");
        name_switch(c, "one begins with", name);
    }
}

static int64_t costliest_read(checker *c, uint32_t address)
{
    int64_t most = 0;
    for (size_t n = 0; n < c->program.node_count; n++) {
        const es_check_node *node = &c->program.nodes[n];
        if (!c->program.procedures[node->procedure].reached || !es_checker_may_load(c, node, address))
            continue;
        int64_t clocks = es_checker_read_cost(c, node->procedure, address, es_checker_slots_read(c, node));
        most = clocks > most ? clocks : most;
    }
    return most;
}

/* Reads of variables; of constants, only the costliest is told. */
static void add_read_events(checker *c)
{
    for (size_t i = 0; i < c->read_count; i++) {
        es_image_key at = {.address = c->reads[i]};
        es_text_buffer who = {0}, what = {0};
        for (size_t s = 0; s < c->statements->statement_count; s++) {
            const es_statement *statement = &c->statements->statements[s];
            for (size_t r = 0; r < statement->predicate_count && statement->features & ES_FEATURE(READ); r++) {
                if (!covers(c, &statement->references[r], &at))
                    continue;
                add_name(&what, statement->references[r].text);
                add_name(&who, statement->name);
            }
        }
        int64_t clocks = costliest_read(c, at.address);
        if (!clocks)
            continue;
        add_event(c, ES_CHECK_READ, &at, clocks,
                  es_arena_format(c->report->arena, "read %s", what.length ? what.text : "of a local"));
        es_check_event *event = &c->report->events[c->report->event_count - 1];
        event->key = i;
        event->statements = es_arena_format(c->report->arena, "%s", who.length ? who.text : "");
        es_text_free(&what);
        es_text_free(&who);
    }
}

/* Writes to what pointers point to, and to locals of frames that move; and reads. */
static void add_moving_events(checker *c)
{
    static const es_image_key none = {0};
    es_text_buffer who = {0};
    for (size_t s = 0; s < c->statements->statement_count; s++) {
        const es_statement *statement = &c->statements->statements[s];
        bool moves = statement->features & (ES_FEATURE(POINTER) | ES_FEATURE(RECURSIVE) | ES_FEATURE(INTERRUPT));
        for (size_t r = 0; r < statement->predicate_count; r++)
            moves |= statement->references[r].frame != NULL;
        if (moves)
            add_name(&who, statement->name);
    }
    static const enum es_check_event_kind kinds[] = {ES_CHECK_WRITE, ES_CHECK_WRITE_PART, ES_CHECK_READ};
    static const char *const what[] = {"write a word whose address moves", "write a word whose address moves (in part)",
                                       "read a word whose address moves"};
    for (int i = 0; i < 3; i++) {
        bool read = kinds[i] == ES_CHECK_READ;
        uint64_t slots = c->slots & (read ? c->reading : ~c->reading);
        if (!slots)
            continue;
        add_event(c, kinds[i], &none,
                  read ? es_checker_moving_read_cost(c, CHECK_NONE, slots)
                       : es_checker_moving_cost(c, CHECK_NONE, slots, kinds[i] == ES_CHECK_WRITE),
                  what[i]);
        es_check_event *event = &c->report->events[c->report->event_count - 1];
        event->key = CHECK_NONE;
        event->statements = es_arena_format(c->report->arena, "%s", who.length ? who.text : "");
    }
    es_text_free(&who);
}

static void add_mark_event(checker *c)
{
    static const es_image_key none = {0};
    es_text_buffer who = {0};
    int64_t clocks =
        es_checker_cost(c, ES_CHECK_EPOCH, 0, (es_check_situation){.depth = es_checker_depth(c, CHECK_NONE)});
    if (!c->options->epoch_gap)
        return;
    for (size_t i = 0; i < c->statements->statement_count; i++)
        if (c->statements->statements[i].features & (ES_FEATURE(UNCHANGED) | ES_FEATURE(FOR)))
            add_name(&who, c->statements->statements[i].name);
    add_event(c, ES_CHECK_EPOCH, &none, clocks, "epoch of the clock");
    es_check_event *event = &c->report->events[c->report->event_count - 1];
    event->statements = es_arena_format(c->report->arena, "%s", who.length ? who.text : "");
    event->holding = 0; /* an event of the program may come right after it */
    es_text_free(&who);
}

void es_checker_list_events(checker *c)
{
    for (size_t i = 0; i < c->image->key_count; i++) {
        const es_image_key *k = &c->image->keys[i];
        if (k->fetch) {
            add_fetch_events(c, k);
            continue;
        }
        bool again = false; /* the same word of another frame */
        for (size_t other = 0; other < i && !again && c->one_stack[i] == CHECK_NONE; other++)
            again = !c->image->keys[other].fetch && c->image->keys[other].address == k->address;
        for (int part = 0; part < 2 && !again; part++) {
            int64_t clocks = costliest_event(c, i, part);
            if (clocks)
                add_event(c, part ? ES_CHECK_WRITE_PART : ES_CHECK_WRITE, k, clocks, NULL);
        }
    }
    if (c->slots)
        add_moving_events(c);
    add_read_events(c);
    add_mark_event(c);
}

/* --- holding times ------------------------------------------------------------------------------------------- */

static void note_holding(checker *c, es_check_event *event, uint64_t clocks, uint32_t at)
{
    if (clocks < event->holding) {
        event->holding = clocks;
        event->place = es_check_line(c->report->arena, c->symbols, at);
    }
}

void es_checker_find_holding(checker *c, const es_check_costs *costs)
{
    es_check_holding holding;
    es_check_holding_find(&c->program, costs, &holding);
    es_check_report *r = c->report;
    r->observability = ES_CHECK_OBSERVABLE;
    for (size_t i = 0; i < r->event_count; i++) {
        es_check_event *event = &r->events[i];
        if (event->kind == ES_CHECK_EPOCH)
            continue;
        bool write = event->kind <= ES_CHECK_WRITE_PART;
        for (size_t n = 0; n < c->program.node_count; n++) {
            const es_check_node *node = &c->program.nodes[n];
            if (!c->program.procedures[node->procedure].reached)
                continue;
            bool read = event->kind == ES_CHECK_READ;
            if (event->key == CHECK_NONE && (write || read)
                    ? (write ? es_checker_slots_of(c, node) : es_checker_slots_read(c, node)) != 0
                : write ? es_checker_may_store(c, node, event->key)
                : read  ? es_checker_may_load(c, node, event->address)
                        : node->address == event->address)
                note_holding(c, event, write || read ? holding.after_store[n] : holding.after_fetch[n], node->address);
        }
        double available = (double)event->holding * (double)c->options->ratio.core / (double)c->options->ratio.bus;
        if (event->holding != ES_CHECK_FOR_EVER && available <= event->clocks)
            r->observability = ES_CHECK_STATISTICALLY;
    }
}
