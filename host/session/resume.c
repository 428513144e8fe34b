/* A probe that was unplugged and comes back: monitoring goes on, and what was lost is told. */
#include <image.h>
#include <stdlib.h>
#include <string.h>

#include "session/private.h"

#define REOPEN_MS 200
#define SILENT_TRIES 3 /* its bitstream comes from flash: that takes a second or two */
#define HEADER_WORDS 4u

_Static_assert(sizeof(uint32_t[HEADER_WORDS]) <= sizeof(struct es_mi_header), "they are the image's first words");

static bool over(const session *s, double end)
{
    return s->options->stop(s->options->context) || es_session_wall_seconds() >= end;
}

/* False: the run is to end before it is back. */
static bool wait_for_probe(session *s, double end)
{
    bool refused = false;
    while (!over(s, end)) {
        es_error why = {0};
        enum es_reopened reopened = es_transport_reopen(s->probe.transport, REOPEN_MS, &why);
        if (reopened == ES_REOPEN_DONE)
            return true;
        if (reopened == ES_REOPEN_REFUSED && !refused)
            es_session_warn(s, "the probe is back, but cannot be opened yet: %s", why.text);
        refused |= reopened == ES_REOPEN_REFUSED;
    }
    return false;
}

/* Whether the monitor that runs on it is this session's: another program may have used it meanwhile. */
static bool is_own_monitor(session *s, bool *own, es_error *err)
{
    uint32_t words[HEADER_WORDS];
    if (!es_probe_monitor_runs(s->link, own, err))
        return false;
    if (!*own)
        return true;
    if (!es_link_read(s->link, ES_IMAGE_BASE, words, HEADER_WORDS, err))
        return false;
    *own = memcmp(words, s->groups.groups[0].image.bytes, sizeof words) == 0;
    return true;
}

/* At least what unplugging itself has cost. */
void es_session_tell_link_loss(session *s, uint64_t last)
{
    es_lost lost = {s->latest, last, 1, ES_LOST_LINK};
    s->summary.lost_link++;
    if (s->latest < s->first_link_gap)
        s->first_link_gap = s->latest;
    es_session_give(s, (es_record){.kind = ES_RECORD_LOST, .lost = &lost});
}

/* The probe has forgotten all: its time begins at 0 again, and its figures count from here on. */
static void begin_anew(session *s)
{
    es_session_note_latest(s);
    double since = es_session_wall_seconds() - s->latest_wall;
    uint64_t now = s->latest + (uint64_t)(since > 0 ? since * (double)s->options->clock_hz : 0);
    memcpy(s->earlier, s->summary.statement_hits, s->program.statement_count * sizeof *s->earlier);
    es_link_finish(s->link);
    es_session_tell_link_loss(s, now);
    s->time_base = now;
    es_words_set_base(s->words, now);
    es_session_clock_restart(s);
    s->hello = s->listening = s->started = false;
}

static bool load_again(session *s, es_error *err)
{
    size_t phantom_bytes;
    es_probe_info info;
    if (!es_probe_info_read(s->link, &info, err))
        return false;
    if (memcmp(&info, &s->info, sizeof info) != 0)
        return es_fail(err, ES_PROBE,
                       "the probe that is back is not the one that was unplugged: it is built otherwise");
    /* Which task runs is not known of a program that was not seen to start. */
    enum es_probe_start_mode mode = s->program.task && !s->blind ? ES_PROBE_START_AT_RESET : ES_PROBE_START_RUNNING;
    es_session_warn(s,
                    "the probe is back. It was without power: the monitor is loaded again. What happened meanwhile is "
                    "lost, counters begin at 0, and times go on by this computer's clock%s",
                    mode == ES_PROBE_START_AT_RESET ? "; the target has to be reset, as its tasks are not known" : "");
    es_image_groups_free(&s->groups);
    s->built = false;
    s->resumed = mode == ES_PROBE_START_RUNNING;
    begin_anew(s);
    if (!es_session_build_image(s, &info, err) ||
        !es_probe_load(s->link, &info, &s->groups.groups[0].image, s->symbols, true, &phantom_bytes, err) ||
        !es_probe_set_start(s->link, mode, err))
        return false;
    s->waiting = mode == ES_PROBE_START_AT_RESET;
    return es_session_start(s, err);
}

static bool take_up(session *s, es_error *err)
{
    bool own;
    es_link_reconnected(s->link);
    if (!is_own_monitor(s, &own, err))
        return false;
    if (!own) {
        s->monitoring = false; /* without an answer nothing can be done: it is waited for longer */
        bool good = load_again(s, err);
        s->monitoring = true;
        return good;
    }
    es_session_note(s, "the probe is back. It has had power and gone on: what it could not send is counted");
    return true;
}

void es_session_ends_without(session *s)
{
    if (s->gone_told)
        return;
    es_session_warn(s, "the probe was unplugged while the run ended: its closing figures are missing");
    es_session_tell_link_loss(s, ES_NO_TIME);
}

bool es_session_resume(session *s, double end, es_error *err)
{
    unsigned silent = 0;
    es_session_warn(s, "the probe was unplugged: monitoring goes on when it is back; ^C ends it");
    for (;;) {
        if (es_transport_gone(s->probe.transport)) {
            silent = 0;
            if (!wait_for_probe(s, end)) {
                s->gone_told = true;
                es_session_tell_link_loss(s, ES_NO_TIME);
                return true;
            }
        }
        if (take_up(s, err))
            return true;
        if (!es_transport_gone(s->probe.transport) && (!es_link_silent(s->link) || ++silent == SILENT_TRIES))
            return false;
        if (over(s, end))
            return true;
    }
}
