/* Where activations of inlined copies end. No instruction of a copy is the last by what debug information says; so this
 * is taken from what it says of code and statements, and from the ways through the caller's code.
 *
 * An activation that has begun at an entry goes on as long as the copy's code does. Other code does not always end it:
 * the compiler may have put an instruction of the caller's among the copy's. It ends it where nothing of the copy can
 * follow before the next entry, or where by the source the caller goes on: a statement of its begins, it calls, or
 * another copy begins. Code of the copy that is executed before any entry, as it was moved out of a loop, say, is
 * nothing that can follow. An entry at a call that comes after all of the copy's code is its end, too.
 *
 * Of equal code in several copies of a procedure the compiler may have kept one: then an activation of one goes on in
 * what debug information calls another's. */
#include "symbols/copies.h"

#include <string.h>

#include "symbols/code.h"
#include "symbols/internal.h"

typedef struct place {
    uint32_t address;
    es_ways ways;
    bool calls;   /* what is not the compiler's own */
    bool leads;   /* where a register says: the table of a switch */
    bool own;     /* the copy's code */
    bool in;      /* ... or what may be its, too */
    bool entry;   /* the copy's */
    bool other;   /* ... another copy's, that is not in this one */
    bool before;  /* execution can come here before any entry */
    bool follows; /* the copy's code can follow before the next entry, or is here */
} place;

typedef struct body {
    es_symbols *symbols;
    symbols_inlined_copy *copy;
    SYMBOLS_LIST(symbols_inlined_copy *) copies;      /* in the caller */
    bool tables;                                      /* where `leads` leads to is in data */
    SYMBOLS_LIST(const symbols_inlined_copy *) alike; /* whose code may be the copy's, too; itself */
    SYMBOLS_LIST(es_code_range) code;                 /* of the caller */
    SYMBOLS_LIST(place) places;                       /* its instructions, ascending */
} body;

size_t es_symbols_copy_code(const es_inlined_copy *copy, const es_code_range **code)
{
    _Static_assert(sizeof(symbols_span) == sizeof(es_code_range), "both are two addresses");
    const symbols_inlined_copy *own = (const symbols_inlined_copy *)copy;
    *code = (const es_code_range *)own->code.items;
    return own->code.count;
}

size_t es_symbols_copy_depth(const es_inlined_copy *copy)
{
    size_t depth = 0;
    while ((copy = copy->within))
        depth++;
    return depth;
}

bool es_symbols_copy_is_within(const es_inlined_copy *copy, const es_inlined_copy *outer)
{
    while ((copy = copy->within))
        if (copy == outer)
            return true;
    return false;
}

/* --- the caller's instructions --------------------------------------------------------------------------- */

static bool is_entry(const es_inlined_copy *copy, uint32_t address)
{
    for (size_t i = 0; i < copy->entry_count; i++)
        if (copy->entries[i] == address)
            return true;
    return false;
}

/* A call that no source asks for. */
static bool is_helper(const es_symbols *symbols, const es_ways *ways)
{
    const es_procedure *callee = ways->calls ? es_symbols_procedure_at(symbols, ways->target) : NULL;
    return callee && callee->name && strncmp(callee->name, "__", 2) == 0;
}

static void add_place(body *b, uint32_t address, es_insn insn)
{
    place p = {.address = address, .ways = es_insn_ways(insn, address)};
    bool returns = insn.kind == ES_INSN_RETURN && insn.rs1 == b->symbols->isa->link && !insn.rd;
    p.calls = es_insn_is_call(insn) && !is_helper(b->symbols, &p.ways);
    p.leads = p.ways.computed && !p.ways.next && !returns;
    p.own = es_symbols_copy_holds(b->copy, address);
    for (size_t i = 0; i < b->alike.count && !p.in; i++)
        p.in = es_symbols_copy_holds(b->alike.items[i], address);
    p.entry = is_entry(&b->copy->public, address);
    for (size_t i = 0; i < b->copies.count && !p.other; i++) {
        const es_inlined_copy *other = &b->copies.items[i]->public;
        p.other = other != &b->copy->public && is_entry(other, address) &&
                  !es_symbols_copy_is_within(other, &b->copy->public);
    }
    SYMBOLS_PUSH(b->symbols, &b->places, p);
}

