#include "why/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "base/times.h"
#include "replay/moment.h"
#include "why/names.h"
#include "why/source.h"

/* Where an instruction belongs. */
typedef struct spot {
    const es_procedure *procedure;
    const char *file;
    unsigned line;
} spot;

typedef struct maker {
    const es_why_slice *slice;
    es_timeline *timeline;
    const es_symbols *symbols;
    const es_isa *isa;
    es_arena *arena;
    es_why_lines *out;
    spot *spots;         /* by node */
    size_t *line_of;     /* by node: of those that are MADE, DECIDED or ASKED; the others' users have them */
    const char **labels; /* by edge */
} maker;

static spot spot_of(const es_symbols *symbols, uint32_t pc)
{
    spot s = {es_symbols_procedure_at(symbols, pc), NULL, 0};
    if (!es_symbols_line(symbols, pc, &s.file, &s.line))
        s.file = NULL;
    return s;
}

static bool same_spot(const spot *a, const spot *b)
{
    return a->procedure == b->procedure && a->line == b->line &&
           (a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0));
}

/* --- instructions to lines ---------------------------------------------------------------------------------------- */

static size_t new_line(maker *m, const es_why_node *node, const spot *s)
{
    es_why_lines *out = m->out;
    out->lines = es_arena_grow(m->arena, out->lines, out->count, sizeof *out->lines);
    es_why_line *line = es_arena_alloc(m->arena, sizeof *line);
    *line = (es_why_line){.moment = node->moment,
                          .file = s->file,
                          .line = s->line,
                          .procedure = s->procedure ? s->procedure->name : NULL,
                          .pc = node->pc};
    out->lines[out->count] = line;
    return out->count++;
}

/* An instruction that is in there already was executed for another round of it. */
static bool has_executed(const maker *m, size_t line, size_t before, uint32_t pc)
{
    for (size_t i = 0; i < before; i++)
        if (m->line_of[i] == line && m->slice->nodes[i].pc == pc)
            return true;
    return false;
}

/* One that works for another one of its line belongs to the same execution of it. */
static void place_node(maker *m, size_t node)
{
    const es_why_slice *slice = m->slice;
    for (size_t i = 0; i < slice->edge_count; i++) {
        size_t user = slice->edges[i].user;
        if (slice->edges[i].maker != node || !same_spot(&m->spots[user], &m->spots[node]) ||
            (slice->nodes[user].kind != ES_WHY_MADE && slice->nodes[user].kind != ES_WHY_DECIDED))
            continue;
        if (!has_executed(m, m->line_of[user], node, slice->nodes[node].pc)) {
            m->line_of[node] = m->line_of[user];
            m->out->lines[m->line_of[node]]->moment = slice->nodes[node].moment;
            return;
        }
    }
    m->line_of[node] = new_line(m, &slice->nodes[node], &m->spots[node]);
}

