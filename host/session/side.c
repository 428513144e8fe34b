/* Which side evaluates the statements: the probe, which sees memory, or the replay, which sees registers, too. */
#include <stdio.h>
#include <string.h>

#include "session/private.h"
#include "symbols/shadows.h"

/* For cells, where nothing will be evaluated. */
#define ANYWHERE 0xF0000000u
#define ANYWHERE_SIZE 0x10000u

static bool parse(session *s, es_text_buffer *wrong, es_error *err)
{
    const es_session_options *o = s->options;
    s->parsed = es_program_parse_all(s->symbols, o->texts, o->text_count, &s->program, wrong, err);
    return s->parsed;
}

/* With cells for what is in no memory. */
static bool parse_for_replay(session *s, es_text_buffer *wrong, es_error *err)
{
    const es_session_options *o = s->options;
    uint32_t base, size;
    if (!o->shadows)
        return es_fail(err, ES_USAGE, "here nothing can be evaluated on the replay");
    if (o->attach)
        return es_fail(err, ES_USAGE,
                       "a target is replayed from its reset on, and --attach is for one that runs: leave it out, and "
                       "reset the target");
    if (!o->shadows(o->context, s->symbols, &base, &size, err))
        return false;
    es_symbols_use_shadows(s->symbols, base, size);
    s->probe.replay = true;
    return parse(s, wrong, err);
}

/* The probe is missing: *err, unless there is something wrong with the statements, whatever probe there will be. */
static bool check_without_probe(session *s, es_text_buffer *wrong, es_error *err)
{
    es_error missing = *err;
    es_symbols_use_shadows(s->symbols, ANYWHERE, ANYWHERE_SIZE);
    if (parse(s, wrong, err)) {
        es_program_free(&s->program);
        s->parsed = false;
        *err = missing;
    }
    return false;
}

/* There is no replay: whether the statements were good if there was one. */
static bool replay_would_help(session *s)
{
    es_text_buffer wrong = {0};
    es_error ignored;
    es_symbols_use_shadows(s->symbols, ANYWHERE, ANYWHERE_SIZE);
    bool good = parse(s, &wrong, &ignored);
    if (good)
        es_program_free(&s->program);
    s->parsed = false;
    es_text_free(&wrong);
    return good;
}

bool es_session_parse(session *s, es_text_buffer *wrong, es_error *err)
{
    const es_session_options *o = s->options;
    if (o->side == ES_SIDE_REPLAY) {
        bool good = parse_for_replay(s, wrong, err);
        return good || (!s->probe.replay && err->code == ES_PROBE && check_without_probe(s, wrong, err));
    }
    if (parse(s, wrong, err))
        return true;
    if (o->side == ES_SIDE_PROBE || !o->shadows || err->code != ES_USAGE)
        return false;
    /* What the probe cannot evaluate, the replay perhaps can. A probe that is not there has to come first; where there
     * is no replay, what is said is what the probe would need, and why there is none. */
    es_text_buffer others = {0};
    es_error late = {0};
    bool good = parse_for_replay(s, &others, &late);
    if (!s->probe.replay && late.code != ES_PROBE) {
        if (!replay_would_help(s))
            return false;
        size_t used = strlen(err->text);
        es_text_free(&others);
        snprintf(err->text + used, sizeof err->text - used, "%snote: on the replay neither: %s",
                 used && err->text[used - 1] != '\n' ? "\n" : "", late.text);
        return false;
    }
    if (!s->probe.replay)
        check_without_probe(s, &others, &late);
    es_text_free(wrong);
    *wrong = others;
    *err = late;
    return good;
}

bool es_session_move_to_replay(session *s, es_text_buffer *wrong, es_error *err)
{
    const es_session_options *o = s->options;
    if (o->side == ES_SIDE_PROBE || !o->shadows)
        return es_fail(
            err, ES_USAGE, "this probe has no monitor, so it evaluates no statements itself: it records inputs%s",
            o->side == ES_SIDE_PROBE ? ". Leave --probe-only out, and they are evaluated on the replay" : "");
    es_program_free(&s->program);
    s->parsed = false;
    return parse_for_replay(s, wrong, err);
}

void es_session_tell_shadows(session *s)
{
    const es_shadow *const *shadows;
    size_t count = s->probe.replay ? es_symbols_shadows(s->symbols, &shadows) : 0;
    for (size_t i = 0; i < count; i++) {
        const es_variable *variable = shadows[i]->variable;
        if (shadows[i]->kind == ES_SHADOW_VARIABLE)
            es_session_note(s, "evaluated on the replay: %s%s%s %s",
                            variable->procedure ? variable->procedure->name : "", variable->procedure ? "\\" : "",
                            variable->name, shadows[i]->words);
    }
}
