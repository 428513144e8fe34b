#include "session/groups.h"

#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "session/private.h"
#include "symbols/code.h"

/* --- what they say ------------------------------------------------------------------------------------------------ */

/* All have said hello: as one probe does, with the checksum of one whose image is another. */
static void take_hello(session_group *of, const es_event *event)
{
    session *s = of->session;
    if (event->word_count < 2 || !s->loaded)
        return;
    of->hello = true;
    of->checksum = event->words[1];
    es_event hello = *event;
    uint32_t words[2] = {event->words[0], s->groups.groups[0].image.checksum};
    for (size_t g = 0; g < s->groups.count; g++) {
        if (!s->group[g].hello)
            return;
        if (s->group[g].checksum != s->groups.groups[g].image.checksum)
            words[1] = s->group[g].checksum;
    }
    hello.words = words;
    hello.word_count = 2;
    es_session_event(s, &hello);
}

static void take_hit(session_group *of, const es_event *event)
{
    const es_image_group *group = &of->session->groups.groups[of->number];
    es_event hit = *event;
    if (event->statement < group->program.statement_count)
        hit.statement = (uint16_t)group->statements[event->statement];
    else
        hit.statement = UINT16_MAX; /* there is none */
    es_session_event(of->session, &hit);
}

static void take_counters(session_group *of, const es_event *event)
{
    if (event->first_index == 0)
        of->figures = 0;
    if (event->first_index == of->figures) /* else a frame between was lost */
        of->figures += event->word_count;
    for (size_t i = 0; i < event->word_count && event->first_index + i < of->closing_count; i++)
        of->closing[event->first_index + i] = event->words[i];
}

/* What all have counted, once all have said so. */
static void tell_figures(session *s, const es_event *done)
{
    size_t count = es_image_figures(&s->program);
    uint32_t *all = es_malloc((count + 1) * sizeof *all);
    const uint32_t **words = es_malloc(s->groups.count * sizeof *words);
    uint32_t totals[5] = {0};
    for (size_t g = 0; g < s->groups.count; g++) {
        const session_group *of = &s->group[g];
        words[g] = of->closing;
        for (size_t i = 0; i < of->total_count; i++)
            totals[i] = of->totals[i] > totals[i] ? of->totals[i] : totals[i]; /* each has met the same */
    }
    es_image_groups_figures(&s->groups, &s->program, words, all);
    totals[2] = all[count - sizeof(struct es_mi_doubts) / 4]; /* es_mi_doubts.unknown */
    es_event event = {.kind = ES_EVENT_COUNTERS, .words = all, .word_count = count};
    es_session_event(s, &event);
    event = *done;
    event.words = totals;
    event.word_count = sizeof totals / sizeof *totals;
    es_session_event(s, &event);
    free(all);
    free(words);
}

static void take_done(session_group *of, const es_event *event)
{
    session *s = of->session;
    of->total_count = event->word_count < 5 ? event->word_count : 5;
    memcpy(of->totals, event->words, of->total_count * sizeof *of->totals);
    of->done = of->figures == of->closing_count;
    bool all = true;
    for (size_t g = 0; g < s->groups.count; g++)
        all &= s->group[g].done;
    if (all)
        tell_figures(s, event);
    else if (!s->closing_run)
        s->done = true; /* one has ended it, by the action `stop` */
}

static void take_event(void *context, const es_event *event)
{
    session_group *of = context;
    switch (event->kind) {
    case ES_EVENT_HELLO: take_hello(of, event); break;
    case ES_EVENT_HIT: take_hit(of, event); break;
    case ES_EVENT_COUNTERS: take_counters(of, event); break;
    case ES_EVENT_DONE: take_done(of, event); break;
    case ES_EVENT_GAP: /* what the bus has lost, all have */
        if (of->number == 0 || event->lost_what != ES_GAP_BUS)
            es_session_event(of->session, event);
        break;
    default: es_session_event(of->session, event);
    }
}

/* --- to all of them ----------------------------------------------------------------------------------------------- */

static bool ends_handler(const es_symbols *symbols, const es_position *position)
{
    es_insn insn;
    for (size_t i = 0; i < position->count; i++)
        if (es_symbols_insn(symbols, position->addresses[i], &insn) && insn.kind == ES_INSN_TRAP_RETURN)
            return true;
    return false;
}