static void place_all(maker *m)
{
    const es_why_slice *slice = m->slice;
    m->spots = es_arena_alloc(m->arena, slice->node_count * sizeof *m->spots);
    m->line_of = es_arena_alloc(m->arena, slice->node_count * sizeof *m->line_of);
    for (size_t i = 0; i < slice->node_count; i++)
        if (slice->nodes[i].kind == ES_WHY_ASKED) {
            m->line_of[i] = new_line(m, &slice->nodes[i], &m->spots[i]);
        } else if (slice->nodes[i].kind == ES_WHY_MADE) {
            m->spots[i] = spot_of(m->symbols, slice->nodes[i].pc);
            place_node(m, i);
        } else if (slice->nodes[i].kind == ES_WHY_DECIDED) {
            m->spots[i] = spot_of(m->symbols, slice->nodes[i].pc);
            m->line_of[i] = new_line(m, &slice->nodes[i], &m->spots[i]);
            m->out->lines[m->line_of[i]]->decides = true;
            m->out->lines[m->line_of[i]]->jumped = slice->nodes[i].data;
        } else {
            m->spots[i] = slice->nodes[i].kind == ES_WHY_UNASKED ? spot_of(m->symbols, slice->nodes[i].pc) : (spot){0};
            m->line_of[i] = SIZE_MAX;
        }
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

/* big: what the type does not tell is in the program's order of bytes. */
static void add_data(es_text_buffer *text, const es_type *type, bool big, const es_why_node *node, es_why_place place)
{
    unsigned first = 0, count = 0;
    while (first < 3 && !(place.lanes >> first & 1))
        first++;
    for (unsigned lane = first; lane < 4 && place.lanes >> lane & 1; lane++)
        count++;
    uint32_t mask = count == 4 ? UINT32_MAX : ((UINT32_C(1) << 8 * count) - 1) << 8 * first;
    if (node->unknown & mask)
        es_text_format(text, "not known");
    else if (type ? type->big_endian : big)
        es_why_value(text, type, es_endian_turned((node->data & mask) >> 8 * first, count), count);
    else
        es_why_value(text, type, (node->data & mask) >> 8 * first, count);
}

/* What is in a register now. */
static void add_register(es_text_buffer *text, const es_type *type, es_machine *machine, unsigned reg)
{
    es_machine_registers registers;
    es_machine_get(machine, &registers);
    unsigned bytes = type && type->size < 4 ? type->size : 4;
    if (reg >= 32)
        es_text_format(text, registers.f_unknown[reg - 32] ? "not known" : "0x%016" PRIx64, registers.f[reg - 32]);
    else if (registers.x_unknown[reg])
        es_text_format(text, "not known");
    else
        es_why_value(text, type, registers.x[reg], bytes);
}

/* Where others have written between bytes that are handed on, those are told with them, as they were. */
static es_why_place without_holes(es_why_place place)
{
    uint8_t first = place.lanes & (uint8_t)-place.lanes, last = 8;
    while (last > 1 && !(place.lanes & last))
        last >>= 1;
    if (place.memory && place.lanes)
        place.lanes = (uint8_t)(2 * last - first);
    return place;
}

/* What `maker` handed on, as it was after it. */
static bool label(maker *m, const es_why_edge *edge, const char **to, es_error *err)
{
    const es_why_node *node = &m->slice->nodes[edge->maker];
    es_machine *machine = es_timeline_machine(m->timeline);
    es_text_buffer text = {0};
    es_why_place place = without_holes(edge->place);
    bool named;
    if (!es_timeline_seek(m->timeline, node->moment + (node->kind == ES_WHY_MADE), err))
        return false;
    const es_type *type =
        es_why_name(&text, m->symbols, machine, m->isa, m->spots[edge->maker].procedure, place, &named);
    es_text_format(&text, " = ");
    if (edge->place.memory)
        add_data(&text, type, es_symbols_big_endian(m->symbols), node, place);
    else
        add_register(&text, type, machine, edge->place.where);
    *to = es_arena_copy(m->arena, text.text, text.length);
    es_text_free(&text);
    return true;
}

/* Edges between lines, from the oldest on: the recording is gone through once. */
static bool label_all(maker *m, es_error *err)
{
    const es_why_slice *slice = m->slice;
    m->labels = es_arena_alloc(m->arena, slice->edge_count * sizeof *m->labels);
    for (size_t i = slice->edge_count; i-- > 0;) {
        const es_why_edge *edge = &slice->edges[i];
        bool across = m->line_of[edge->maker] != m->line_of[edge->user];
        if (across && !label(m, edge, &m->labels[i], err))
            return false;
    }
    return true;
}

/* --- what lines took ---------------------------------------------------------------------------------------------- */

static const char *time_of(const maker *m, uint64_t moment)
{
    es_text_buffer time = {0};
    es_replay_moment_time(&time, m->timeline, es_timeline_hz(m->timeline), moment);
    const char *text = es_arena_copy(m->arena, time.text, time.length);
    es_text_free(&time);
    return text;
}

/* A time that it was not before, or not after. */
static const char *bound_of(const maker *m, uint64_t moment, bool upper)
{
    uint64_t low, high;
    es_text_buffer time = {0};
    es_timeline_time(m->timeline, moment, &low, &high);
    es_time_tight(&time, es_time_ns(upper ? high : low, es_timeline_hz(m->timeline)), true);
    const char *text = es_arena_copy(m->arena, time.text, time.length);
    es_text_free(&time);
    return text;
}

static const char *changed_between(const maker *m, const es_why_node *node)
{
    const char *until = bound_of(m, node->moment, true);
    if (!node->since)
        return es_arena_format(m->arena, "changed by something else than the program, before %s", until);
    return es_arena_format(m->arena, "changed by something else than the program, between %s and %s",
                           bound_of(m, node->since, false), until);
}

static const char *end_of(const maker *m, const es_why_node *node)
{
    const es_segment *segments;
    uint32_t address = node->place.where;
    switch (node->kind) {
    case ES_WHY_INPUT: return es_arena_format(m->arena, "an input: read from 0x%08" PRIx32, address);
    case ES_WHY_START:
        for (size_t i = 0, count = es_symbols_segments(m->symbols, &segments); i < count; i++)
            if (address + 3 - segments[i].address < segments[i].size + 3)
                return segments[i].writable ? "its start value in the program file" : "a constant of the program";
        return "memory that the program never wrote";
    case ES_WHY_RESET: return "as reset has left it";
    case ES_WHY_CONTROL: return "a control register of the processor";
    case ES_WHY_OUTSIDE: return changed_between(m, node);
    case ES_WHY_FOUND: return "memory that the program had not written when it first read it";
    case ES_WHY_UNASKED: return "compared there";
    case ES_WHY_UNTOLD: return "an instruction of which it is not known what it uses";
    default: return "not followed any further";
    }
}

static void take(maker *m, size_t i)
{
    const es_why_edge *edge = &m->slice->edges[i];
    const es_why_node *node = &m->slice->nodes[edge->maker];
    es_why_line *user = m->out->lines[m->line_of[edge->user]];
    bool made = node->kind == ES_WHY_MADE;
    es_why_line *from = made ? m->out->lines[m->line_of[edge->maker]] : NULL;
    const char *end = made ? NULL : end_of(m, node);
    for (size_t k = 0; k < user->value_count; k++)
        if (user->values[k].from == from && strcmp(user->values[k].text, m->labels[i]) == 0 &&
            (made || strcmp(user->values[k].end, end) == 0))
            return;
    user->values = es_arena_grow(m->arena, user->values, user->value_count, sizeof *user->values);
    user->values[user->value_count++] = (es_why_taken){m->labels[i], from, end};
    if (from && !from->made)
        from->made = m->labels[i];
}

static void take_all(maker *m)
{
    for (size_t i = 0; i < m->slice->edge_count; i++)
        if (m->labels[i])
            take(m, i);
}

static void add_decision(maker *m, es_why_line *line, const es_why_line *by)
{
    for (size_t i = 0; i < line->decision_count; i++)
        if (line->decisions[i] == by)
            return;
    line->decisions = es_arena_grow(m->arena, line->decisions, line->decision_count, sizeof *line->decisions);
    line->decisions[line->decision_count++] = by;
}

static void decide_all(maker *m)
{
    for (size_t i = 0; i < m->slice->decision_count; i++) {
        const es_why_decision *d = &m->slice->decisions[i];
        if (m->line_of[d->node] != m->line_of[d->by])
            add_decision(m, m->out->lines[m->line_of[d->node]], m->out->lines[m->line_of[d->by]]);
    }
    m->out->undecided = m->slice->undecided;
}

static void finish_lines(maker *m, const char *asked)
{
    es_why_source source = {0};
    for (size_t i = 0; i < m->out->count; i++) {
        es_why_line *line = m->out->lines[i];
        line->time = time_of(m, line->moment);
        size_t length;
        const char *text = line->file ? es_why_source_line(&source, line->file, line->line, &length) : NULL;
        line->source = text ? es_arena_copy(m->arena, text, length) : NULL;
    }
    m->out->lines[0]->made = asked;
    es_why_source_free(&source);
}

bool es_why_lines_make(es_why_lines *lines, const es_why_slice *slice, es_timeline *timeline, const es_symbols *symbols,
                       const es_isa *isa, const char *asked, es_arena *arena, es_error *err)
{
    *lines = (es_why_lines){0};
    maker m = {.slice = slice, .timeline = timeline, .symbols = symbols, .isa = isa, .arena = arena, .out = lines};
    place_all(&m);
    if (!label_all(&m, err))
        return false;
    take_all(&m);
    decide_all(&m);
    finish_lines(&m, asked);
    return true;
}
