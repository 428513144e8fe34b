/* A recording that is executed in parts, as the target that the probe in software hears: from one heartbeat to the
 * next. */
#include <string.h>

#include "probe_defs.h"
#include "replay/recording.h"
#include "replayed/private.h"

/* As on_insn of a replay. */
static void fetch(es_replayed *r, uint32_t pc)
{
    const es_bus_part *part = r->part;
    while (r->pace_at + 1 < part->pace_count && r->fetch >= part->paces[r->pace_at].end)
        r->pace_at++;
    r->pc = pc;
    uint64_t time = es_replay_pace_time(&part->paces[r->pace_at], r->fetch++);
    r->time = time > r->time ? time : r->time;
    if (r->time < r->quiet) /* the instruction in which a heartbeat came is told after it */
        r->time = r->quiet;
}

static void confirm(es_replayed *r)
{
    r->clock = r->part->beats[r->beat_at++].time;
}

/* A part with something to tell. False: there is none, or it cannot be executed. */
static bool find_part(es_replayed *r)
{
    while (!r->part || r->access_at == r->part->count) {
        r->part = es_bus_parts_next(r->parts);
        r->access_at = r->cell_at = r->pace_at = r->beat_at = 0;
        if (!r->part || r->part->failed)
            return false;
    }
    return true;
}

static void take_cell(es_replayed *r, const es_machine_access *access)
{
    switch (access->kind) {
    case ES_BUS_NEXT: r->pc = access->address; break;
    case ES_BUS_ASSIGNED: es_replayed_assigned(r, access); break;
    default: es_replayed_moved(r, access); break;
    }
}

/* What cells are told before the next access. False: a heartbeat comes before that. */
static bool take_cells(es_replayed *r, uint64_t beat)
{
    const es_bus_part *part = r->part;
    for (; r->cell_at < part->cell_count && part->cells[r->cell_at].before == r->access_at; r->cell_at++) {
        const es_machine_access *access = &part->cells[r->cell_at].access;
        if (access->kind == ES_BUS_NEXT && r->fetch >= beat)
            return false;
        take_cell(r, access);
    }
    return true;
}

/* ... up to an access. False: a heartbeat comes before that. */
static bool take_accesses(es_replayed *r, size_t until, uint64_t beat)
{
    for (; r->access_at < until; r->access_at++) {
        const es_machine_access *access = &r->part->accesses[r->access_at];
        if (access->kind == ES_KIND_FETCH) {
            if (r->fetch >= beat)
                return false;
            fetch(r, access->address);
        }
        es_replayed_access(r, access);
    }
    return true;
}

/* Up to the next heartbeat. */
static bool take_stretch(es_replayed *r)
{
    if (r->part && r->access_at == r->part->count && r->beat_at < r->part->beat_count) {
        confirm(r);
        return true;
    }
    if (!find_part(r))
        return false;
    const es_bus_part *part = r->part;
    uint64_t beat = r->beat_at < part->beat_count ? part->beats[r->beat_at].fetches : UINT64_MAX;
    bool more = true;
    while (more && take_cells(r, beat) && r->access_at < part->count) {
        bool last = r->cell_at == part->cell_count;
        more = take_accesses(r, last ? part->count : part->cells[r->cell_at].before, beat);
    }
    if (r->access_at < part->count)
        confirm(r);
    return true;
}

static bool has_failed(const es_replayed *r, es_replay_summary *summary)
{
    bool failed;
    const es_timeline *timeline = es_bus_parts_timeline(r->parts);
    es_timeline_summary(timeline, summary, &failed);
    return failed || (r->part && r->part->failed) || !es_timeline_is_whole(timeline);
}

static enum es_target_state end(es_replayed *r)
{
    es_replay_summary summary;
    bool failed = has_failed(r, &summary);
    r->all = !r->part;
    if (r->all)
        r->clock = summary.time;
    if (failed)
        es_softprobe_lost(r->target.probe, 1, r->time, r->time);
    if (r->exited)
        return ES_TARGET_EXITED;
    if (failed)
        return ES_TARGET_LOST;
    return strcmp(es_timeline_ended(es_bus_parts_timeline(r->parts)), ES_RECORDING_TRAPPED) == 0 ? ES_TARGET_TRAPPED
                                                                                                 : ES_TARGET_OVER;
}

/* In the middle: once, before anything else is heard. */
static void begin_there(es_replayed *r)
{
    es_replayed_begin_tell(r->begin, r->past, r->program.symbols, &r->program, r->target.probe);
    es_timeline_close(r->past);
    r->past = NULL;
    r->begin = NULL;
}

enum es_target_state es_replayed_advance_parts(es_replayed *r, uint64_t until)
{
    if (r->begin)
        begin_there(r);
    if (r->state == ES_TARGET_RUNNING && r->clock < until && !take_stretch(r))
        r->state = end(r);
    return r->state;
}

const char *es_replayed_parts_text(es_replayed *r)
{
    es_replay_summary summary;
    const char *ended = es_timeline_ended(es_bus_parts_timeline(r->parts));
    if (r->part && r->part->failed)
        return r->part->error.text;
    if (has_failed(r, &summary))
        return ended;
    if (strcmp(ended, ES_RECORDING_TRAPPED) == 0)
        return "an exception without a handler, or an access to nothing";
    es_text_clear(&r->text);
    es_text_format(&r->text, "the recording ends (%s)", ended);
    return r->text.text;
}

bool es_replayed_parts_summary(const es_replayed *r, es_replay_summary *summary)
{
    bool failed;
    return es_timeline_summary(es_bus_parts_timeline(r->parts), summary, &failed) && r->all && !r->first;
}
