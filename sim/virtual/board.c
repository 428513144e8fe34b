#include "virtual/board.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "stream/event.h"
#include "symbols/symbols.h"
#include "virtual/disguise.h"

#define STEP_CLOCKS 250 /* bus clocks, about a millisecond: so long a command waits for its answer */

struct es_board {
    es_board_config config;
    es_sim *sim;
    es_symbols *symbols;
    es_decoder *listener; /* hears what the probe sends, to know when a monitor runs */
    es_deframer commands; /* hears what it is sent, to know when one is about to be loaded */
    es_disguise disguise;
    bool held;             /* for a monitor that is being loaded, or a recorder that is being started */
    bool asks_recorder;    /* the last command was to tell whether the recorder records */
    bool told;             /* the target's end */
    bool ended;            /* and reported it */
    bool paced;            /* its clock has run in the computer's time since: */
    uint64_t paced_time;   /* this time of the probe's, ... */
    int64_t paced_ns;      /* ... which was then, by the computer's steady clock */
    pthread_mutex_t mutex; /* of what other threads see */
    bool reset_asked;
    es_board_state state;
};

/* --- the probe's clock, where it has a pace ------------------------------------------------------------- */

static int64_t steady_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* When the probe's time is this, if its clock is a perfect one. */
static int64_t when(const es_board *board, uint64_t time)
{
    return board->paced_ns + (int64_t)((double)(time - board->paced_time) * 1e9 / board->config.pace_hz);
}

static void begin_pace(es_board *board)
{
    board->paced = board->config.pace_hz != 0;
    board->paced_time = es_sim_time(board->sim);
    board->paced_ns = steady_ns();
}

/* Clocks that are over by now and not simulated yet. */
static uint64_t clocks_due(const es_board *board)
{
    double clocks = (double)(steady_ns() - board->paced_ns) * 1e-9 * board->config.pace_hz;
    uint64_t until = board->paced_time + (uint64_t)clocks, now = es_sim_time(board->sim);
    return until > now ? until - now : 0;
}

/* What the host asks, it asks a probe whose time is now: never ahead of its clock, and no clock late. */
static void catch_up(es_board *board)
{
    uint64_t before = es_sim_time(board->sim);
    for (uint64_t due; board->paced && (due = clocks_due(board)) != 0; before = es_sim_time(board->sim)) {
        es_sim_step(board->sim, due, 0);
        if (es_sim_time(board->sim) == before)
            return; /* it stands still */
    }
}

/* hit SERIAL, its time, when that was, when it left the probe, the first value */
static void log_hit(const es_board *board, const es_event *event)
{
    fprintf(board->config.log, "hit %s %" PRIu64 " %" PRId64 " %" PRId64 " %" PRIu32 "\n", board->config.name,
            event->time, board->paced && event->time >= board->paced_time ? when(board, event->time) : 0, steady_ns(),
            event->word_count ? event->words[0] : 0);
    fflush(board->config.log);
}

/* --- the target --------------------------------------------------------------------------------------- */

static bool load(es_board *board, es_error *err)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(board->symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(board->sim, segments[i].address, segments[i].bytes, segments[i].size))
            return es_fail(err, ES_USAGE, "%s does not fit into the simulated target's memory", board->config.program);
    return true;
}

static void start(es_board *board)
{
    es_sim_start_target(board->sim);
    board->told = board->ended = board->held = false;
    pthread_mutex_lock(&board->mutex);
    board->state.started = true;
    board->state.resets++;
    pthread_mutex_unlock(&board->mutex);
}

/* Whether the button is pressed for the monitor that comes. */
static bool is_wanted(const es_board *board)
{
    return board->config.start == ES_BOARD_EACH || (board->config.start == ES_BOARD_ONCE && !board->state.resets);
}

/* The button is held: what the probe is then given of the target's memory stays true until the target starts. */
static void hold(es_board *board)
{
    if (board->held)
        return;
    board->held = true;
    if (board->state.started)
        es_sim_hold_target(board->sim);
    load(board, NULL);
}

static void recorder_is_ready(es_board *board)
{
    if (!board->held)
        return;
    start(board);
    if (!board->paced)
        begin_pace(board);
}

static void on_event(void *context, const es_event *event)
{
    es_board *board = context;
    if (event->kind == ES_EVENT_HIT && board->config.log)
        log_hit(board, event);
    if (event->kind == ES_EVENT_RESPONSE && board->asks_recorder && event->word_count == 2 &&
        event->words[0] == ES_RESP_OK && event->words[1] & 1)
        recorder_is_ready(board);
    if (event->kind != ES_EVENT_HELLO)
        return;
    pthread_mutex_lock(&board->mutex);
    board->state.monitors++;
    pthread_mutex_unlock(&board->mutex);
    if (board->held)
        start(board);
    if (!board->paced)
        begin_pace(board);
}

/* A loader begins by stopping the soft core. A recorder is started, and asked until it records. */
static void on_command(es_board *board, const uint32_t *words, size_t count)
{
    const uint32_t recorder = ES_REG_BASE + ES_REG_REC_CTRL;
    board->asks_recorder = count == 3 && (words[0] & 0xFF) == ES_OP_READ && words[1] == recorder && words[2] == 1;
    if (count == 3 && (words[0] & 0xFF) == ES_OP_WRITE && words[1] == recorder && words[2] & ES_REC_START &&
        is_wanted(board))
        hold(board);
    if (count == 3 && (words[0] & 0xFF) == ES_OP_WRITE && words[1] == ES_REG_BASE + ES_REG_CPU_CTRL && words[2] == 0 &&
        is_wanted(board))
        hold(board);
}

/* --- as a port, in the device's thread ------------------------------------------------------------------ */

