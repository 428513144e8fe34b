/* The whole way of a command: es_link, transport, simulated probe. Over the byte port, and over libftdi1, libusb,
 * virtual FT2232H and FT245 pins (this part needs umockdev-wrapper). */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../support/check_main.h"
#include "byte_port.h"
#include "probe/boot.h"
#include "virtual/board.h"
#include "vusb/vusb.h"

#define WORDS 2000
#define MEMORY 0x8000 /* in the soft core's memory */

static void on_event(void *context, const es_event *event)
{
    (void)event;
    ++*(unsigned *)context; /* the soft core is held in reset: there must be none */
}

static void exercise(es_transport *transport)
{
    unsigned events = 0;
    es_error err = {0};
    es_link *link = es_link_new(transport, on_event, &events);
    uint32_t word = 0;
    ck_assert_msg(es_link_read(link, ES_REG_BASE + ES_REG_ID, &word, 1, &err), "%s", err.text);
    ck_assert_uint_eq(word, ES_PROBE_ID);

    static uint32_t out[WORDS], in[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        out[i] = i % 5 ? (i + 1) * 0x9E3779B9u : 0;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    ck_assert_msg(es_link_write(link, MEMORY, out, WORDS, &err), "%s", err.text);
    ck_assert_msg(es_link_read(link, MEMORY, in, WORDS, &err), "%s", err.text);
    clock_gettime(CLOCK_MONOTONIC, &end);
    ck_assert_mem_eq(in, out, sizeof out);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("%s: %d words written and read in %.2f s\n", transport->ops->name, WORDS, seconds);

    ck_assert_msg(es_link_read(link, ES_REG_BASE + ES_REG_RX_BAD, &word, 1, &err), "%s", err.text);
    ck_assert_uint_eq(word, 0);
    uint64_t frames, bad;
    es_link_totals(link, &frames, &bad);
    ck_assert_uint_eq(bad, 0);
    ck_assert_uint_eq(events, 0);
    es_link_free(link);
}

static es_sim *make_sim(enum es_sim_world world, unsigned ratio)
{
    es_error err = {0};
    const es_sim_config config = {.world = world, .ratio = ratio, .seed = 1};
    es_sim *sim = es_sim_new(&config, &err);
    ck_assert_msg(sim != NULL, "%s", err.text);
    return sim;
}

START_TEST(test_byte_port)
{
    es_sim *sim = make_sim(ES_SIM_BYTES, 0);
    es_transport *transport = es_transport_sim(sim);
    exercise(transport);
    uint8_t byte;
    es_error err = {0};
    /* nothing left to happen: returns at once */
    ck_assert_int_eq(es_transport_read(transport, &byte, 1, 1000000, &err), 0);
    es_transport_close(transport);
    es_sim_free(sim);
}
END_TEST

START_TEST(test_virtual_usb)
{
    es_sim *sim = make_sim(ES_SIM_FT245, 2);
    es_error err = {0};
    es_vusb *vusb = es_vusb_start(sim, "EARSIM", &err);
    ck_assert_msg(vusb != NULL, "%s", err.text);
    es_transport *transport = es_transport_ftdi("EARSIM", &err);
    ck_assert_msg(transport != NULL, "%s", err.text);
    exercise(transport);
    es_transport_close(transport);
    es_vusb_stop(vusb);
    es_sim_free(sim);
}
END_TEST

/* After an unplug: what is found of the monitor, and frames of another plug are not joined. */
START_TEST(test_power)
{
    bool own = _i;
    es_error err = {0};
    const es_board_config config = {.name = "EARSIM", .program = PROGRAM, .ratio = 2, .seed = 1, .own_power = own};
    es_board *board = es_board_new(&config, &err);
    ck_assert_msg(board != NULL, "%s", err.text);
    es_vusb *vusb =
        es_vusb_open(&(es_vusb_config){.serial = "EARSIM", .port = &es_board_port, .context = board, .seed = 1}, &err);
    ck_assert_msg(vusb != NULL, "%s", err.text);
    es_transport *transport = es_transport_ftdi("EARSIM", &err);
    ck_assert_msg(transport != NULL, "%s", err.text);
    unsigned events = 0;
    es_link *link = es_link_new(transport, on_event, &events);
    uint32_t word = 1;
    bool runs = true;
    ck_assert(es_probe_monitor_runs(link, &runs, &err) && !runs);
    ck_assert_msg(es_link_write(link, ES_REG_BASE + ES_REG_CPU_CTRL, &word, 1, &err), "%s", err.text);
    ck_assert(es_probe_monitor_runs(link, &runs, &err) && runs);

    /* five bytes of the answer come, and no more */
    es_vusb_break(vusb, &(es_vusb_fault){.kind = ES_VUSB_SHORT, .count = 1, .size = 5});
    es_vusb_unplug_after(vusb, 5);
    ck_assert(!es_link_read(link, MEMORY, &word, 1, &err));
    ck_assert_msg(es_transport_gone(transport) && strstr(err.text, "unplugged"), "%s", err.text);
    ck_assert(!es_link_silent(link));
    es_vusb_unplug(vusb);
    ck_assert(es_vusb_plug(vusb, &err));
    ck_assert_msg(es_transport_reopen(transport, 5000, &err) == ES_REOPEN_DONE, "%s", err.text);
    es_link_reconnected(link);
    ck_assert_msg(es_probe_monitor_runs(link, &runs, &err), "%s", err.text);
    ck_assert_int_eq(runs, own);
    ck_assert_uint_eq(es_board_look(board).power_ups, !own);
    es_link_free(link);
    es_transport_close(transport);
    es_vusb_stop(vusb);
    es_board_free(board);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("probe");
    TCase *tests = tcase_create("commands to the simulated probe");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, test_byte_port);
    tcase_add_test(tests, test_virtual_usb);
    tcase_add_loop_test(tests, test_power, 0, 2);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
