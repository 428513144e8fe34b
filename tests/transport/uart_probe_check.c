/* The simulated probe at the other end of a pseudo-terminal: first es_link alone, then the real `earshot watch --probe
 * uart:`, whose hits have to be those of `--probe sim`. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>

#include "../support/check_main.h"
#include "pty.h"
#include "sim.h"
#include "symbols/symbols.h"
#include "transport/command.h"

#define STEP_CLOCKS 2000
#define WORDS 2000
#define MEMORY 0x8000 /* in the soft core's memory */
#define EARSHOT EARSHOT_BUILD "/earshot"
#define PROGRAM EARSHOT_BUILD "/examples/thermostat-O0.elf"
#define OTHER_PROGRAM EARSHOT_BUILD "/examples/thermostat-Og.elf"
#define STATEMENT "temp > 0 { print temp, mode }" /* 600 hits until the program ends */
#define HITS 500
#define HITS_TEXT "500"
#define OUTPUT_MAX (1u << 18)
#define HELD_MAX (1u << 16)

extern char **environ;

/* Probe and target. Everything in it belongs to the thread while that runs. */
typedef struct board {
    es_sim *sim;
    es_decoder *listener; /* hears what the probe sends: the target starts once the monitor has said hello */
    pty line;
    pthread_t thread;
    atomic_bool stop;
    /* What happens hangs on what the probe has sent, not on time. 0: never */
    size_t unplug_bytes; /* unplugged after so many bytes */
    size_t unplug_hits;  /* ... so many hits */
    size_t damage_hits;  /* a byte of this hit, or of the next one that lies in a piece, is changed */
    size_t still_hits;   /* everything stalls after so many, until the host has told that */
    atomic_bool goes_on; /* ... and then */
    size_t burst;        /* what comes from the monitor's hello on arrives in one piece, with so many hits */
    size_t hits;         /* sent so far */
    bool hello, damaged, holds;
    uint8_t held[HELD_MAX];
    size_t held_size;
} board;

static void on_sent(void *context, const es_event *event)
{
    board *b = context;
    b->hits += event->kind == ES_EVENT_HIT;
    if (event->kind != ES_EVENT_HELLO)
        return;
    b->hello = true;
    b->holds = b->burst;
    es_sim_start_target(b->sim);
}

static void send_all(board *b, const uint8_t *bytes, size_t size)
{
    while (size && !b->stop) {
        struct pollfd poller = {.fd = b->line.master, .events = POLLOUT};
        ssize_t done = poll(&poller, 1, 100) > 0 ? write(b->line.master, bytes, size) : 0;
        bytes += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
}

static void receive_all(board *b, uint8_t *bytes, size_t size)
{
    while (size && !b->stop) {
        size_t done = es_sim_write(b->sim, bytes, size);
        bytes += done;
        size -= done;
        if (size)
            es_sim_step(b->sim, STEP_CLOCKS, 0);
    }
}

/* Listens to what the probe sends, and changes a byte of the hit that is to be damaged. */
static void listen(board *b, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        size_t before = b->hits;
        es_decoder_push(b->listener, &bytes[i], 1);
        if (b->damage_hits && b->hits >= b->damage_hits && b->hits > before && i > 0 && !b->damaged) {
            bytes[i - 1] ^= 0x10;
            b->damaged = true;
        }
    }
}

/* Sends bytes, or keeps them for the burst. */
static void send_or_hold(board *b, const uint8_t *bytes, size_t size)
{
    if (!b->holds) {
        send_all(b, bytes, size);
        return;
    }
    ck_assert_uint_le(b->held_size + size, sizeof b->held);
    memcpy(b->held + b->held_size, bytes, size);
    b->held_size += size;
    if (b->hits >= b->burst) {
        b->holds = false;
        send_all(b, b->held, b->held_size);
    }
}

static void *run_board(void *context)
{
    board *b = context;
    size_t sent = 0;
    while (!b->stop) {
        uint8_t bytes[4096];
        uint64_t before = es_sim_cycles(b->sim);
        enum es_sim_state state = es_sim_step(b->sim, STEP_CLOCKS, 512);
        size_t size = es_sim_read(b->sim, bytes, sizeof bytes);
        listen(b, bytes, size);
        send_or_hold(b, bytes, size);
        sent += size;
        if (b->still_hits && b->hits >= b->still_hits) {
            b->still_hits = 0;
            while (!b->goes_on && !b->stop)
                usleep(10000);
        }
        if ((b->unplug_bytes && sent >= b->unplug_bytes) || (b->unplug_hits && b->hits >= b->unplug_hits)) {
            pty_hang_up(&b->line);
            break;
        }
        bool busy = size || !es_sim_idle(b->sim) || (state == ES_SIM_RUNNING && es_sim_cycles(b->sim) != before);
        struct pollfd poller = {.fd = b->line.master, .events = POLLIN};
        if (poll(&poller, 1, busy ? 0 : 20) <= 0)
            continue;
        ssize_t got = read(b->line.master, bytes, sizeof bytes);
        if (got > 0)
            receive_all(b, bytes, (size_t)got);
    }
    return NULL;
}

