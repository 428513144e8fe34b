/* What `earshot net check` prints: text for people, JSON Lines for programs. */
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "cli/net/private.h"

/* The violation that `states` or the initial marking has, where there is one. */
static es_net_violation unsafe(const es_net_report *report)
{
    return (es_net_violation){ES_NET_SAFE, report->states.unsafe_by, report->states.unsafe_place, ES_NET_NONE,
                              ES_NET_NONE};
}

#define PATH_SHOWN 24u       /* firings of a path in text */
#define PLACES_SHOWN 8u      /* places without a proof in text */
#define INVARIANTS_SHOWN 40u /* invariants of a kind in text */

/* --- text ------------------------------------------------------------------------------------------------ */

static void put_transition(const es_net_report *r, es_text_buffer *out, uint32_t t)
{
    const es_net_transition *transition = &r->net->transitions[t];
    es_text_format(out, transition->source ? " %s (%s)" : " %s", transition->id, transition->source);
}

static void put_path(const es_net_report *r, es_text_buffer *out, const es_net_path *path)
{
    if (path->count == 0)
        es_text_format(out, " (the initial state)");
    if (path->count > PATH_SHOWN)
        es_text_format(out, " ... (%zu %s before)", path->count - PATH_SHOWN,
                       es_plural(path->count - PATH_SHOWN, "firing", "firings"));
    for (size_t i = path->count > PATH_SHOWN ? path->count - PATH_SHOWN : 0; i < path->count; i++)
        es_text_format(out, " %s", r->net->transitions[path->firings[i]].id);
    es_text_format(out, "\n");
}

/* By which argument. */
static void put_proof(const es_net_report *r, es_text_buffer *out)
{
    switch (r->safe_by) {
    case ES_NET_BY_INVARIANTS: es_text_format(out, "yes, by P-invariants\n"); break;
    case ES_NET_BY_STATES: es_text_format(out, "yes, in all states\n"); break;
    case ES_NET_BY_PROOF:
        es_text_format(out, "yes, by P-invariants of one token");
        if (r->proof.by_parts)
            es_text_format(out,
                           " (%zu places) and in all states of parts of the net (%zu places; %zu parts, of %" PRIu64
                           " states at most)",
                           r->proof.by_tokens, r->proof.by_parts, r->proof.parts, r->proof.part_states);
        es_text_format(out, "\n");
        break;
    default: es_text_format(out, "yes, in all markings\n");
    }
}

static void put_safe(const es_net_report *r, es_text_buffer *out)
{
    es_text_format(out, "safe      ");
    if (r->safe == ES_NET_YES) {
        put_proof(r, out);
    } else if (r->safe == ES_NET_NO) {
        es_net_violation violation = unsafe(r);
        es_text_format(out, "NO\n  %s", es_net_violation_text(r->net, &violation, r->arena));
        if (violation.transition != ES_NET_NONE) {
            es_text_format(out, ", when these fire in this order:\n   ");
            put_path(r, out, &r->states.unsafe);
        } else {
            es_text_format(out, "\n");
        }
    } else if (!r->explored) {
        es_text_format(out, "not examined: only ordinary nets are\n");
    } else if (r->states.unrouted != ES_NET_NONE) {
        es_text_format(out, "not decided: there is a state that no routing rule covers\n");
    } else {
        es_text_format(out,
                       "not decided: more than %" PRIu64 " states, and no proof for %zu of %u places:", r->states.count,
                       r->proof.open_count, r->net->place_count);
        for (size_t i = 0; i < r->proof.open_count && i < PLACES_SHOWN; i++)
            es_text_format(out, " %s", r->net->places[r->proof.open[i]].id);
        es_text_format(out, r->proof.open_count > PLACES_SHOWN ? " ...; raise --limit\n" : "; raise --limit\n");
    }
}