/* Whether an event of its at a handler's last instruction is that this returns: no other can be there. */
static bool leaves(const es_symbols *symbols, const es_statement *statement)
{
    const es_condition *condition;
    bool found = false;
    for (size_t k = 0; (condition = es_statement_condition(statement, k)); k++)
        for (size_t i = 0; i < condition->trigger_count; i++) {
            const es_trigger *trigger = &condition->triggers[i];
            if (trigger->kind == ES_TRIGGER_AT && ends_handler(symbols, trigger->position))
                return false;
            found |= trigger->kind == ES_TRIGGER_LEAVE;
        }
    return found;
}

static es_target_rank *ranks_of(const es_symbols *symbols, const es_image_group *group)
{
    es_target_rank *ranks = es_malloc((group->program.statement_count + 1) * sizeof *ranks);
    for (size_t i = 0; i < group->program.statement_count; i++)
        ranks[i] = (es_target_rank){(uint32_t)group->statements[i], leaves(symbols, &group->program.statements[i])};
    return ranks;
}

static bool load_beside(session *s, session_group *of, es_error *err)
{
    const es_session_target *target = s->probe.target;
    const es_image_group *group = &s->groups.groups[of->number];
    es_transport *transport = target->beside(s->probe.target_context, of->ranks, group->program.statement_count, err);
    if (!transport)
        return false;
    of->link = es_link_new(transport, take_event, of);
    if (!of->link)
        return es_fail(err, ES_PROBE, "out of memory");
    return es_probe_load_beside(of->link, &s->info, &group->image, err) &&
           es_probe_set_start(of->link, ES_PROBE_START_WITH, err);
}

bool es_session_groups_load(session *s, es_error *err)
{
    size_t count = s->groups.count;
    if (count == 1)
        return true;
    s->group = es_malloc(count * sizeof *s->group);
    memset(s->group, 0, count * sizeof *s->group);
    for (size_t g = 0; g < count; g++) {
        session_group *of = &s->group[g];
        of->session = s;
        of->number = g;
        of->ranks = ranks_of(s->symbols, &s->groups.groups[g]);
        of->closing_count = es_image_figures(&s->groups.groups[g].program);
        of->closing = es_malloc((of->closing_count + 1) * sizeof *of->closing);
        memset(of->closing, 0, (of->closing_count + 1) * sizeof *of->closing);
    }
    s->group[0].link = s->link;
    es_link_on_event(s->link, take_event, &s->group[0]);
    s->probe.target->rank(s->probe.target_context, s->group[0].ranks, s->groups.groups[0].program.statement_count);
    for (size_t g = 1; g < count; g++)
        if (!load_beside(s, &s->group[g], err))
            return false;
    return true;
}

bool es_session_groups_start(session *s, es_error *err)
{
    for (size_t g = 1; g < s->groups.count; g++) {
        es_link_restart(s->group[g].link);
        if (!es_probe_start(s->group[g].link, err))
            return false;
    }
    return true;
}

bool es_session_groups_write(session *s, uint32_t address, const uint32_t *words, size_t count, es_error *err)
{
    if (s->groups.count == 1)
        return es_link_write(s->link, address, words, count, err);
    int got;
    do /* an answer comes after what has been said before, and that in its own order */
        got = es_session_groups_pump(s, 0, err);
    while (got > 0);
    if (got < 0)
        return false;
    for (size_t g = 0; g < s->groups.count; g++)
        if (!s->group[g].done && !es_link_write(s->group[g].link, address, words, count, err))
            return false;
    return true;
}

bool es_session_groups_flush(session *s, es_error *err)
{
    const uint32_t mail = ES_MAIL_FLUSH;
    if (s->groups.count == 1)
        return es_link_write(s->link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err);
    s->probe.target->hold(s->probe.target_context, true);
    bool good = es_session_groups_write(s, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err);
    s->probe.target->hold(s->probe.target_context, false);
    return good;
}

void es_session_groups_finish(session *s)
{
    for (size_t g = 1; s->group && g < s->groups.count; g++)
        if (s->group[g].link)
            es_link_finish(s->group[g].link);
}

void es_session_groups_free(session *s)
{
    for (size_t g = 0; s->group && g < s->groups.count; g++) {
        if (g)
            es_link_free(s->group[g].link);
        free(s->group[g].ranks);
        free(s->group[g].closing);
    }
    free(s->group);
    s->group = NULL;
}
