#include "recorder_model.h"

#include <stdlib.h>
#include <string.h>

#include "probe_defs.h"

#define LARGEST 17 /* bytes of a token */
#define RUN_MAX 128u

/* What a record needs before it counts, in this order. */
enum {
    NEEDS_BEGIN = 1,
    NEEDS_BEAT = 2,
    NEEDS_END = 4,
    NEEDS_VECTOR0 = 8,
    NEEDS_VECTOR1 = 16,
    NEEDS_MEMORY = 32,
    NEEDS_CLOCK = 64,
    NEEDS_VALUE = 128,
    NEEDS_RUN = 256
};

struct recorder_model {
    uint32_t address_mask;
    uint32_t period; /* bits of a time */
    uint32_t vector[2], vector_mask[2], quiet[2], quiet_mask[2];

    struct recorded *queue; /* of this recording, not yet told */
    size_t head, size, room;
    bool looked; /* the needs of the record at the head are known */
    unsigned needs;

    bool begun, some, in_vector[2], ended;
    uint32_t fetches, sum, sums, time, last, delta;
    unsigned reads;
    unsigned asked; /* heartbeats that may come, and stops that were asked for */
    bool stop, after_stop_beat;

    uint8_t token[LARGEST];
    size_t have;
    unsigned last_kind;
    uint32_t last_run;
    unsigned reason;
    unsigned long tokens[16], ends[4], predicted;
};

struct recorder_model *recorder_model_new(uint32_t address_mask)
{
    struct recorder_model *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->address_mask = address_mask;
    for (int i = 0; i < 2; i++)
        m->vector[i] = m->quiet[i] = 1;
    m->ended = true;
    return m;
}

void recorder_model_free(struct recorder_model *m)
{
    if (m)
        free(m->queue);
    free(m);
}

void recorder_model_write(struct recorder_model *m, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case ES_REG_REC_PERIOD: m->period = (value & 0x00FFFF00) | 0xFF000000; break;
    case ES_REG_REC_VECTOR: m->vector[0] = value; break;
    case ES_REG_REC_VECTOR + 8: m->vector[1] = value; break;
    case ES_REG_REC_MASK: m->vector_mask[0] = value | ~0xFFu; break;
    case ES_REG_REC_MASK + 8: m->vector_mask[1] = value | ~0xFFu; break;
    case ES_REG_REC_QUIET: m->quiet[0] = value; break;
    case ES_REG_REC_QUIET + 8: m->quiet[1] = value; break;
    case ES_REG_REC_QUIET_MASK: m->quiet_mask[0] = value & ~0xFFFu; break;
    case ES_REG_REC_QUIET_MASK + 8: m->quiet_mask[1] = value & ~0xFFFu; break;
    default: break;
    }
}

const char *recorder_model_begin(struct recorder_model *m)
{
    bool bad = !m->ended || m->have;
    m->head = m->size = 0;
    m->looked = m->begun = m->some = m->in_vector[0] = m->in_vector[1] = m->ended = false;
    m->fetches = m->sum = m->sums = m->time = m->last = m->delta = 0;
    m->reads = m->asked = 0;
    m->stop = m->after_stop_beat = false;
    m->last_kind = ES_TOKEN_NOTHING;
    return bad ? "a recording begins before the one before has been sent" : NULL;
}

void recorder_model_ask(struct recorder_model *m, bool stop)
{
    m->asked++;
    m->stop = m->stop || stop;
}

void recorder_model_record(struct recorder_model *m, const struct recorded *record)
{
    if (m->head > 4096) {
        memmove(m->queue, m->queue + m->head, (m->size - m->head) * sizeof *m->queue);
        m->size -= m->head;
        m->head = 0;
    }
    if (m->size == m->room) {
        m->room = m->room ? 2 * m->room : 16384;
        m->queue = realloc(m->queue, m->room * sizeof *m->queue);
        if (!m->queue)
            abort();
    }
    m->queue[m->size++] = *record;
}

static bool belongs(const struct recorder_model *m, uint32_t address, uint32_t value, uint32_t mask)
{
    return !(value & 1) && ((address ^ value) & mask & m->address_mask & ~1u) == 0;
}