static void load(es_sim *sim, const char *path)
{
    es_error err = {0};
    es_symbols *symbols = es_symbols_open(path, &err);
    ck_assert_msg(symbols != NULL, "%s", err.text);
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        ck_assert(es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size));
    es_symbols_close(symbols);
}

static void power_up(board *b, const char *program)
{
    es_error err = {0};
    const es_sim_config config = {.world = ES_SIM_BYTES, .seed = 1};
    b->sim = es_sim_new(&config, &err);
    ck_assert_msg(b->sim != NULL, "%s", err.text);
    if (program)
        load(b->sim, program);
    b->listener = es_decoder_new(on_sent, b);
    b->line = pty_open();
    ck_assert_int_eq(pthread_create(&b->thread, NULL, run_board, b), 0);
}

static void power_down(board *b)
{
    b->stop = true;
    pthread_join(b->thread, NULL);
    pty_close(&b->line);
    es_decoder_free(b->listener);
    es_sim_free(b->sim);
}

static void on_event(void *context, const es_event *event)
{
    (void)event;
    ++*(unsigned *)context; /* the soft core is held in reset: there must be none */
}

START_TEST(test_commands)
{
    board b = {0};
    power_up(&b, NULL);
    es_error err = {0};
    es_transport *uart = es_transport_uart(b.line.path, 0, &err);
    ck_assert_msg(uart != NULL, "%s", err.text);
    unsigned events = 0;
    es_link *link = es_link_new(uart, on_event, &events);
    uint32_t word = 0;
    ck_assert_msg(es_link_read(link, ES_REG_BASE + ES_REG_ID, &word, 1, &err), "%s", err.text);
    ck_assert_uint_eq(word, ES_PROBE_ID);

    static uint32_t out[WORDS], in[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        out[i] = i % 5 ? (i + 1) * 0x9E3779B9u : i % 2 ? 0x0a0d1113 : 0;
    ck_assert_msg(es_link_write(link, MEMORY, out, WORDS, &err), "%s", err.text);
    ck_assert_msg(es_link_read(link, MEMORY, in, WORDS, &err), "%s", err.text);
    ck_assert_mem_eq(in, out, sizeof out);
    ck_assert_msg(es_link_read(link, ES_REG_BASE + ES_REG_RX_BAD, &word, 1, &err), "%s", err.text);
    ck_assert_uint_eq(word, 0);
    uint64_t frames, bad;
    es_link_totals(link, &frames, &bad);
    ck_assert_uint_eq(bad, 0);
    ck_assert_uint_eq(events, 0);
    es_link_free(link);
    es_transport_close(uart);
    power_down(&b);
}
END_TEST

START_TEST(test_unplugged_in_a_command)
{
    board b = {.unplug_bytes = 10000};
    power_up(&b, NULL);
    es_error err = {0};
    es_transport *uart = es_transport_uart(b.line.path, 0, &err);
    ck_assert_msg(uart != NULL, "%s", err.text);
    unsigned events = 0;
    es_link *link = es_link_new(uart, on_event, &events);
    uint32_t words[60];
    for (int i = 0; i < 1000; i++)
        if (!es_link_read(link, MEMORY, words, 60, &err))
            break;
    ck_assert_int_eq(err.code, ES_PROBE);
    ck_assert_msg(strstr(err.text, "unplugged") != NULL, "%s", err.text);
    es_link_free(link);
    es_transport_close(uart);
    power_down(&b);
}
END_TEST

#define STALLED "warning: the probe does not answer: it, or the line to it, has stalled"
#define MISMATCH "warning: the target does not run " PROGRAM ": at 0x"
#define UNPLUGGED "warning: the probe was unplugged"

/* Runs earshot until so many hits, or until it has told that the probe was unplugged or the program is another; its output goes into `text`. The
 * board, if there is one, is told when it has been found to stand still. Returns the exit code. */
static int earshot(board *b, const char *probe, const char *count, char *text)
{
    const char *arguments[] = {EARSHOT, "watch", PROGRAM, "-e", STATEMENT, "--json", "-q",
                               "-p",    probe,   "-n",    count, NULL};
    int out[2];
    ck_assert_int_eq(pipe(out), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, out[0]);
    posix_spawn_file_actions_addclose(&actions, out[1]);
    pid_t child;
    ck_assert_int_eq(posix_spawn(&child, EARSHOT, &actions, NULL, (char **)arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    size_t used = 0;
    ssize_t got;
    bool interrupted = false;
    while (used < OUTPUT_MAX - 1 && (got = read(out[0], text + used, OUTPUT_MAX - 1 - used)) > 0) {
        used += (size_t)got;
        text[used] = 0;
        if (b && strstr(text, STALLED))
            b->goes_on = true;
        if (!interrupted && (strstr(text, UNPLUGGED) || strstr(text, MISMATCH)))
            interrupted = kill(child, SIGINT) == 0;
    }
    close(out[0]);
    text[used] = 0;
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Runs earshot at a serial device that leads to this board, whose target has the program. Returns its exit code. */
static int earshot_at(board *b, const char *program, const char *speed, const char *count, char *text)
{
    power_up(b, program);
    char probe[128];
    snprintf(probe, sizeof probe, "uart:%s%s", b->line.path, speed);
    int code = earshot(b, probe, count, text);
    power_down(b);
    return code;
}

/* Keeps the lines of hits only. Returns how many. */
static unsigned keep_hits(char *text)
{
    unsigned hits = 0;
    char *to = text;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (strncmp(line, "{\"event\":\"hit\"", 14) == 0) {
            memmove(to, line, (size_t)(end + 1 - line));
            to += end + 1 - line;
            hits++;
        }
    *to = 0;
    return hits;
}

/* The first hits come with the monitor's hello, as from a target that runs. None may be missing. */
START_TEST(test_watch)
{
    static char over_uart[OUTPUT_MAX], simulated[OUTPUT_MAX];
    static board b = {.burst = 5};
    ck_assert_msg(earshot_at(&b, PROGRAM, "@1000000", HITS_TEXT, over_uart) == 0, "%s", over_uart);
    ck_assert_msg(!strstr(over_uart, "does not run") && !strstr(over_uart, "different program") &&
                      !strstr(over_uart, "mismatch"),
                  "%s", over_uart);
    ck_assert_msg(!strstr(over_uart, "damaged"), "%s", over_uart);
    ck_assert_msg(earshot(NULL, "sim", HITS_TEXT, simulated) == 0, "%s", simulated);
    ck_assert_msg(keep_hits(over_uart) == HITS, "%s", over_uart);
    ck_assert_uint_eq(keep_hits(simulated), HITS);
    ck_assert_str_eq(over_uart, simulated);
}
END_TEST

/* The target runs the same sources, compiled otherwise. The program's start is alike; what follows is not. */
START_TEST(test_another_program)
{
    static char text[OUTPUT_MAX];
    board b = {0};
    ck_assert_msg(earshot_at(&b, OTHER_PROGRAM, "", "1", text) == 0, "%s", text);
    ck_assert_msg(strstr(text, MISMATCH), "%s", text);
    ck_assert_msg(strstr(text, "\"mismatch\":true"), "%s", text);
}
END_TEST

START_TEST(test_damage)
{
    static char text[OUTPUT_MAX];
    board b = {.damage_hits = 100};
    ck_assert_msg(earshot_at(&b, PROGRAM, "", "400", text) == 0, "%s", text);
    ck_assert_msg(strstr(text, "damaged on the way from the probe"), "%.2000s", text);
}
END_TEST

/* Until all tries of a command are in vain: the run goes on. */
START_TEST(test_stands_still)
{
    static char text[OUTPUT_MAX];
    board b = {.still_hits = 100};
    ck_assert_msg(earshot_at(&b, PROGRAM, "", HITS_TEXT, text) == 0, "%.2000s", text);
    ck_assert_msg(strstr(text, STALLED), "%.2000s", text);
    ck_assert_msg(strstr(text, "warning: the probe answers again"), "%.2000s", text);
    ck_assert_uint_eq(keep_hits(text), HITS);
}
END_TEST

/* It waits for the device to come back, and ends, when asked to, with a summary that says what is missing. */
START_TEST(test_unplugged_while_watching)
{
    static char text[OUTPUT_MAX];
    board b = {.unplug_hits = 200};
    ck_assert_msg(earshot_at(&b, PROGRAM, "", "600", text) == 0, "%.2000s", text);
    ck_assert_msg(strstr(text, UNPLUGGED), "%.2000s", text);
    ck_assert_msg(strstr(text, "\"incomplete\":true"), "no word of what is missing");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("uart probe");
    TCase *tests = tcase_create("simulated probe at a serial device");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, test_commands);
    tcase_add_test(tests, test_unplugged_in_a_command);
    tcase_add_test(tests, test_watch);
    tcase_add_test(tests, test_another_program);
    tcase_add_test(tests, test_damage);
    tcase_add_test(tests, test_stands_still);
    tcase_add_test(tests, test_unplugged_while_watching);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