static size_t board_read(void *context, uint8_t *bytes, size_t size)
{
    es_board *board = context;
    size_t count = es_sim_read(board->sim, bytes, size);
    if (es_disguise_worn(&board->disguise)) {
        es_disguise_push(&board->disguise, bytes, count);
        count = es_disguise_take(&board->disguise, bytes, size);
    }
    es_decoder_push(board->listener, bytes, count);
    return count;
}

static size_t board_write(void *context, const uint8_t *bytes, size_t size)
{
    es_board *board = context;
    catch_up(board);
    size_t taken = es_sim_write(board->sim, bytes, size);
    uint32_t words[ES_FRAME_MAX_WORDS];
    for (size_t done = 0; done < taken;) {
        size_t count;
        done += es_deframer_push(&board->commands, bytes + done, taken - done, words, &count);
        if (count) {
            es_disguise_command(&board->disguise, words, count);
            on_command(board, words, count);
        }
    }
    return taken;
}

/* Says once how the target ended. */
static void tell_end(es_board *board, enum es_sim_state state)
{
    if (board->told)
        return;
    board->told = true;
    const char *name = board->config.name;
    unsigned long long cycles = es_sim_cycles(board->sim);
    if (state == ES_SIM_EXITED)
        fprintf(stderr, "virtual-probe: %s: the target exited with %d after %llu clocks\n", name,
                es_sim_exit_code(board->sim), cycles);
    else if (state == ES_SIM_TRAPPED)
        fprintf(stderr, "virtual-probe: %s: the target stopped after %llu clocks: %s\n", name, cycles,
                es_sim_trap_text(board->sim));
    else if (state == ES_SIM_HALTED)
        fprintf(stderr, "virtual-probe: %s: the probe halted the target after %llu clocks\n", name, cycles);
}

static void take_requests(es_board *board)
{
    pthread_mutex_lock(&board->mutex);
    bool reset = board->reset_asked;
    board->reset_asked = false;
    pthread_mutex_unlock(&board->mutex);
    if (!reset)
        return;
    if (board->state.started)
        es_sim_hold_target(board->sim);
    start(board);
}

static bool board_step(void *context, bool flows)
{
    es_board *board = context;
    take_requests(board);
    uint64_t before = es_sim_cycles(board->sim);
    if (!flows && before == 0 && !board->state.started)
        return false;
    uint64_t clocks = board->paced ? clocks_due(board) : STEP_CLOCKS;
    if (!clocks)
        return false;
    enum es_sim_state state = es_sim_step(board->sim, clocks < STEP_CLOCKS ? clocks : STEP_CLOCKS, flows ? 512 : 0);
    bool ran = state == ES_SIM_RUNNING && es_sim_cycles(board->sim) != before;
    pthread_mutex_lock(&board->mutex);
    board->state.target = state;
    board->state.cycles = es_sim_cycles(board->sim);
    pthread_mutex_unlock(&board->mutex);
    if (state != ES_SIM_RUNNING)
        tell_end(board, state);
    if (ran || (flows && !es_sim_idle(board->sim)))
        return true;
    if (flows && state != ES_SIM_RUNNING && !board->ended) {
        board->ended = true;
        if (board->config.on_end)
            board->config.on_end(board->config.context);
    }
    return false;
}

static void board_plugged(void *context, bool plugged)
{
    es_board *board = context;
    uint8_t bytes[4096];
    while (es_sim_read(board->sim, bytes, sizeof bytes)) {
    } /* what waited in the chip, which has no other power */
    es_deframer_init(&board->commands);
    if (!plugged || board->config.own_power)
        return;
    es_sim_reset_probe(board->sim);
    board->paced = false;
    pthread_mutex_lock(&board->mutex);
    board->state.power_ups++;
    pthread_mutex_unlock(&board->mutex);
}

const es_vusb_port es_board_port = {
    .read = board_read, .write = board_write, .step = board_step, .plugged = board_plugged};

/* --- from other threads ----------------------------------------------------------------------------------- */

void es_board_press_reset(es_board *board)
{
    pthread_mutex_lock(&board->mutex);
    board->reset_asked = true;
    pthread_mutex_unlock(&board->mutex);
}

es_board_state es_board_look(es_board *board)
{
    pthread_mutex_lock(&board->mutex);
    es_board_state state = board->state;
    pthread_mutex_unlock(&board->mutex);
    return state;
}

es_board *es_board_new(const es_board_config *config, es_error *err)
{
    es_sim_config world = {.world = ES_SIM_FT245, .ratio = config->ratio, .seed = config->seed};
    es_board *board = calloc(1, sizeof *board);
    if (!board) {
        es_fail(err, ES_PROBE, "out of memory");
        return NULL;
    }
    board->config = *config;
    pthread_mutex_init(&board->mutex, NULL);
    es_deframer_init(&board->commands);
    es_deframer_init(&board->disguise.frames);
    board->disguise.id = config->gateware;
    board->disguise.no_clock = config->no_clock;
    board->listener = es_decoder_new(on_event, board);
    board->symbols = es_symbols_open(config->program, err);
    if (board->symbols)
        board->sim = es_sim_new(&world, err);
    if (!board->sim || !load(board, err)) {
        es_board_free(board);
        return NULL;
    }
    if (config->start == ES_BOARD_NOW)
        start(board);
    return board;
}

void es_board_free(es_board *board)
{
    if (!board)
        return;
    if (board->sim)
        es_sim_free(board->sim);
    es_symbols_close(board->symbols);
    es_decoder_free(board->listener);
    es_text_free(&board->disguise.out);
    pthread_mutex_destroy(&board->mutex);
    free(board);
}