/* Copies of the same procedure, or of one that has a copy in this one; but those that this one is in. */
static void find_alike(body *b)
{
    const es_inlined_copy *copy = &b->copy->public;
    for (size_t i = 0; i < b->symbols->copies.count; i++)
        if (b->symbols->copies.items[i]->public.caller == copy->caller)
            SYMBOLS_PUSH(b->symbols, &b->copies, b->symbols->copies.items[i]);
    for (size_t i = 0; i < b->copies.count; i++) {
        const symbols_inlined_copy *inner = b->copies.items[i];
        bool of_copy = inner == b->copy || es_symbols_copy_is_within(&inner->public, copy);
        for (size_t k = 0; k < b->copies.count && of_copy; k++) {
            const symbols_inlined_copy *other = b->copies.items[k];
            if (other->origin == inner->origin && !es_symbols_copy_is_within(copy, &other->public))
                SYMBOLS_PUSH(b->symbols, &b->alike, other);
        }
    }
}

static void read_places(body *b)
{
    for (size_t i = 0; i < b->symbols->ranges.count; i++) {
        const symbols_range *range = &b->symbols->ranges.items[i];
        if (&range->procedure->public != b->copy->public.caller)
            continue;
        SYMBOLS_PUSH(b->symbols, &b->code, (es_code_range){range->low, range->high});
        for (uint32_t at = range->low, size; at < range->high && at >= range->low; at += size) {
            es_insn insn;
            bool known = es_symbols_insn(b->symbols, at, &insn) && insn.size;
            size = known ? insn.size : b->symbols->isa->smallest;
            if (known)
                add_place(b, at, insn);
        }
    }
}

