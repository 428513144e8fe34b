#include "predict/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "isa/flow.h"

#define THREADS_MAX 2048u /* more are not looked at */
#define SHORT 64u         /* bytes of instructions whose time does not count */
#define LIBRARY UINT16_MAX
#define UNDER_WAY_MAX 4096u      /* items of an object that nobody has taken yet; more are one */
#define CALLER_SAVED 0xF003FCE2u /* ra, t0 to t6, a0 to a7: what a call may change */

/* By thread: up to which of its own steps the events say that all came before. */
typedef struct clocks {
    uint32_t *of;
    uint32_t count;
} clocks;

/* Who has written a byte, at which of its steps; doubt: it follows from what nothing but time decides. */
typedef struct written {
    uint32_t step;
    uint16_t thread; /* + 1; 0: nobody, or the library; LIBRARY: in one of its objects */
    bool doubt;
    bool several; /* threads have */
} written;

typedef struct sharing_thread {
    clocks before;
    uint32_t synced;           /* its step when others had last told it of theirs */
    uint32_t aside, aside_end; /* registers in doubt from there on */
    uint32_t doubts;           /* a bit for each register */
    uint8_t loads;             /* register that the access is for; 0: none */
    bool doubted, stores;      /* the address, or the value that is stored, is in doubt; it stores */
} sharing_thread;

typedef struct sharing_object {
    clocks meet, met; /* of a barrier: who has come; who had when the last one came */
    uint32_t here;
    clocks *under_way; /* of a queue or semaphore, from its first on */
    size_t first, count, room;
} sharing_object;

struct es_predict_sharing {
    bool decides;
    written *bytes; /* of the memory */
    sharing_thread *threads;
    uint32_t thread_count;
    sharing_object *objects;
    uint32_t object_count;
};

es_predict_sharing *es_predict_sharing_new(void)
{
    es_predict_sharing *s = es_malloc(sizeof *s);
    *s = (es_predict_sharing){.bytes = es_malloc(ES_TARGET_RAM_SIZE * sizeof *s->bytes)};
    memset(s->bytes, 0, ES_TARGET_RAM_SIZE * sizeof *s->bytes);
    return s;
}

void es_predict_sharing_free(es_predict_sharing *s)
{
    if (!s)
        return;
    for (uint32_t t = 0; t < s->thread_count; t++)
        free(s->threads[t].before.of);
    for (uint32_t i = 0; i < s->object_count; i++) {
        sharing_object *o = &s->objects[i];
        for (size_t k = o->first; k < o->count; k++)
            free(o->under_way[k].of);
        free(o->under_way);
        free(o->meet.of);
        free(o->met.of);
    }
    free(s->bytes);
    free(s->threads);
    free(s->objects);
    free(s);
}

bool es_predict_sharing_decides(const es_predict_sharing *s)
{
    return s->decides;
}

static uint32_t clock_of(const clocks *c, uint32_t thread)
{
    return thread < c->count ? c->of[thread] : 0;
}

static void join(clocks *to, const clocks *from)
{
    if (from->count > to->count) {
        to->of = es_realloc(to->of, from->count * sizeof *to->of);
        memset(to->of + to->count, 0, (from->count - to->count) * sizeof *to->of);
        to->count = from->count;
    }
    for (uint32_t i = 0; i < from->count; i++)
        to->of[i] = from->of[i] > to->of[i] ? from->of[i] : to->of[i];
}

static void clear(clocks *c)
{
    if (c->count)
        memset(c->of, 0, c->count * sizeof *c->of);
}

/* The thread; NULL: there are too many. */
static sharing_thread *thread_at(es_predict_sharing *s, uint32_t thread)
{
    if (thread >= THREADS_MAX)
        return NULL;
    if (thread >= s->thread_count) {
        uint32_t count = thread + 16;
        s->threads = es_realloc(s->threads, count * sizeof *s->threads);
        memset(s->threads + s->thread_count, 0, (count - s->thread_count) * sizeof *s->threads);
        s->thread_count = count;
    }
    return &s->threads[thread];
}

/* What the thread does from now on has not come before what others have heard of so far. */
static void step(sharing_thread *t, uint32_t thread)
{
    clocks self = {.of = es_malloc((thread + 1) * sizeof *self.of), .count = thread + 1};
    clear(&self);
    self.of[thread] = clock_of(&t->before, thread) + 1;
    join(&t->before, &self);
    free(self.of);
}

