/* Lines of recovered events: nearly all that a run prints. What a transition's lines have in common is made once, and
 * numbers are written by hand. */
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "cli/net/recover_alike.h"
#include "net/timeline/timeline.h"

#define BLOCK 32u     /* bytes of a piece that are copied at once */
#define LINE_ROOM 512 /* characters of an event, more than there ever are without a transition's pieces */
#define CLASSES 4

/* Text whose memory is a whole number of blocks. */
typedef struct piece {
    const char *text;
    size_t length;
} piece;

/* A number's text but for its last four digits: the next number's are often the same. */
typedef struct upper {
    uint64_t value; /* 0: none */
    size_t length;
    char text[ES_DECIMAL_ROOM + 12];
} upper;

/* What a transition's lines have in common. */
typedef struct transition_pieces {
    piece begin;      /* up to the number */
    piece time;       /* JSON: from there to the time */
    piece calibrated; /* after the mark */
    int64_t mark;     /* as calibrated */
    upper number;     /* of its firings, in either run */
    es_net_alike alike;
} transition_pieces;

struct es_net_pieces {
    transition_pieces *transitions;
    piece classes[CLASSES];
    size_t room; /* for a line */
    upper *uppers;
};

enum { UPPER_OBSERVED, UPPER_TIME, UPPER_LINE, UPPERS };

/* --- pieces, made once -------------------------------------------------------------------------------------------- */

static piece keep(es_arena *arena, es_text_buffer *text)
{
    size_t length = text->length;
    char *kept = es_arena_alloc(arena, (length / BLOCK + 1) * BLOCK);
    memcpy(kept, text->text, length);
    es_text_clear(text);
    return (piece){kept, length};
}

static transition_pieces json_pieces(const es_net *net, const es_net_transition *t, es_text_buffer *text)
{
    transition_pieces pieces = {.number = {0}};
    es_json id = {.out = text};
    es_text_format(text, "{\"event\":\"recovered\",\"transition\":");
    es_json_string(&id, t->id);
    es_text_format(text, ",\"number\":");
    pieces.begin = keep(net->arena, text);
    if (t->process != ES_NET_NO_PROCESS)
        es_text_format(text, ",\"process\":%d", (int)t->process);
    es_text_format(text, ",\"time\":");
    pieces.time = keep(net->arena, text);
    es_text_format(text, ",\"calibrated\":%lld,\"line\":", (long long)t->mark);
    pieces.calibrated = keep(net->arena, text);
    return pieces;
}

static transition_pieces text_pieces(const es_net *net, const es_net_transition *t, es_text_buffer *text)
{
    transition_pieces pieces = {.time = {"", 0}};
    es_text_format(text, "  %s ", t->name);
    pieces.begin = keep(net->arena, text);
    es_text_format(text, " (calibrated %lld)", (long long)t->mark);
    pieces.calibrated = keep(net->arena, text);
    return pieces;
}

