/* Instructions: registers whose values follow from what nothing but time decides. */
#include "isa/flow.h"
#include "sharing_private.h"

#define SHORT 64u /* bytes of instructions whose time does not count */

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
    sharing_thread *t = es_sharing_thread(s, thread);
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
    return byte->thread && byte->thread != ES_SHARING_LIBRARY && byte->thread != thread + 1 &&
           es_sharing_clock(&t->before, byte->thread - 1u) < byte->step;
}

/* The value that another thread has written may be another one on another machine. */
static bool may_differ(const sharing_thread *t, uint32_t thread, const written *byte)
{
    /* what several have made together is what it is, once all have: a sum, a maximum */
    if (byte->thread == thread + 1)
        return byte->doubt && !(byte->several && byte->step <= t->synced);
    return byte->thread == ES_SHARING_LIBRARY || is_unordered(t, thread, byte);
}

void es_predict_sharing_access(es_predict_sharing *s, uint32_t thread, const es_machine_access *a)
{
    sharing_thread *t = es_sharing_thread(s, thread);
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
                (written){.step = es_sharing_clock(&t->before, thread) + 1,
                          .thread = (uint16_t)(thread + 1),
                          .doubt = t->stores && t->doubted,
                          .several = is_unordered(t, thread, byte) || (byte->several && byte->thread == thread + 1)};
    }
}
