/* over-usb PROGRAM.elf ARGUMENTS: `earshot watch PROGRAM.elf --probe ftdi ARGUMENTS` with a virtual FT2232H plugged in,
 * which leads to the FT245 pins of the simulated probe. Unmodified libftdi1 and libusb do the transfers. To be run under
 * umockdev-wrapper. Linked with -Wl,--wrap=main, so that earshot's own main can be called from here.
 *
 * The program is in the target's memory from the start and runs once the monitor has said hello, as on a board that is
 * reset then. A board does not tell the host that its program has ended, so once it has and the probe has nothing left
 * to do, SIGINT ends the run, as a person's Ctrl-C would; what the target's end was is told on stderr.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "sim.h"
#include "stream/event.h"
#include "symbols/symbols.h"
#include "vusb/vusb.h"

#define RATIO 16 /* probe clocks per bus clock */
#define STEP_CLOCKS 2000
#define ARGUMENTS_MAX 64

int __wrap_main(int argc, char **argv);
int __real_main(int argc, char **argv);

struct board {
    es_sim *sim;
    es_decoder *listener; /* hears what the probe sends, to know when the monitor runs */
    bool told;            /* the target's end */
};

static void on_event(void *context, const es_event *event)
{
    struct board *board = context;

    if (event->kind == ES_EVENT_HELLO)
        es_sim_start_target(board->sim);
}

static size_t board_read(void *context, uint8_t *bytes, size_t size)
{
    struct board *board = context;
    size_t count = es_sim_read(board->sim, bytes, size);

    es_decoder_push(board->listener, bytes, count);
    return count;
}

static size_t board_write(void *context, const uint8_t *bytes, size_t size)
{
    return es_sim_write(((struct board *)context)->sim, bytes, size);
}

static bool board_step(void *context)
{
    struct board *board = context;
    uint64_t before = es_sim_cycles(board->sim);

    enum es_sim_state state = es_sim_step(board->sim, STEP_CLOCKS, 512);

    if (state == ES_SIM_RUNNING && es_sim_cycles(board->sim) != before)
        return true;
    if (!es_sim_idle(board->sim))
        return true;
    if (state == ES_SIM_EXITED && !board->told) {
        board->told = true;
        fprintf(stderr, "over-usb: the target exited with %d after %llu clocks\n", es_sim_exit_code(board->sim),
                (unsigned long long)es_sim_cycles(board->sim));
        kill(getpid(), SIGINT);
    }
    return false;
}

static bool load(es_sim *sim, const char *path, es_error *err)
{
    es_symbols *symbols = es_symbols_open(path, err);
    const es_segment *segments;
    size_t count = symbols ? es_symbols_segments(symbols, &segments) : 0;
    bool good = symbols != NULL;

    for (size_t i = 0; i < count && good; i++)
        good = es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size) ||
               es_fail(err, ES_USAGE, "%s does not fit into the target", path);
    es_symbols_close(symbols);
    return good;
}

int __wrap_main(int argc, char **argv)
{
    static const es_vusb_port port = {.read = board_read, .write = board_write, .step = board_step};
    es_sim_config config = {.world = ES_SIM_FT245, .ratio = RATIO, .seed = 1};
    char *arguments[ARGUMENTS_MAX + 1] = {"earshot", "watch", argv[1], "--probe", "ftdi"};
    int count = 5, code = 2;
    struct board board = {0};
    es_error err = {0};
    es_vusb *vusb = NULL;

    if (argc < 2) {
        fprintf(stderr, "usage: over-usb PROGRAM.elf ARGUMENTS\n");
        return 2;
    }
    for (int i = 2; i < argc && count < ARGUMENTS_MAX; i++)
        arguments[count++] = argv[i];
    board.sim = es_sim_new(&config, &err);
    board.listener = es_decoder_new(on_event, &board);
    if (board.sim && load(board.sim, argv[1], &err))
        vusb = es_vusb_start_port(&port, &board, "SIM1", &err);
    if (vusb)
        code = __real_main(count, arguments);
    else
        fprintf(stderr, "over-usb: %s\n", err.text);
    es_vusb_stop(vusb);
    es_decoder_free(board.listener);
    if (board.sim)
        es_sim_free(board.sim);
    return code;
}