static bool is_quiet(const struct recorder_model *m, uint32_t address)
{
    for (int i = 0; i < 2; i++)
        if (belongs(m, address, m->quiet[i], m->quiet_mask[i]))
            return true;
    return false;
}

static uint32_t bytes_of(unsigned lanes)
{
    uint32_t bytes = 0;
    for (unsigned lane = 0; lane < 4; lane++)
        bytes |= lanes >> lane & 1 ? 0xFFu << 8 * lane : 0;
    return bytes;
}

static bool in_the_middle(const struct recorded *r)
{
    return r->kind == ES_KIND_FETCH && r->addr & 2;
}

static bool reads_clock(const struct recorded *r)
{
    static const uint16_t own[] = {0xB00, 0xB02, 0xB80, 0xB82, 0xC00, 0xC01, 0xC02, 0xC80, 0xC81, 0xC82, 0x344};
    uint32_t there = r->data | (r->inside ? r->old & ~bytes_of(r->lanes) : 0);
    uint32_t insn = in_the_middle(r) ? r->all >> 16 | r->all << 16 : there;
    if ((insn & 0x7F) != 0x73 || !(insn >> 12 & 3))
        return false;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (insn >> 20 == own[k])
            return true;
    return false;
}

static bool is_input(const struct recorder_model *m, const struct recorded *r)
{
    return r->kind == ES_KIND_READ && !r->inside && !is_quiet(m, r->addr);
}

static uint32_t prediction(const struct recorder_model *m)
{
    return m->last + m->delta;
}

static unsigned needs_of(const struct recorder_model *m, const struct recorded *r)
{
    bool transaction = r->kind != ES_KIND_MARK, gap = !transaction && r->lanes == ES_MARK_GAP_FIRST;
    unsigned needs = 0;
    if (!m->begun && (transaction || gap))
        needs |= NEEDS_BEGIN;
    if (m->some && ((m->time ^ r->time) & m->period))
        needs |= NEEDS_BEAT;
    if (gap)
        needs |= NEEDS_END;
    if (r->kind == ES_KIND_FETCH) {
        for (int v = 0; v < 2; v++)
            if (belongs(m, r->addr, m->vector[v], m->vector_mask[v]) && !m->in_vector[v])
                needs |= v ? NEEDS_VECTOR1 : NEEDS_VECTOR0;
        needs |= reads_clock(r) ? NEEDS_CLOCK : 0;
    }
    if ((r->kind == ES_KIND_FETCH || r->kind == ES_KIND_READ) && r->inside &&
        (!r->known || (r->old ^ r->data) & bytes_of(r->lanes)))
        needs |= NEEDS_MEMORY;
    if (is_input(m, r))
        needs |= r->data == prediction(m) ? NEEDS_RUN : NEEDS_VALUE;
    return needs;
}

static uint32_t rotated(uint32_t value, unsigned by)
{
    return value << by | value >> (32 - by);
}

/* The record at the head has all that it needs. */
static void count(struct recorder_model *m)
{
    const struct recorded *r = &m->queue[m->head++];
    m->looked = false;
    m->time = r->time;
    if (r->kind == ES_KIND_MARK)
        return;
    m->some = true;
    switch (r->kind) {
    case ES_KIND_FETCH:
        m->fetches++;
        m->reads = 0;
        for (int v = 0; v < 2; v++)
            m->in_vector[v] = belongs(m, r->addr, m->vector[v], m->vector_mask[v]);
        m->sum += r->addr;
        break;
    case ES_KIND_READ:
        m->reads += m->reads < 3;
        m->sum += rotated(r->addr, 8) ^ r->data;
        if (is_input(m, r)) {
            m->delta = r->data - m->last;
            m->last = r->data;
        }
        break;
    default: m->sum += rotated(r->addr, 16) ^ r->data; break;
    }
    m->sums += m->sum;
}

/* The record at the head, looked at; NULL: there is none. */
static const struct recorded *head(struct recorder_model *m)
{
    if (m->head == m->size)
        return NULL;
    if (!m->looked) {
        m->needs = needs_of(m, &m->queue[m->head]);
        m->looked = true;
    }
    return &m->queue[m->head];
}