static sharing_object *object_at(es_predict_sharing *s, uint32_t object)
{
    if (object >= s->object_count) {
        uint32_t count = object + 16;
        s->objects = es_realloc(s->objects, count * sizeof *s->objects);
        memset(s->objects + s->object_count, 0, (count - s->object_count) * sizeof *s->objects);
        s->object_count = count;
    }
    return &s->objects[object];
}

/* --- instructions ------------------------------------------------------------------------------- */

/* Straight code, and not much of it. *changes gets a bit for each register that it changes. */
static bool is_short(const es_predict_code *code, uint32_t from, uint32_t to, uint32_t *changes)
{
    if (to < from || to - from > SHORT)
        return false;
    while (from < to) {
        const es_predict_insn *insn = es_predict_insn_at(code, from);
        if (!insn || insn->ends || insn->kind == ES_INSN_SEVERAL)
            return false;
        *changes |= 1u << (insn->rd & 31);
        from += insn->size;
    }
    return from == to;
}

/* A branch after whose two ways, both short, it goes on at the same place: that is where the doubt is then. */
static bool rejoins(sharing_thread *t, const es_predict_code *code, uint32_t pc)
{
    es_insn branch, last = {.kind = ES_INSN_UNKNOWN};
    if (!es_symbols_insn(code->symbols, pc, &branch))
        return false;
    uint32_t from = pc + branch.size, to = es_insn_ways(branch, pc).target, changes = 0;
    t->aside_end = to;
    if (is_short(code, from, to, &changes)) {
        t->aside |= changes & ~1u;
        return true;
    }
    for (uint32_t size = 2; size <= 4; size += 2) { /* one way ends with a jump over the other one */
        const es_predict_insn *at = es_predict_insn_at(code, to - size);
        if (at && at->size == size && at->kind == ES_INSN_JUMP && es_symbols_insn(code->symbols, to - size, &last)) {
            t->aside_end = es_insn_ways(last, to - size).target;
            changes = 0;
            if (is_short(code, from, to - size, &changes) && is_short(code, to, t->aside_end, &changes)) {
                t->aside |= changes & ~1u;
                return true;
            }
        }
    }
    return false;
}

void es_predict_sharing_insn(es_predict_sharing *s, uint32_t thread, const es_predict_code *code, uint32_t pc)
{
    sharing_thread *t = thread_at(s, thread);
    const es_predict_insn *insn = es_predict_insn_at(code, pc);
    if (!t || !insn || s->decides)
        return;
    if (t->aside && pc == t->aside_end) {
        t->doubts |= t->aside;
        t->aside = 0;
    }
    bool first = t->doubts >> (insn->rs1 & 31) & 1, second = t->doubts >> (insn->rs2 & 31) & 1, doubt = false;
    t->loads = 0;
    t->stores = false;
    switch ((es_insn_kind)insn->kind) {
    case ES_INSN_BRANCH: s->decides = (first || second) && !rejoins(t, code, pc); break;
    case ES_INSN_JUMP_REGISTER:
    case ES_INSN_CALL_REGISTER: s->decides = first; break;
    case ES_INSN_COMPUTE: doubt = first || second; break;
    case ES_INSN_LOAD:
        t->loads = insn->rd;
        doubt = first;
        break;
    case ES_INSN_STORE:
        t->stores = true;
        t->doubted = second || t->aside;
        break;
    case ES_INSN_ATOMIC:
        t->loads = insn->rd;
        t->stores = true;
        t->doubted = second;
        break;
    default: break;
    }
    if (insn->rd && insn->rd < 32)
        t->doubts = (t->doubts & ~(1u << insn->rd)) | (uint32_t)doubt << insn->rd;
}

/* Another thread has written it, and no event says that this came before. */
static bool is_unordered(const sharing_thread *t, uint32_t thread, const written *byte)
{
    return byte->thread && byte->thread != LIBRARY && byte->thread != thread + 1 &&
           clock_of(&t->before, byte->thread - 1u) < byte->step;
}

/* The value that another thread has written may be another one on another machine. */
static bool may_differ(const sharing_thread *t, uint32_t thread, const written *byte)
{
    /* what several have made together is what it is, once all have: a sum, a maximum */
    if (byte->thread == thread + 1)
        return byte->doubt && !(byte->several && byte->step <= t->synced);
    return byte->thread == LIBRARY || is_unordered(t, thread, byte);
}

