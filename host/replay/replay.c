#include "replay/replay.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "replay/private.h"

#define PATIENCE 3             /* heartbeats that are waited for with telling while something is open */
#define WINDOW 8               /* ... for what is open to be found out, and was told as unknown */
#define WINDOW_HELD 64         /* ... for what happened to be told apart from what else agrees */
#define TOKENS_MAX (1u << 25)  /* between two heartbeats */
#define STRETCH_MAX (1u << 26) /* instructions between two heartbeats: more cannot be */

static void end_replay(es_replay *r, bool failed, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void end_replay(es_replay *r, bool failed, const char *format, ...)
{
    va_list args;
    if (r->ended)
        return;
    va_start(args, format);
    vsnprintf(r->why, sizeof r->why, format, args);
    va_end(args);
    r->ended = true;
    r->failed = failed;
}

es_replay *es_replay_new(const es_replay_program *program, const es_replay_listener *listener, es_error *err)
{
    es_replay *r = es_malloc(sizeof *r);
    memset(r, 0, sizeof *r);
    r->program = *program;
    if (listener)
        r->listener = *listener;
    r->run.choose = es_replay_choose;
    r->run.asks = es_replay_asks;
    r->run.context = r;
    if (!es_execution_begin(&r->run, &r->program, err)) {
        free(r);
        return NULL;
    }
    r->base = es_machine_save(r->run.machine);
    r->base_place.state = r->run.state;
    r->base_place.clear = true;
    return r;
}

void es_replay_free(es_replay *replay)
{
    if (!replay)
        return;
    es_replay_drop_decisions(replay, 0);
    es_machine_snapshot_free(replay->base);
    es_machine_snapshot_free(replay->asked);
    es_execution_free(&replay->run);
    free(replay->tokens);
    free(replay->heartbeats);
    free(replay->anchors);
    free(replay->decisions);
    free(replay);
}

/* --- confirmed ------------------------------------------------------------------------------- */

static void poked(void *context, uint32_t address, uint32_t word, uint8_t lanes)
{
    es_replay *r = context;
    if (r->listener.poked)
        r->listener.poked(r->listener.context, address, word, lanes);
}

static void restarted(void *context)
{
    es_replay *r = context;
    if (r->listener.restarted)
        r->listener.restarted(r->listener.context);
}

/* Executes once more what is confirmed and was not told, for who listens: `end` is where the machine is. */
static void tell(es_replay *r, uint64_t end)
{
    if (r->listener.confirmed)
        r->listener.confirmed(r->listener.context, r->told, end);
    if (r->listener.machine && end > r->told) {
        es_replay_back_to_base(r);
        if (r->told > r->base_fetches) { /* up to where it was told, and with what was known of it then */
            r->run.count = r->told_tokens;
            es_execution_to(&r->run, r->told, false);
        }
        r->run.poked = r->listener.poked ? poked : NULL;
        r->run.restarted = r->listener.restarted ? restarted : NULL;
        es_machine_listen(r->run.machine, r->listener.machine);
        es_execution_extend(&r->run, r->tokens, r->heartbeats[r->heartbeat_count - 1].tokens);
        es_execution_to(&r->run, end, false);
        es_machine_listen(r->run.machine, NULL);
        r->run.poked = NULL;
        r->run.restarted = NULL;
        r->passed = r->heartbeat_count;
    }
    r->told = end;
    r->told_tokens = r->heartbeats[r->heartbeat_count - 1].tokens;
}

static bool something_is_open(const es_replay *r)
{
    for (size_t i = 0; i < r->decision_count; i++)
        if (r->decisions[i].choice.unknown && r->decisions[i].alternatives.count > 1)
            return true;
    return false;
}

/* --- tokens ---------------------------------------------------------------------------------- */

/* A number of the stream, of which the lower 32 bits are told: the first that is not below `from`. */
static uint64_t extend(uint64_t told, uint64_t from)
{
    return from + (uint32_t)((uint32_t)told - (uint32_t)from);
}

static void add_anchor(es_replay *r, uint64_t fetches, uint64_t time, bool exact)
{
    if (r->anchor_count == r->anchor_room) {
        r->anchor_room = r->anchor_room ? 2 * r->anchor_room : 64;
        r->anchors = es_realloc(r->anchors, r->anchor_room * sizeof *r->anchors);
    }
    r->anchors[r->anchor_count++] = (es_replay_anchor){.fetches = fetches, .time = time, .exact = exact};
}

void es_replay_resume(es_replay *replay, const es_replay_place *place, const es_machine_snapshot *snapshot)
{
    es_replay *r = replay;
    es_machine_restore(r->run.machine, snapshot);
    es_execution_place(&r->run, &place->state);
    es_machine_snapshot_free(r->base);
    r->base = es_machine_save(r->run.machine);
    r->base_place = *place;
    r->base_fetches = r->told = es_machine_fetches(r->run.machine);
    r->reader.offset = place->offset;
    r->began = place->began;
    r->last_fetches = place->last_fetches;
    r->last_time = place->last_time;
    r->summary.fetches = r->told;
    r->summary.time = place->last_time;
    for (size_t i = 0; i < place->anchor_count; i++)
        add_anchor(r, place->anchors[i].fetches, place->anchors[i].time, place->anchors[i].exact);
}

static void add_token(es_replay *r, const es_stream_token *token)
{
    if (r->token_count == TOKENS_MAX) {
        end_replay(r, true, "the replay ended here: after instruction %" PRIu64 " come %u inputs without a heartbeat",
                   r->told, TOKENS_MAX);
        return;
    }
    if (r->token_count == r->token_room) {
        r->token_room = r->token_room ? 2 * r->token_room : 1024;
        r->tokens = es_realloc(r->tokens, r->token_room * sizeof *r->tokens);
    }
    r->tokens[r->token_count++] = *token;
}

static const char *place_of(const es_replay *r, uint32_t pc, char *text, size_t size)
{
    const char *file;
    unsigned line;
    if (r->program.symbols && es_symbols_line(r->program.symbols, pc, &file, &line))
        snprintf(text, size, "0x%08" PRIx32 ", %s:%u", pc, file, line);
    else
        snprintf(text, size, "0x%08" PRIx32, pc);
    return text;
}

static void confirm(es_replay *r)
{
    if (!r->unheard || r->held)
        return;
    r->unheard = false;
    tell(r, es_machine_fetches(r->run.machine));
    r->summary.fetches = r->told;
    r->summary.time = r->heartbeats[r->heartbeat_count - 1].time;
}

typedef struct unknown_store {
    es_machine *machine;
    uint32_t pc;
    bool found;
} unknown_store;

static void on_insn(void *context, uint32_t pc)
{
    ((unknown_store *)context)->pc = pc;
}

static void on_access(void *context, const es_machine_access *access)
{
    unknown_store *store = context;
    store->found = access->kind == ES_KIND_WRITE && access->unknown;
    if (store->found)
        es_machine_stop_soon(store->machine);
}

/* Where something unknown was stored first since the base. */
static bool find_unknown_store(es_replay *r, const es_heartbeat *beat, uint32_t *pc)
{
    unknown_store store = {.machine = r->run.machine};
    es_machine_listener listener = {.insn = on_insn, .access = on_access, .context = &store};
    bool zeros = r->zeros;
    r->zeros = false;
    es_replay_back_to_base(r);
    r->trial = true;
    es_machine_listen(r->run.machine, &listener);
    es_execution_to(&r->run, beat->fetches, false);
    es_machine_listen(r->run.machine, NULL);
    r->trial = false;
    r->zeros = zeros;
    *pc = store.pc;
    return store.found;
}

/* What was executed since the last good heartbeat is withdrawn: nobody has heard of it. */
static void alarm_at(es_replay *r, const es_heartbeat *beat)
{
    char where[256], why[sizeof r->run.why + 256];
    uint32_t pc;
    memcpy(why, r->run.why, sizeof r->run.why);
    size_t said = strlen(why);
    if (r->stored_unknown && find_unknown_store(r, beat, &pc))
        snprintf(why + said, sizeof why - said, "; it was stored first at %s", place_of(r, pc, where, sizeof where));
    r->heartbeat_count--;
    r->anchor_count--;
    es_replay_back_to_base(r);
    if (r->heartbeat_count && es_replay_search(r) == ES_SEARCH_GOOD) {
        r->held = false;
        confirm(r);
        es_replay_settle(r);
    }
    end_replay(r, true,
               "the replay ended here: %s. That is between instruction %" PRIu64 " (%s) and %" PRIu64
               ", up to clock %" PRIu64 "; all before it is confirmed",
               why, r->told, place_of(r, es_machine_pc(r->run.machine), where, sizeof where), beat->fetches,
               beat->time);
}

static void heartbeat(es_replay *r, const es_stream_token *token)
{
    es_heartbeat beat = {.fetches = token->fetches,
                         .time = token->time,
                         .sum = token->sum,
                         .sums = token->sums,
                         .tokens = r->token_count,
                         .offset = r->reader.offset,
                         .whole = !r->reader.have};
    uint64_t clocks = beat.time - r->last_time;
    if (beat.fetches - r->last_fetches > STRETCH_MAX || beat.fetches - r->last_fetches > clocks + 1) {
        end_replay(r, true,
                   "the replay ended here: after instruction %" PRIu64 " comes a heartbeat of %" PRIu64
                   " instructions in %" PRIu64 " clocks, which cannot be",
                   r->told, beat.fetches - r->last_fetches, clocks);
        return;
    }
    r->last_fetches = beat.fetches;
    r->last_time = beat.time;
    if (r->heartbeat_count == r->heartbeat_room) {
        r->heartbeat_room = r->heartbeat_room ? 2 * r->heartbeat_room : 16;
        r->heartbeats = es_realloc(r->heartbeats, r->heartbeat_room * sizeof *r->heartbeats);
    }
    r->heartbeats[r->heartbeat_count++] = beat;
    add_anchor(r, beat.fetches, beat.time, false);
    r->heartbeats[r->heartbeat_count - 1].anchors = r->anchor_count;
    enum es_search found = es_replay_search(r);
    if (found == ES_SEARCH_HELD && r->heartbeat_count >= WINDOW_HELD) {
        es_execution_wrong(&r->run,
                           "what happened can have been in several ways, which the heartbeats do not tell apart");
        found = ES_SEARCH_BAD;
    }
    if (found == ES_SEARCH_BAD) {
        alarm_at(r, &beat);
        return;
    }
    r->held = found == ES_SEARCH_HELD;
    r->summary.heartbeats++;
    r->unheard = true;
    if (r->held || (something_is_open(r) && r->heartbeat_count < PATIENCE))
        return;
    confirm(r);
    if (!something_is_open(r))
        es_replay_settle(r);
    else if (r->heartbeat_count >= WINDOW)
        es_replay_settle_most(r, PATIENCE);
}

static const char *const ends[] = {
    [ES_END_FULL] = "the recorder's buffer was full: the link is too slow for the target's inputs",
    [ES_END_LOST] = "transactions were lost before the recorder: its FIFO was full",
    [ES_END_ASKED] = "the recorder was stopped",
};

static void take(es_replay *r, es_stream_token *token)
{
    uint64_t from = r->last_fetches ? r->last_fetches - 1 : 0;
    token->fetches = extend(token->fetches, from);
    if (token->kind != ES_TOKEN_BEGIN)
        token->time = extend(token->time, r->last_time);
    r->summary.tokens++;
    if (!r->began && token->kind != ES_TOKEN_BEGIN) {
        end_replay(r, true, "the input stream does not begin with the recorder's start: it was lost");
        return;
    }
    switch (token->kind) {
    case ES_TOKEN_BEGIN:
        if (r->began)
            end_replay(r, false, "the recorder was started anew");
        r->began = true;
        r->last_time = r->run.state.reset_time = r->base_place.state.reset_time = token->time;
        break;
    case ES_TOKEN_HEARTBEAT: heartbeat(r, token); break;
    case ES_TOKEN_END:
        if (r->heartbeat_count)
            confirm(r);
        end_replay(r, token->detail != ES_END_ASKED, "%s", ends[token->detail]);
        break;
    case ES_TOKEN_VECTOR:
        add_anchor(r, token->fetches, token->time, true);
        add_token(r, token);
        break;
    default: add_token(r, token); break;
    }
}

bool es_replay_push(es_replay *replay, const uint8_t *bytes, size_t size)
{
    const uint8_t *end = bytes + size;
    es_error err;
    while (!replay->ended) {
        es_stream_token token;
        int got = es_stream_token_next(&replay->reader, &bytes, end, &token, &err);
        if (got < 0)
            end_replay(replay, true, "the replay ended here: after instruction %" PRIu64 ", %s", replay->told,
                       err.text);
        if (got <= 0)
            break;
        take(replay, &token);
    }
    replay->summary.bytes = replay->reader.offset;
    return !replay->ended;
}

void es_replay_lost(es_replay *replay, const char *why)
{
    end_replay(replay, true, "%s", why);
}

void es_replay_finish(es_replay *replay)
{
    if (replay->heartbeat_count && replay->passed == replay->heartbeat_count && !replay->held) {
        confirm(replay);
        es_replay_settle(replay);
    }
    end_replay(replay, false, "the input stream ends there");
}

const char *es_replay_ended(const es_replay *replay)
{
    return replay->ended ? replay->why : NULL;
}

bool es_replay_failed(const es_replay *replay)
{
    return replay->failed;
}

es_replay_summary es_replay_get_summary(const es_replay *replay)
{
    return replay->summary;
}

es_machine *es_replay_machine(es_replay *replay)
{
    return replay->run.machine;
}
