#include "virtual/board.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream/event.h"
#include "symbols/symbols.h"

#define STEP_CLOCKS 2000 /* bus clocks; short, so that USB transfers are served between */

struct es_board {
    es_board_config config;
    es_sim *sim;
    es_symbols *symbols;
    es_decoder *listener;  /* hears what the probe sends, to know when a monitor runs */
    es_deframer commands;  /* hears what it is sent, to know when one is about to be loaded */
    bool held;             /* for a monitor that is being loaded */
    bool told;             /* the target's end */
    bool ended;            /* and reported it */
    pthread_mutex_t mutex; /* of what other threads see */
    bool reset_asked;
    es_board_state state;
};

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

static void on_event(void *context, const es_event *event)
{
    es_board *board = context;
    if (event->kind != ES_EVENT_HELLO)
        return;
    pthread_mutex_lock(&board->mutex);
    board->state.monitors++;
    pthread_mutex_unlock(&board->mutex);
    if (board->held)
        start(board);
}

/* A loader begins by stopping the soft core. */
static void on_command(es_board *board, const uint32_t *words, size_t count)
{
    if (count == 3 && (words[0] & 0xFF) == ES_OP_WRITE && words[1] == ES_REG_BASE + ES_REG_CPU_CTRL && words[2] == 0 &&
        is_wanted(board))
        hold(board);
}

/* --- as a port, in the device's thread ------------------------------------------------------------------ */

static size_t board_read(void *context, uint8_t *bytes, size_t size)
{
    es_board *board = context;
    size_t count = es_sim_read(board->sim, bytes, size);
    es_decoder_push(board->listener, bytes, count);
    return count;
}

static size_t board_write(void *context, const uint8_t *bytes, size_t size)
{
    es_board *board = context;
    size_t taken = es_sim_write(board->sim, bytes, size);
    uint32_t words[ES_FRAME_MAX_WORDS];
    for (size_t done = 0; done < taken;) {
        size_t count;
        done += es_deframer_push(&board->commands, bytes + done, taken - done, words, &count);
        if (count)
            on_command(board, words, count);
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
    enum es_sim_state state = es_sim_step(board->sim, STEP_CLOCKS, flows ? 512 : 0);
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
    pthread_mutex_destroy(&board->mutex);
    free(board);
}