void es_predict_sharing_access(es_predict_sharing *s, uint32_t thread, const es_machine_access *a)
{
    sharing_thread *t = thread_at(s, thread);
    uint32_t place = a->address - ES_TARGET_RAM_BASE;
    if (!t || s->decides || place > ES_TARGET_RAM_SIZE - 4)
        return;
    for (unsigned lane = 0; lane < 4; lane++) {
        written *byte = &s->bytes[place + lane];
        if (!(a->lanes >> lane & 1))
            continue;
        if (a->kind == ES_KIND_READ && t->loads && may_differ(t, thread, byte))
            t->doubts |= 1u << t->loads;
        if (a->kind == ES_KIND_WRITE)
            *byte =
                (written){.step = clock_of(&t->before, thread) + 1,
                          .thread = (uint16_t)(thread + 1),
                          .doubt = t->stores && t->doubted,
                          .several = is_unordered(t, thread, byte) || (byte->several && byte->thread == thread + 1)};
    }
}

/* --- events --------------------------------------------------------------------------------------- */

/* A semaphore that lets somebody in at first is a lock, and says nothing of who comes first. */
static bool carries(const es_predict_event *event, const es_predict_object *object)
{
    return event->kind == ES_PREDICT_PUT || event->kind == ES_PREDICT_GET ||
           ((event->kind == ES_PREDICT_ACQUIRE || event->kind == ES_PREDICT_RELEASE) && object && !object->value);
}

static void give(sharing_object *o, const clocks *before)
{
    if (o->count - o->first >= UNDER_WAY_MAX) {
        join(&o->under_way[o->count - 1], before);
        return;
    }
    if (o->count == o->room) {
        if (o->first)
            memmove(o->under_way, o->under_way + o->first, (o->count - o->first) * sizeof *o->under_way);
        o->count -= o->first;
        o->first = 0;
        if (2 * o->count >= o->room) {
            o->room = o->room ? 2 * o->room : 16;
            o->under_way = es_realloc(o->under_way, o->room * sizeof *o->under_way);
        }
    }
    o->under_way[o->count] = (clocks){0};
    join(&o->under_way[o->count++], before);
}

static void take(sharing_object *o, clocks *before)
{
    if (o->first == o->count)
        return;
    clocks *from = &o->under_way[o->first++];
    join(before, from);
    free(from->of);
}

/* What the library keeps of an object it alone has to know. */
static void look_out(es_predict_sharing *s, const es_predict_object *object)
{
    uint32_t place = object->address - ES_TARGET_RAM_BASE;
    uint32_t size = object->kind == ES_PREDICT_PUT || object->kind == ES_PREDICT_GET ? 16 : 8;
    for (uint32_t i = 0; i < size && place < ES_TARGET_RAM_SIZE && place + i < ES_TARGET_RAM_SIZE; i++)
        s->bytes[place + i] = (written){.thread = LIBRARY};
}

void es_predict_sharing_enter(es_predict_sharing *s, uint32_t thread, const es_predict_event *event,
                              const es_predict_object *object)
{
    sharing_thread *t = thread_at(s, thread);
    if (!t)
        return;
    t->doubts &= ~CALLER_SAVED;
    if (object)
        look_out(s, object);
    step(t, thread);
    if (event->kind == ES_PREDICT_BARRIER) {
        sharing_object *o = object_at(s, event->object);
        join(&o->meet, &t->before);
        if (++o->here >= event->arg) {
            join(&o->met, &o->meet);
            clear(&o->meet);
            o->here = 0;
        }
    } else if (carries(event, object) && (event->kind == ES_PREDICT_PUT || event->kind == ES_PREDICT_RELEASE)) {
        give(object_at(s, event->object), &t->before);
    }
}

void es_predict_sharing_leave(es_predict_sharing *s, uint32_t thread, const es_predict_event *event,
                              const es_predict_object *object)
{
    bool about_thread = event->kind == ES_PREDICT_FORK || event->kind == ES_PREDICT_JOIN;
    if (!thread_at(s, thread))
        return;
    sharing_thread *other = about_thread ? thread_at(s, event->arg) : NULL, *t = thread_at(s, thread);
    if (event->kind == ES_PREDICT_FORK && other) {
        join(&other->before, &t->before);
    } else if (event->kind == ES_PREDICT_JOIN && other) {
        step(other, event->arg);
        join(&t->before, &other->before);
    } else if (event->kind == ES_PREDICT_BARRIER) {
        join(&t->before, &object_at(s, event->object)->met);
    } else if (carries(event, object) && (event->kind == ES_PREDICT_GET || event->kind == ES_PREDICT_ACQUIRE)) {
        take(object_at(s, event->object), &t->before);
    }
    step(t, thread);
    if (event->kind == ES_PREDICT_JOIN || event->kind == ES_PREDICT_BARRIER || event->kind == ES_PREDICT_GET ||
        event->kind == ES_PREDICT_ACQUIRE)
        t->synced = clock_of(&t->before, thread);
}
