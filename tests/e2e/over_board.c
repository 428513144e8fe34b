/* over-board PROGRAM.elf ARGUMENTS: `earshot watch PROGRAM.elf --probe uart:DEVICE ARGUMENTS` with a pseudo-terminal as the device, at whose other end are
 * the simulated probe with the iCEBreaker's parameters. Linked with -Wl,--wrap=main, so that earshot's own main can be called from here.
 *
 * The target starts once the monitor has said hello, as on a board that is reset then, and SIGINT ends the run when the target has ended, as a
 * person's Ctrl-C would. With OVER_BOARD_AHEAD=CLOCKS it has run so long before earshot is there, and goes on. With OVER_BOARD_SRAM=CLOCKS the board's own tap listens, on a bus of
 * 8 bits that rests for so many of the tap's clocks at most before each word. over-recorder is the same with the recorder in the monitor's place, and the
 * target starts once that records. OVER_BOARD_COMMAND is another command than `watch`.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "probe_defs.h"
#include "sim.h"
#include "stream/event.h"
#include "symbols/symbols.h"

#define STEP_CLOCKS 20000
#define ARGUMENTS_MAX 64

int __wrap_main(int argc, char **argv);
int __real_main(int argc, char **argv);

struct board {
    es_sim *sim;
    es_decoder *listener; /* hears what the probe sends, to know when the monitor runs */
    int line;             /* the pseudo-terminal's other end */
    atomic_bool stop;
};

static void on_event(void *context, const es_event *event)
{
    if (event->kind == ES_EVENT_HELLO && !getenv("OVER_BOARD_AHEAD"))
        es_sim_start_target(((struct board *)context)->sim);
}

static void send_all(struct board *board, const uint8_t *bytes, size_t size)
{
    while (size && !board->stop) {
        struct pollfd poller = {.fd = board->line, .events = POLLOUT};
        ssize_t done = poll(&poller, 1, 100) > 0 ? write(board->line, bytes, size) : 0;

        bytes += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
}

/* The board's own thread: everything in it is only touched here. */
static void *run(void *context)
{
    struct board *board = context;
    bool told = false;

    while (!board->stop) {
        uint8_t bytes[4096];
        uint64_t before = es_sim_cycles(board->sim);
        enum es_sim_state state = es_sim_step(board->sim, STEP_CLOCKS, 64);
        size_t size = es_sim_read(board->sim, bytes, sizeof bytes);
        bool busy =
            size || !es_sim_idle(board->sim) || (state == ES_SIM_RUNNING && es_sim_cycles(board->sim) != before);
        struct pollfd poller = {.fd = board->line, .events = POLLIN};

        if (es_sim_records(board->sim) && !getenv("OVER_BOARD_AHEAD"))
            es_sim_start_target(board->sim);
        es_decoder_push(board->listener, bytes, size);
        send_all(board, bytes, size);
        if (!busy && state == ES_SIM_EXITED && !told) {
            told = true;
            fprintf(stderr, "over-board: the target exited with %d\n", es_sim_exit_code(board->sim));
            kill(getpid(), SIGINT);
        }
        if (poll(&poller, 1, busy ? 0 : 20) > 0) {
            ssize_t got = read(board->line, bytes, sizeof bytes);

            for (size_t done = 0; got > 0 && done < (size_t)got;) {
                done += es_sim_write(board->sim, bytes + done, (size_t)got - done);
                if (done < (size_t)got)
                    es_sim_step(board->sim, STEP_CLOCKS, 0);
            }
        }
    }
    return NULL;
}

static bool load(es_sim *sim, const char *path, es_error *err)
{
    es_symbols *symbols = es_symbols_open(path, err);
    const es_segment *segments;
    size_t count = symbols ? es_symbols_segments(symbols, &segments) : 0;
    bool good = symbols != NULL;

    for (size_t i = 0; i < count && good; i++)
        good = es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size) ||
               es_fail(err, ES_USAGE, "%s does not fit into the board's target", path);
    es_symbols_close(symbols);
    return good;
}

/* Gives the device's path, and the line's other end in *line. */
static bool open_line(int *line, char path[64])
{
    *line = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    return *line >= 0 && grantpt(*line) == 0 && unlockpt(*line) == 0 && ptsname_r(*line, path, 64) == 0;
}

int __wrap_main(int argc, char **argv)
{
    const char *rest = getenv("OVER_BOARD_SRAM"), *command = getenv("OVER_BOARD_COMMAND");
    es_sim_config config = {
        .world = rest ? ES_SIM_SRAM : ES_SIM_BOARD, .seed = 1, .ratio = rest ? (unsigned)strtoul(rest, NULL, 10) : 0};
    char path[64], probe[80], name[32];
    char *arguments[ARGUMENTS_MAX + 1] = {"earshot", name, argv[1], "--probe", probe};
    int count = 5, code = 2, slave = -1;
    struct board board = {0};
    pthread_t thread;
    es_error err = {.text = "the pseudo-terminal cannot be made"};

    if (argc < 2) {
        fprintf(stderr, "usage: over-board PROGRAM.elf ARGUMENTS\n");
        return 2;
    }
    snprintf(name, sizeof name, "%s", command ? command : "watch");
    for (int i = 2; i < argc && count < ARGUMENTS_MAX; i++)
        arguments[count++] = argv[i];
    board.sim = es_sim_new(&config, &err);
    board.listener = es_decoder_new(on_event, &board);
    const char *ahead = getenv("OVER_BOARD_AHEAD");
    if (board.sim && load(board.sim, argv[1], &err) && open_line(&board.line, path)) {
        if (ahead) {
            es_sim_start_target(board.sim);
            es_sim_step(board.sim, strtoull(ahead, NULL, 10), 0);
        }
        slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC); /* keeps the line alive while nobody has the device open */
        snprintf(probe, sizeof probe, "uart:%s@%d", path, ES_UART_BAUD);
        if (slave >= 0 && pthread_create(&thread, NULL, run, &board) == 0) {
            code = __real_main(count, arguments);
            board.stop = true;
            pthread_join(thread, NULL);
        }
    } else {
        fprintf(stderr, "over-board: %s\n", err.text);
    }
    if (slave >= 0)
        close(slave);
    es_decoder_free(board.listener);
    if (board.sim)
        es_sim_free(board.sim);
    return code;
}