static place *place_at(const body *b, uint32_t address)
{
    size_t low = 0, high = b->places.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->places.items[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->places.count && b->places.items[low].address == address ? &b->places.items[low] : NULL;
}

/* The places where execution goes on within the caller; NULL: none, or not known. */
static void ways_on(const body *b, const place *at, place *on[2])
{
    size_t i = (size_t)(at - b->places.items);
    on[0] = at->ways.next && i + 1 < b->places.count ? &b->places.items[i + 1] : NULL;
    on[1] = at->ways.jumps ? place_at(b, at->ways.target) : NULL;
}

/* --- what can come before and after ---------------------------------------------------------------------- */

/* From a place on, up to entries. */
static void mark_before(body *b, place *first)
{
    SYMBOLS_LIST(place *) left = {0};
    SYMBOLS_PUSH(b->symbols, &left, first);
    while (left.count) {
        place *at = left.items[--left.count], *on[2];
        if (!at || at->before || at->entry)
            continue;
        at->before = true;
        ways_on(b, at, on);
        SYMBOLS_PUSH(b->symbols, &left, on[0]);
        SYMBOLS_PUSH(b->symbols, &left, on[1]);
        for (size_t i = 0; i < b->symbols->code_words.count && at->leads; i++) {
            place *to = place_at(b, b->symbols->code_words.items[i]);
            if (to && (!to->own || at->own)) /* a switch of the caller's is none of the copy's */
                SYMBOLS_PUSH(b->symbols, &left, to);
        }
    }
}

/* Where a register says where it goes on, and no data do, that is what nothing is seen to lead to. */
static void find_before(body *b)
{
    bool any = false;
    mark_before(b, place_at(b, b->copy->public.caller->low));
    for (size_t i = 0; i < b->places.count; i++)
        any |= b->places.items[i].leads && !b->tables;
    bool *led = es_arena_alloc(b->symbols->arena, b->places.count + 1);
    for (size_t i = 0; i < b->places.count && any; i++) {
        place *on[2];
        ways_on(b, &b->places.items[i], on);
        for (size_t k = 0; k < 2; k++)
            if (on[k])
                led[on[k] - b->places.items] = true;
    }
    for (size_t i = 0; i < b->places.count && any; i++)
        if (!led[i])
            mark_before(b, &b->places.items[i]);
}

/* Where a table of the caller's leads to, the copy's code can follow. */
static bool table_follows(const body *b)
{
    for (size_t i = 0; i < b->symbols->code_words.count; i++) {
        const place *at = place_at(b, b->symbols->code_words.items[i]);
        if (at && at->follows && !at->own && !at->entry && !at->other)
            return true;
    }
    return false;
}

static void find_following(body *b)
{
    bool changed = true;
    for (size_t i = 0; i < b->places.count; i++) {
        place *at = &b->places.items[i];
        at->follows = (at->leads && !b->tables) || (at->in && !at->before);
    }
    while (changed) {
        changed = false;
        bool table = table_follows(b);
        for (size_t i = b->places.count; i-- > 0;) {
            place *at = &b->places.items[i], *on[2];
            ways_on(b, at, on);
            if (!at->follows && at->leads && table)
                changed |= at->follows = true;
            for (size_t k = 0; k < 2 && !at->follows; k++)
                changed |= at->follows = on[k] && on[k]->follows && !on[k]->entry && !on[k]->other;
        }
    }
}

/* --- ends ------------------------------------------------------------------------------------------------ */

/* Where execution has come to the statements that begin at a place, the last of them is another procedure's. */
static bool begins_other(const body *b, uint32_t address)
{
    const symbols_line *last = NULL;
    for (size_t row = es_symbols_row_from(b->symbols, address);
         row < b->symbols->lines.count && b->symbols->lines.items[row].address == address; row++)
        if (b->symbols->lines.items[row].statement && b->symbols->lines.items[row].line)
            last = &b->symbols->lines.items[row];
    if (!last || es_symbols_is_line_of(b->symbols, b->copy, last))
        return false;
    for (size_t i = 0; i < b->copies.count; i++) {
        symbols_inlined_copy *other = b->copies.items[i];
        if (es_symbols_copy_is_within(&other->public, &b->copy->public) &&
            es_symbols_is_line_of(b->symbols, other, last))
            return false;
    }
    return true;
}

/* A call by the caller that has an entry, as nothing of the copy's code is left after it: the compiler has put that
 * before. */
static bool ends_at_once(const body *b, const place *at)
{
    place *on[2];
    ways_on(b, at, on);
    bool goes_on = on[0] && on[0]->follows && !on[0]->entry && !on[0]->other;
    return at->entry && !at->in && at->calls && !goes_on;
}

static bool ends(const body *b, const place *at)
{
    if (at->entry || at->in)
        return at->entry ? ends_at_once(b, at) : at->other;
    return at->other || at->calls || !at->follows || begins_other(b, at->address);
}

const es_copy_ends *es_symbols_copy_ends(const es_symbols *symbols, const es_inlined_copy *copy)
{
    symbols_inlined_copy *own = (symbols_inlined_copy *)copy; /* belongs to symbols, which look when asked */
    es_copy_ends *made;
    SYMBOLS_LIST(es_code_range) found = {0};
    if (own->ends)
        return own->ends;
    body b = {.symbols = (es_symbols *)symbols, .copy = own};
    own->ends = made = es_arena_alloc(symbols->arena, sizeof *made);
    if (!copy->entry_count)
        return made;
    es_symbols_find_entries(symbols, copy->caller);
    find_alike(&b);
    read_places(&b);
    b.tables = es_symbols_has_tables(symbols, copy->caller);
    find_before(&b);
    find_following(&b);
    for (size_t i = 0; i < b.places.count; i++) {
        const place *at = &b.places.items[i];
        uint32_t high = i + 1 < b.places.count ? at[1].address : at->address + b.symbols->isa->smallest;
        if (!ends(&b, at))
            continue;
        if (i && found.count && ends(&b, at - 1) && found.items[found.count - 1].high == at->address)
            found.items[found.count - 1].high = high;
        else
            SYMBOLS_PUSH(b.symbols, &found, (es_code_range){at->address, high});
    }
    made->caller = b.code.items;
    made->caller_count = b.code.count;
    made->places = found.items;
    made->count = found.count;
    return made;
}