/* The next record that needs something; all before it count. */
static const struct recorded *next_needy(struct recorder_model *m)
{
    const struct recorded *r;
    while ((r = head(m)) && m->needs == 0)
        count(m);
    return r;
}

/* Of the next record's needs the first one is this: it has it now. */
static const struct recorded *met(struct recorder_model *m, unsigned need)
{
    const struct recorded *r = next_needy(m);
    if (!r || (m->needs & -m->needs) != need)
        return NULL;
    m->needs &= ~need;
    return r;
}

static uint32_t number(const struct recorder_model *m, unsigned at, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)m->token[at + i] << 8 * i;
    return value;
}

/* A number of `bytes` bytes needs them all. */
static bool is_short(uint32_t value, unsigned bytes)
{
    return bytes == 1 || value >> 8 * (bytes - 1) != 0;
}

static const char *take_run(struct recorder_model *m, unsigned bytes)
{
    uint32_t length = number(m, 1, bytes);
    if (length == 0 || length > RUN_MAX || !is_short(length, bytes))
        return "RUN of a wrong length";
    if (m->last_kind == ES_TOKEN_RUN && m->last_run != RUN_MAX && !m->asked)
        return "RUN after RUN";
    m->last_run = length;
    m->predicted += length;
    for (; length; length--)
        if (!met(m, NEEDS_RUN))
            return "RUN where no input was as predicted";
    return NULL;
}

static const char *take_heartbeat(struct recorder_model *m)
{
    uint32_t fetches = number(m, 1, 4), sum = number(m, 5, 4), sums = number(m, 9, 4), time = number(m, 13, 4);
    for (;;) {
        const struct recorded *r = head(m);
        bool same = m->fetches == fetches && m->sum == sum && m->sums == sums;
        if (same && r && (m->needs & -m->needs) == NEEDS_BEAT && r->time == time) {
            m->needs &= ~NEEDS_BEAT;
            m->some = false;
            return NULL;
        }
        if (same && m->asked && m->time == time && m->begun) {
            m->asked--;
            m->some = false;
            m->looked = false;
            m->after_stop_beat = m->stop;
            return NULL;
        }
        if (!r)
            return "HEARTBEAT of what has not been";
        if (m->needs)
            return "HEARTBEAT where another token is needed, or with wrong sums";
        count(m);
    }
}

static const char *take_end(struct recorder_model *m, unsigned reason)
{
    uint32_t fetches = number(m, 1, 4), time = number(m, 5, 4);
    const struct recorded *r;
    bool right = false;
    if (reason == ES_END_LOST) {
        r = met(m, NEEDS_END);
        right = r && r->time == time;
    } else if (reason == ES_END_ASKED) {
        right = m->stop && m->last_kind == ES_TOKEN_HEARTBEAT && m->after_stop_beat && m->time == time;
    } else if (reason == ES_END_FULL) { /* before a record that needs something, or something was asked for */
        for (;;) {
            r = head(m);
            right = m->fetches == fetches && ((m->asked && m->time == time) || (r && m->needs && r->time == time));
            if (right || !r || m->needs)
                break;
            count(m);
        }
    }
    if (!right || m->fetches != fetches)
        return "END at the wrong place";
    m->ended = true;
    m->reason = reason;
    m->ends[reason]++;
    return NULL;
}

static const char *take_begin(struct recorder_model *m)
{
    uint32_t time = number(m, 1, 4);
    if (m->begun)
        return "BEGIN in the middle";
    for (;;) {
        const struct recorded *r = head(m);
        bool first = r && m->needs & NEEDS_BEGIN;
        if ((first && r->time == time) || (m->asked && m->time == time)) {
            m->begun = true;
            m->needs &= ~(unsigned)NEEDS_BEGIN;
            return NULL;
        }
        if (!r || first)
            return "BEGIN of a wrong time";
        count(m);
    }
}