/* One requirement: yes, or its violations. C3 has two parts and one name. */
static void put_requirement(const es_net_report *r, es_text_buffer *out, enum es_net_requirement first,
                            enum es_net_requirement last)
{
    const es_net_findings *f = &r->findings;
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
        count += f->violations[i].requirement >= first && f->violations[i].requirement <= last;
    es_text_format(out, "%-10s", es_net_requirement_name(first));
    es_text_format(out, count ? "NO" : "yes");
    if (first == ES_NET_C3_UP && f->relaxed_count) {
        es_text_format(out, " (C3' at");
        for (size_t i = 0; i < f->relaxed_count; i++)
            es_text_format(out, " %s", r->net->places[f->relaxed[i]].id);
        es_text_format(out, ": Property S)");
    }
    es_text_format(out, "\n");
    for (size_t i = 0; i < f->count; i++)
        if (f->violations[i].requirement >= first && f->violations[i].requirement <= last)
            es_text_format(out, "  %s\n", es_net_violation_text(r->net, &f->violations[i], r->arena));
    if (first == ES_NET_ROUTING && r->explored && r->states.unrouted != ES_NET_NONE) {
        es_text_format(out, "  no rule of place %s holds when these fire in this order:\n   ",
                       r->net->places[r->states.unrouted].id);
        put_path(r, out, &r->states.unrouted_path);
    }
}

static void put_verdict(const es_net_report *r, es_text_buffer *out)
{
    if (r->fulfilled) {
        es_text_format(out, "Perturbations can be tracked in this net.\n");
        return;
    }
    if (!r->findings.count && r->safe == ES_NET_UNDECIDED) {
        es_text_format(out, "Perturbations can be tracked in this net if it is safe, which was not decided.\n");
        return;
    }
    es_text_format(out, "Perturbations cannot be tracked in this net as it is.\n");
    if (r->findings.mark_count) {
        es_text_format(out, "monitor in addition:");
        for (size_t i = 0; i < r->findings.mark_count; i++)
            put_transition(r, out, r->findings.marks[i]);
        es_text_format(out, "\n");
    }
}

static void put_invariants(const es_net_report *r, es_text_buffer *out, const es_net_invariants *list, bool places)
{
    es_text_format(out, "%s-invariants", places ? "P" : "T");
    if (!list->complete) {
        es_text_format(out, "  too many for --limit %zu\n", r->limit);
        return;
    }
    es_text_format(out, "  %zu\n", list->count);
    for (size_t i = 0; i < list->count && i < INVARIANTS_SHOWN; i++) {
        es_text_format(out, " ");
        for (uint32_t k = 0; k < list->list[i].count; k++) {
            const es_net_term *term = &list->list[i].terms[k];
            const char *id = places ? r->net->places[term->node].id : r->net->transitions[term->node].id;
            es_text_format(out, k ? " + " : " ");
            if (term->weight != 1)
                es_text_format(out, "%" PRIu64 " ", term->weight);
            es_text_format(out, "%s", id);
        }
        if (places)
            es_text_format(out, " = %" PRIu64, list->list[i].tokens);
        es_text_format(out, "\n");
    }
    if (list->count > INVARIANTS_SHOWN)
        es_text_format(out, "  ... and %zu more; --json prints all\n", list->count - INVARIANTS_SHOWN);
}

static void put_bounds(const es_net_report *r, es_text_buffer *out)
{
    if (!r->covered)
        es_text_format(out, "bounded   yes, at most 1 token in a place\n");
    else if (r->bounds.bounded == ES_NET_YES)
        es_text_format(out, "bounded   yes, without routing: at most %u %s in a place\n", r->bounds.most,
                       es_plural(r->bounds.most, "token", "tokens"));
    else if (r->bounds.bounded == ES_NET_UNDECIDED)
        es_text_format(out, "bounded   not decided: more than %" PRIu64 " markings; raise --limit\n",
                       r->bounds.markings);
    else {
        es_text_format(out, "bounded   NO, without routing:");
        for (size_t i = 0; i < r->bounds.unbounded_count; i++)
            es_text_format(out, " %s", r->net->places[r->bounds.unbounded[i]].id);
        es_text_format(out, "\n");
    }
}

static void put_states(const es_net_report *r, es_text_buffer *out)
{
    if (!r->explored)
        return;
    es_text_format(out, "states    %" PRIu64 "%s\n", r->states.count, r->states.complete ? "" : " seen, not all");
    if (r->states.dead == ES_NET_YES) {
        es_text_format(out, "deadlock  YES, with tokens in");
        for (size_t i = 0; i < r->states.dead_place_count; i++)
            es_text_format(out, " %s", r->net->places[r->states.dead_places[i]].id);
        es_text_format(out, "%s, when these have fired in this order:\n   ",
                       r->states.dead_place_count ? "" : " no place");
        put_path(r, out, &r->states.dead_path);
    } else {
        es_text_format(out, "deadlock  %s\n", r->states.dead == ES_NET_NO ? "none" : "none seen");
    }
    if (r->states.never_count) {
        es_text_format(out, "never     fires:");
        for (size_t i = 0; i < r->states.never_count; i++)
            put_transition(r, out, r->states.never[i]);
        es_text_format(out, "\n");
    }
}