static const es_net_pieces *make_pieces(const es_net_printer *p)
{
    static const char *const remarks[CLASSES] = {"", "  possibly", "  pasted", "  lost"};
    const es_net *net = p->net;
    es_net_pieces *pieces = es_arena_alloc(net->arena, sizeof *pieces);
    es_text_buffer text = {0};
    es_text_clear(&text);
    pieces->transitions = es_arena_alloc(net->arena, (net->transition_count + 1) * sizeof *pieces->transitions);
    pieces->uppers = es_arena_alloc(net->arena, UPPERS * sizeof *pieces->uppers);
    for (size_t i = 0; i < net->transition_count; i++) {
        transition_pieces *t = &pieces->transitions[i];
        *t = (p->json ? json_pieces : text_pieces)(net, &net->transitions[i], &text);
        t->mark = net->transitions[i].mark;
        size_t room = LINE_ROOM + t->begin.length + t->time.length + t->calibrated.length;
        pieces->room = room > pieces->room ? room : pieces->room;
    }
    for (int i = 0; i < CLASSES; i++) {
        if (p->json)
            es_text_format(&text, ",\"class\":\"%s\"", es_net_class_name((enum es_net_class)i));
        else
            es_text_add(&text, remarks[i], strlen(remarks[i]));
        pieces->classes[i] = keep(net->arena, &text);
    }
    es_text_free(&text);
    return pieces;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static char *put(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

#define END(to) ((uint16_t)((to)-line))
#define PUT(to, text) put(to, text, sizeof(text) - 1)

/* Writes up to BLOCK bytes more. */
static inline char *put_piece(char *to, const piece *p)
{
    memcpy(to, p->text, BLOCK);
    for (size_t at = BLOCK; __builtin_expect(at < p->length, false); at += BLOCK)
        memcpy(to + at, p->text + at, BLOCK);
    return to + p->length;
}

/* A number's text, which may be written several times: the digits before its last four, and these. */
typedef struct number_text {
    const char *upper;
    size_t length; /* of it */
    char four[4];
    unsigned count; /* of those in `four` */
} number_text;

/* `number` is 10000 or more, or no width is wanted and it is 0 or more. `width` is the same for all of one `upper`. */
static inline number_text make_number(uint64_t number, upper *u, unsigned width)
{
    uint64_t value = number / 10000;
    number_text text = {.upper = u->text, .count = 4};
    char four[8] = {0};
    es_net_put_four(four, (unsigned)(number % 10000));
    if (__builtin_expect(value == 0, false)) {
        unsigned zeros = 3 - (number > 9) - (number > 99) - (number > 999);
        memcpy(text.four, four + zeros, sizeof text.four);
        text.count -= zeros;
        return text;
    }
    if (__builtin_expect(value != u->value, false)) {
        u->value = value;
        u->length = (size_t)(es_put_decimal(u->text, (int64_t)value, width ? width - 4 : 0) - u->text);
    }
    text.length = u->length;
    memcpy(text.four, four, sizeof text.four);
    return text;
}

/* Writes some bytes more than the number has. */
static inline char *put_text(char *to, const number_text *number)
{
    memcpy(to, number->upper, 16);
    memcpy(to + number->length, number->four, sizeof number->four);
    return to + number->length + number->count;
}

/* As es_put_decimal; `width` is 0 or 12, and the same for all of one `upper`. */
static inline char *put_number(char *to, int64_t number, upper *u, unsigned width)
{
    if (__builtin_expect(number < (width ? 10000 : 0), false))
        return es_put_decimal(to, number, width);
    number_text text = make_number((uint64_t)number, u, width);
    return put_text(to, &text);
}

static inline char *put_small(char *to, int64_t number)
{
    if (__builtin_expect(number < 0 || number > 9, false))
        return es_put_decimal(to, number, 0);
    *to = (char)('0' + number);
    return to + 1;
}

static char *put_flag(char *to, const char *member, bool flag)
{
    return flag ? put(to, member, strlen(member)) : to;
}

#define FLAGS \
    (ES_NET_COMPUTED | ES_NET_NOMINAL | ES_NET_TIED | ES_NET_NEGATIVE | ES_NET_UNSAFE | ES_NET_REUSED | \
     ES_NET_REPEATED | ES_NET_UNCOUNTED)

static char *json_flags(char *to, const es_net_printer *p, unsigned flags)
{
    if (p->live)
        to = es_put_decimal(PUT(to, ",\"known\":"), p->known, 0);
    to = put_flag(to, ",\"computed\":true", flags & ES_NET_COMPUTED);
    to = put_flag(to, ",\"nominal\":true", flags & ES_NET_NOMINAL);
    to = put_flag(to, ",\"tied\":true", flags & ES_NET_TIED);
    to = put_flag(to, ",\"negative\":true", flags & ES_NET_NEGATIVE);
    to = put_flag(to, ",\"unsafe\":true", flags & ES_NET_UNSAFE);
    to = put_flag(to, ",\"repeated\":true", flags & ES_NET_REPEATED);
    to = put_flag(to, ",\"uncounted\":true", flags & ES_NET_UNCOUNTED);
    return put_flag(to, ",\"reused\":true", flags & ES_NET_REUSED);
}

/* As es_json would write it. */
static char *event_json(const es_net_printer *p, const es_net_waiting *e, char *to, es_net_ends *ends)
{
    const es_net_pieces *pieces = p->pieces;
    transition_pieces *t = &pieces->transitions[e->transition];
    const number_text number = make_number(e->number, &t->number, 0);
    const char *line = to;
    to = put_text(put_piece(to, &t->begin), &number);
    ends->number = END(to);
    to = put_number(put_piece(to, &t->time), e->time, &pieces->uppers[UPPER_TIME], 0);
    ends->time = END(to);
    to = put_piece(to, &pieces->classes[e->certainty]);
    if (e->serial != ES_NET_NO_SERIAL) {
        to = put_number(PUT(to, ",\"observed\":"), e->observed, &pieces->uppers[UPPER_OBSERVED], 0);
        ends->observed = END(to);
        to = PUT(to, ",\"observed_number\":");
        to = __builtin_expect(e->source_number == e->number, true)
                 ? put_text(to, &number)
                 : put_number(to, (int64_t)e->source_number, &t->number, 0);
        ends->number_again = END(to);
        to = put_small(PUT(to, ",\"mark\":"), e->mark);
        ends->mark = END(to);
        to = put_number(put_piece(to, &t->calibrated), (int64_t)e->serial, &pieces->uppers[UPPER_LINE], 0);
        ends->line = END(to);
    }
    if (p->live || e->flags & FLAGS)
        to = json_flags(to, p, e->flags);
    return PUT(to, "}");
}

static char *text_flags(char *to, unsigned flags)
{
    to = put_flag(to, ", tied", flags & ES_NET_TIED);
    to = put_flag(to, ", negative", flags & ES_NET_NEGATIVE);
    to = put_flag(to, ", unsafe", flags & ES_NET_UNSAFE);
    to = put_flag(to, ", asked again", flags & ES_NET_REPEATED);
    to = put_flag(to, ", not counted", flags & ES_NET_UNCOUNTED);
    return put_flag(to, ", used again", flags & ES_NET_REUSED);
}

static char *event_text(const es_net_printer *p, const es_net_waiting *e, char *to, es_net_ends *ends)
{
    const es_net_pieces *pieces = p->pieces;
    transition_pieces *t = &pieces->transitions[e->transition];
    bool has_source = e->serial != ES_NET_NO_SERIAL;
    const char *line = to;
    if (has_source)
        to = put_number(to, e->observed, &pieces->uppers[UPPER_OBSERVED], 12);
    else
        to = PUT(to, "           -");
    ends->observed = END(to);
    to = put_number(PUT(to, " "), e->time, &pieces->uppers[UPPER_TIME], 12);
    ends->time = END(to);
    to = put_number(put_piece(to, &t->begin), (int64_t)e->number, &t->number, 0);
    ends->number = END(to);
    if (e->certainty)
        to = put_piece(to, &pieces->classes[e->certainty]);
    if (e->certainty == ES_NET_PASTED && has_source)
        to = es_put_decimal(PUT(to, " from line "), (int64_t)e->serial, 0);
    to = put_flag(to, ", never observed: with the net's delay", e->flags & ES_NET_NOMINAL);
    ends->calibrated = (uint16_t)(END(to) + 1);
    if (has_source && e->mark != t->mark) {
        to = put_small(PUT(to, ", mark "), e->mark);
        ends->mark = END(to);
        to = put_piece(to, &t->calibrated);
    }
    return e->flags & FLAGS ? text_flags(to, e->flags) : to;
}

/* A line that is not like the last one of its transition, with its newline; the next one may be like it. */
static __attribute__((noinline)) char *put_line(const es_net_printer *p, const es_net_waiting *event, char *to)
{
    es_net_ends ends = {0};
    char *line = to;
    to = PUT((p->json ? event_json : event_text)(p, event, to, &ends), "\n");
    bool more_numbers = p->json ? p->live : event->flags & FLAGS || event->certainty == ES_NET_PASTED;
    if (event->serial != ES_NET_NO_SERIAL && !more_numbers)
        es_net_alike_keep(&p->pieces->transitions[event->transition].alike, p->net->arena, event, line,
                          (size_t)(to - line), &ends);
    return to;
}

static inline __attribute__((always_inline)) void put_lines(es_net_printer *p, bool json)
{
    char *to = es_text_room(&p->lines, p->waiting_count * p->pieces->room);
    for (const es_net_waiting *event = p->waiting; event < p->waiting + p->waiting_count; event++) {
        transition_pieces *t = &p->pieces->transitions[event->transition];
        bool calibrated = event->mark == t->mark;
        p->uncalibrated += event->serial != ES_NET_NO_SERIAL && !calibrated;
        char *end = es_net_alike_put(&t->alike, event, json, calibrated, to);
        to = __builtin_expect(end != NULL, true) ? end : put_line(p, event, to);
    }
    *to = 0;
    p->lines.length = (size_t)(to - p->lines.text);
    p->waiting_count = 0;
}

void es_net_print_event_lines(es_net_printer *p)
{
    if (__builtin_expect(!p->pieces, false))
        p->pieces = make_pieces(p);
    if (p->json)
        put_lines(p, true);
    else
        put_lines(p, false);
}