static const char *take_token(struct recorder_model *m)
{
    unsigned kind = m->token[0] >> ES_TOKEN_KIND_SHIFT, low = m->token[0] & 15;
    const struct recorded *r;
    switch (kind) {
    case ES_TOKEN_VALUE:
        r = met(m, NEEDS_VALUE);
        return r && r->data == number(m, 1, low + 1) && is_short(r->data, low + 1) ? NULL : "VALUE";
    case ES_TOKEN_RUN: return take_run(m, low + 1);
    case ES_TOKEN_MEMORY:
        r = met(m, NEEDS_MEMORY);
        if (!r || number(m, 5, 4) != (in_the_middle(r) ? r->all : r->data))
            return "MEMORY";
        if (r->kind == ES_KIND_FETCH)
            return low == 0 && number(m, 1, 4) == m->fetches ? NULL : "MEMORY of a fetch: which";
        return low == (m->reads < 3 ? m->reads + 1 : 3) && number(m, 1, 4) == m->fetches - 1
                   ? NULL
                   : "MEMORY of a read: which";
    case ES_TOKEN_VECTOR:
        r = met(m, low ? NEEDS_VECTOR1 : NEEDS_VECTOR0);
        return r && number(m, 1, 4) == m->fetches && number(m, 5, 4) == r->time ? NULL : "VECTOR";
    case ES_TOKEN_CLOCK: r = met(m, NEEDS_CLOCK); return r && number(m, 1, 4) == r->time ? NULL : "CLOCK";
    case ES_TOKEN_HEARTBEAT: return take_heartbeat(m);
    case ES_TOKEN_END: return take_end(m, low);
    default: return take_begin(m);
    }
}

/* Bytes of a token by its first one; 0: no token. */
static size_t length_of(uint8_t first)
{
    unsigned low = first & 15;
    switch (first >> ES_TOKEN_KIND_SHIFT) {
    case ES_TOKEN_NOTHING: return low == 0;
    case ES_TOKEN_VALUE:
    case ES_TOKEN_RUN: return low < 4 ? 2 + low : 0;
    case ES_TOKEN_MEMORY: return low < 4 ? 9 : 0;
    case ES_TOKEN_VECTOR: return low < 2 ? 9 : 0;
    case ES_TOKEN_CLOCK: return low ? 0 : 5;
    case ES_TOKEN_HEARTBEAT: return low ? 0 : 17;
    case ES_TOKEN_END: return low >= 1 && low <= 3 ? 9 : 0;
    case ES_TOKEN_BEGIN: return low ? 0 : 5;
    default: return 0;
    }
}

const char *recorder_model_byte(struct recorder_model *m, uint8_t byte)
{
    unsigned kind = byte >> ES_TOKEN_KIND_SHIFT;
    if (m->have == 0 && byte == ES_TOKEN_NOTHING)
        return m->last_kind == ES_TOKEN_HEARTBEAT || m->last_kind == ES_TOKEN_END ? NULL : "NOTHING between tokens";
    m->token[m->have++] = byte;
    size_t length = length_of(m->token[0]);
    if (length == 0 || m->ended) {
        m->have = 0;
        return m->ended ? "a token after END" : "no token";
    }
    if (m->have < length)
        return NULL;
    kind = m->token[0] >> ES_TOKEN_KIND_SHIFT;
    m->have = 0;
    m->tokens[kind]++;
    const char *wrong = take_token(m);
    m->last_kind = kind;
    return wrong;
}

bool recorder_model_ended(const struct recorder_model *m)
{
    return m->ended;
}

unsigned recorder_model_reason(const struct recorder_model *m)
{
    return m->reason;
}

bool recorder_model_settled(const struct recorder_model *m)
{
    return m->head == m->size && !m->have && m->last_kind == ES_TOKEN_HEARTBEAT;
}

unsigned long recorder_model_tokens(const struct recorder_model *m, unsigned kind)
{
    return m->tokens[kind];
}

unsigned long recorder_model_predicted(const struct recorder_model *m)
{
    return m->predicted;
}

unsigned long recorder_model_ends(const struct recorder_model *m, unsigned reason)
{
    return m->ends[reason];
}