void es_net_report_text(const es_net_report *r, es_text_buffer *out)
{
    uint32_t monitors = 0;
    for (uint32_t t = 0; t < r->net->transition_count; t++)
        monitors += r->net->transitions[t].monitor;
    es_text_format(out, "net %s: %u %s, %u %s, %u %s, %u %s\n\n", r->net->name, r->net->place_count,
                   es_plural(r->net->place_count, "place", "places"), r->net->transition_count,
                   es_plural(r->net->transition_count, "transition", "transitions"), r->net->arc_count,
                   es_plural(r->net->arc_count, "arc", "arcs"), monitors, es_plural(monitors, "monitor", "monitors"));
    put_requirement(r, out, ES_NET_ORDINARY, ES_NET_ORDINARY);
    put_safe(r, out);
    put_requirement(r, out, ES_NET_ROUTING, ES_NET_ROUTING);
    put_requirement(r, out, ES_NET_C1, ES_NET_C1);
    put_requirement(r, out, ES_NET_C2, ES_NET_C2);
    put_requirement(r, out, ES_NET_C3_UP, ES_NET_C3_DOWN);
    put_requirement(r, out, ES_NET_FREE, ES_NET_FREE);
    put_verdict(r, out);
    es_text_format(out, "\n");
    put_bounds(r, out);
    put_states(r, out);
    put_invariants(r, out, &r->places, true);
    put_invariants(r, out, &r->transitions, false);
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

static void json_place(const es_net_report *r, es_json *j, const char *key, uint32_t place)
{
    if (place == ES_NET_NONE)
        return;
    es_json_put_string(j, key, r->net->places[place].id);
    es_text_buffer source_key = {0};
    es_text_format(&source_key, "%s_source", key);
    if (r->net->places[place].source)
        es_json_put_string(j, source_key.text, r->net->places[place].source);
    es_text_free(&source_key);
}

static void json_transition(const es_net_report *r, es_json *j, const char *key, uint32_t transition)
{
    if (transition == ES_NET_NONE)
        return;
    es_json_put_string(j, key, r->net->transitions[transition].id);
    es_text_buffer source_key = {0};
    es_text_format(&source_key, "%s_source", key);
    if (r->net->transitions[transition].source)
        es_json_put_string(j, source_key.text, r->net->transitions[transition].source);
    es_text_free(&source_key);
}

static void json_begin(es_json *j, const char *event)
{
    j->comma = false;
    es_json_begin(j, '{');
    es_json_put_string(j, "event", event);
}

static void json_end(es_json *j)
{
    es_json_end(j, '}');
    es_text_add(j->out, "\n", 1);
}

static void json_transitions(const es_net_report *r, es_json *j, const char *key, const uint32_t *list, size_t count)
{
    es_json_key(j, key);
    es_json_begin(j, '[');
    for (size_t i = 0; i < count; i++)
        es_json_string(j, r->net->transitions[list[i]].id);
    es_json_end(j, ']');
}

static void json_places(const es_net_report *r, es_json *j, const char *key, const uint32_t *list, size_t count)
{
    es_json_key(j, key);
    es_json_begin(j, '[');
    for (size_t i = 0; i < count; i++)
        es_json_string(j, r->net->places[list[i]].id);
    es_json_end(j, ']');
}

static void json_violation(const es_net_report *r, es_json *j, const es_net_violation *v, const es_net_path *path)
{
    json_begin(j, "violation");
    es_json_put_string(j, "requirement", es_net_requirement_name(v->requirement));
    json_place(r, j, "place", v->place);
    json_transition(r, j, "transition", v->transition);
    json_transition(r, j, "synchronising", v->sync);
    json_place(r, j, "choosing", v->chooser);
    es_json_put_string(j, "text", es_net_violation_text(r->net, v, r->arena));
    if (path)
        json_transitions(r, j, "firings", path->firings, path->count);
    json_end(j);
}

static void json_invariants(const es_net_report *r, es_json *j, const es_net_invariants *list, bool places)
{
    for (size_t i = 0; i < list->count; i++) {
        json_begin(j, places ? "p-invariant" : "t-invariant");
        es_json_key(j, "weights");
        es_json_begin(j, '{');
        for (uint32_t k = 0; k < list->list[i].count; k++) {
            const es_net_term *term = &list->list[i].terms[k];
            es_json_key(j, places ? r->net->places[term->node].id : r->net->transitions[term->node].id);
            es_json_uint(j, term->weight);
        }
        es_json_end(j, '}');
        if (places) {
            es_json_key(j, "tokens");
            es_json_uint(j, list->list[i].tokens);
        }
        json_end(j);
    }
}

/* true, false, or null when it is not decided. */
static void json_answer(es_json *j, const char *key, enum es_net_answer answer)
{
    es_json_key(j, key);
    if (answer == ES_NET_UNDECIDED)
        es_json_null(j);
    else
        es_json_bool(j, answer == ES_NET_YES);
}

static void json_summary(const es_net_report *r, es_json *j)
{
    json_begin(j, "summary");
    es_json_put_string(j, "net", r->net->name);
    es_json_key(j, "places");
    es_json_uint(j, r->net->place_count);
    es_json_key(j, "transitions");
    es_json_uint(j, r->net->transition_count);
    es_json_key(j, "trackable");
    es_json_bool(j, r->fulfilled);
    json_answer(j, "safe", r->safe);
    if (r->safe == ES_NET_YES)
        es_json_put_string(j, "safe_by",
                           r->safe_by == ES_NET_BY_INVARIANTS ? "invariants"
                           : r->safe_by == ES_NET_BY_STATES   ? "states"
                           : r->safe_by == ES_NET_BY_COVER    ? "markings"
                           : r->proof.by_parts                ? "parts"
                                                              : "tokens");
    if (r->explored) {
        es_json_key(j, "places_by_tokens");
        es_json_uint(j, r->proof.by_tokens);
        es_json_key(j, "places_by_parts");
        es_json_uint(j, r->proof.by_parts);
        json_places(r, j, "places_without_proof", r->proof.open, r->proof.open_count);
    }
    json_transitions(r, j, "monitor_in_addition", r->findings.marks, r->findings.mark_count);
    json_places(r, j, "property_s", r->findings.relaxed, r->findings.relaxed_count);
    json_answer(j, "bounded", r->covered ? r->bounds.bounded : ES_NET_YES);
    json_places(r, j, "unbounded", r->bounds.unbounded, r->bounds.unbounded_count);
    if (r->explored) {
        es_json_key(j, "states");
        es_json_uint(j, r->states.count);
        es_json_key(j, "all_states");
        es_json_bool(j, r->states.complete);
        json_answer(j, "deadlock", r->states.dead);
        if (r->states.dead == ES_NET_YES) {
            json_transitions(r, j, "deadlock_firings", r->states.dead_path.firings, r->states.dead_path.count);
            json_places(r, j, "deadlock_tokens", r->states.dead_places, r->states.dead_place_count);
        }
        json_transitions(r, j, "never_fires", r->states.never, r->states.never_count);
    }
    es_json_key(j, "p_invariants_complete");
    es_json_bool(j, r->places.complete);
    es_json_key(j, "t_invariants_complete");
    es_json_bool(j, r->transitions.complete);
    json_end(j);
}

void es_net_report_json(const es_net_report *r, es_text_buffer *out)
{
    es_json j = {.out = out};
    for (size_t i = 0; i < r->findings.count; i++)
        json_violation(r, &j, &r->findings.violations[i], NULL);
    if (r->safe == ES_NET_NO) {
        es_net_violation violation = unsafe(r);
        json_violation(r, &j, &violation, &r->states.unsafe);
    }
    if (r->explored && r->states.unrouted != ES_NET_NONE) {
        es_net_violation violation = {ES_NET_ROUTING, ES_NET_NONE, r->states.unrouted, ES_NET_NONE, ES_NET_NONE};
        json_violation(r, &j, &violation, &r->states.unrouted_path);
    }
    json_invariants(r, &j, &r->places, true);
    json_invariants(r, &j, &r->transitions, false);
    json_summary(r, &j);
}
