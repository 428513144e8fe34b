/* Probes that break, go and come back, under es_transport_ftdi and es_transport_usb: with virtual devices in this
 * process. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../support/check_main.h"
#include "numbered.h"
#include "transport/hotplug.h"

static const es_usb_kind *const kinds[] = {&es_usb_ft2232h, &es_usb_bulk};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Something done to a device a while from now. */
typedef struct later {
    pthread_t thread;
    es_vusb *vusb;
    unsigned ms;
    enum { PLUG, UNPLUG, GO } what;
} later;

static void *do_later(void *argument)
{
    later *l = argument;
    es_error err = {0};
    usleep(l->ms * 1000);
    if (l->what == PLUG)
        ck_assert_msg(es_vusb_plug(l->vusb, &err), "%s", err.text);
    else if (l->what == UNPLUG)
        es_vusb_unplug(l->vusb);
    else
        es_vusb_stall(l->vusb, false);
    return NULL;
}

static void start_later(later *l)
{
    ck_assert_int_eq(pthread_create(&l->thread, NULL, do_later, l), 0);
}

/* What is given to the host while its transport fails may be lost in the chip: the sequence goes on at `given`. */
static void read_until_gone(es_transport *transport, probe *p, uint64_t from)
{
    ssize_t last;
    es_error err = {0};
    read_checked(transport, from, p->limit, &last, &err);
    ck_assert_int_eq(last, -1);
    ck_assert_msg(strstr(err.text, "unplugged") != NULL, "%s", err.text);
    ck_assert(es_transport_gone(transport));
}

START_TEST(test_comes_back)
{
    const es_usb_kind *kind = kinds[_i];
    probe p = {.limit = 4u << 20};
    es_vusb *vusb = plug_kind(&p, "EAR1", kind);
    es_transport *transport = connect_kind("EAR1", kind);
    ck_assert(!es_transport_gone(transport));
    es_vusb_unplug_after(vusb, 100000);
    read_until_gone(transport, &p, 0);
    es_vusb_unplug(vusb);
    ck_assert_uint_lt(p.given, 1u << 20);

    es_error err = {0};
    double begin = now();
    ck_assert_int_eq(es_transport_reopen(transport, 150, &err), ES_REOPEN_ABSENT);
    ck_assert(now() - begin > 0.14);
    ck_assert_msg(strstr(err.text, "no probe found") != NULL, "%s", err.text);
    uint8_t byte = 0;
    ck_assert_int_eq(es_transport_read(transport, &byte, 1, 10, &err), -1);
    ck_assert(!es_transport_write(transport, &byte, 1, &err));

    uint64_t from = p.given;
    later plugging = {.vusb = vusb, .ms = 200, .what = PLUG};
    begin = now();
    start_later(&plugging);
    ck_assert_msg(es_transport_reopen(transport, PATIENCE_MS, &err) == ES_REOPEN_DONE, "%s", err.text);
    ck_assert_msg(now() - begin > 0.15, "%.2f s", now() - begin);
    pthread_join(plugging.thread, NULL);
    ck_assert(!es_transport_gone(transport));
    ssize_t last;
    ck_assert_uint_eq(read_checked(transport, from, p.limit - from, &last, &err), p.limit - from);
    ck_assert_uint_eq(p.unplugs, 1);
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

/* The one that comes back has to be the same: by its serial number, else by its port. */
START_TEST(test_the_same)
{
    const char *serial = _i ? "" : "EAR1";
    probe p = {.limit = 1u << 20}, other = {.limit = 1000};
    es_vusb *vusb = plug(&p, serial);
    es_transport *transport = connect_to(NULL); /* the only one */
    es_vusb_unplug(vusb);
    read_until_gone(transport, &p, 0);
    es_vusb *stranger = plug(&other, _i ? "" : "EAR2");
    es_error err = {0};
    ck_assert_int_eq(es_transport_reopen(transport, 50, &err), ES_REOPEN_ABSENT);
    ck_assert(es_vusb_plug(vusb, &err));
    uint64_t from = p.given;
    ck_assert_msg(es_transport_reopen(transport, PATIENCE_MS, &err) == ES_REOPEN_DONE, "%s", err.text);
    ssize_t last;
    ck_assert_uint_eq(read_checked(transport, from, p.limit - from, &last, &err), p.limit - from);
    ck_assert_uint_eq(other.given, 0);
    es_transport_close(transport);
    es_vusb_stop(vusb);
    es_vusb_stop(stranger);
}
END_TEST

START_TEST(test_refused)
{
    /* Somebody else was faster. */
    probe p = {.limit = 1u << 20};
    es_vusb *vusb = plug(&p, "EAR1");
    es_transport *transport = connect_to(NULL);
    es_vusb_unplug(vusb);
    read_until_gone(transport, &p, 0);
    es_error err = {0};
    ck_assert(es_vusb_plug(vusb, &err));
    es_transport *thief = connect_to(NULL);
    ck_assert_int_eq(es_transport_reopen(transport, 50, &err), ES_REOPEN_REFUSED);
    ck_assert_msg(strstr(err.text, "another program") != NULL, "%s", err.text);
    es_transport_close(thief);
    ck_assert_msg(es_transport_reopen(transport, PATIENCE_MS, &err) == ES_REOPEN_DONE, "%s", err.text);
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_for_loops)
{
    /* As an event loop does it: waits for the descriptor alone. */
    probe p = {.limit = 1u << 20};
    es_vusb *vusb = plug(&p, "EAR1");
    es_transport *transport = connect_to(NULL);
    es_vusb_unplug(vusb);
    read_until_gone(transport, &p, 0);
    struct pollfd waiter = {.fd = es_transport_presence_fd(transport), .events = POLLIN};
    ck_assert_int_ge(waiter.fd, 0);
    es_error err = {0};
    while (poll(&waiter, 1, 100) > 0) /* the unplugging itself */
        ck_assert_int_eq(es_transport_reopen(transport, 0, &err), ES_REOPEN_ABSENT);
    later plugging = {.vusb = vusb, .ms = 50, .what = PLUG};
    start_later(&plugging);
    enum es_reopened result = ES_REOPEN_ABSENT;
    while (result != ES_REOPEN_DONE && poll(&waiter, 1, PATIENCE_MS) > 0)
        result = es_transport_reopen(transport, 0, &err);
    ck_assert_msg(result == ES_REOPEN_DONE, "%s", err.text);
    pthread_join(plugging.thread, NULL);
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_again_and_again)
{
    const es_usb_kind *kind = kinds[_i];
    probe p = {.limit = UINT64_MAX};
    es_vusb *vusb = plug_kind(&p, "EAR1", kind);
    es_transport *transport = connect_kind(NULL, kind);
    srand(1);
    for (unsigned i = 0; i < 60; i++) {
        es_error err = {0};
        later away = {.vusb = vusb, .ms = (unsigned)rand() % 4, .what = UNPLUG};
        start_later(&away);
        uint8_t bytes[1000];
        while (es_transport_read(transport, bytes, sizeof bytes, PATIENCE_MS, &err) >= 0)
            if (rand() % 4 == 0)
                es_transport_write(transport, bytes, sizeof bytes, &err);
        ck_assert_msg(es_transport_gone(transport), "%s", err.text);
        pthread_join(away.thread, NULL);
        later back = {.vusb = vusb, .ms = (unsigned)rand() % 4, .what = PLUG};
        start_later(&back);
        ck_assert_msg(es_transport_reopen(transport, PATIENCE_MS, &err) == ES_REOPEN_DONE, "%u: %s", i, err.text);
        pthread_join(back.thread, NULL);
    }
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_errors_pass)
{
    /* Errors of the bus are not the end; what was lost is not for the transport to know, and here nothing is. */
    const es_usb_kind *kind = kinds[_i];
    probe p = {.limit = 300000};
    es_vusb *vusb = plug_kind(&p, "EAR1", kind);
    es_vusb_break(vusb, &(es_vusb_fault){.kind = ES_VUSB_ERROR, .after = 50000, .count = 5});
    es_vusb_break(vusb, &(es_vusb_fault){.kind = ES_VUSB_ERROR, .after = 150000, .count = 30});
    es_transport *transport = connect_kind(NULL, kind);
    ssize_t last;
    es_error err = {0};
    ck_assert_uint_eq(read_checked(transport, 0, p.limit, &last, &err), p.limit);
    ck_assert_uint_eq(es_vusb_look(vusb).errors, 35);
    /* but when there is nothing else */
    es_vusb_break(vusb, &(es_vusb_fault){.kind = ES_VUSB_ERROR, .count = 1u << 30});
    uint8_t byte;
    double begin = now();
    while ((last = es_transport_read(transport, &byte, 1, 1000, &err)) == 0 && (now() - begin) * 1000 < PATIENCE_MS) {
    }
    ck_assert_int_eq(last, -1);
    ck_assert(!es_transport_gone(transport));
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_short_packets)
{
    /* Transfers that end with any number of bytes, from none to a whole packet. */
    const es_usb_kind *kind = kinds[_i];
    probe p = {.limit = 400000};
    es_vusb *vusb = plug_kind(&p, "EAR1", kind);
    for (int size = 1; size <= 60; size++)
        es_vusb_break(
            vusb, &(es_vusb_fault){.kind = ES_VUSB_SHORT, .after = (uint64_t)size * 3000, .count = 2, .size = size});
    es_vusb_break(vusb, &(es_vusb_fault){.kind = ES_VUSB_SHORT, .after = 200000, .count = 700, .size = -1});
    es_transport *transport = connect_kind(NULL, kind);
    ssize_t last;
    es_error err = {0};
    uint64_t got = read_checked(transport, 0, p.limit, &last, &err);
    ck_assert_msg(got == p.limit, "%llu bytes, then %d: %s", (unsigned long long)got, (int)last, err.text);
    ck_assert_uint_ge(es_vusb_look(vusb).shorts, 700);
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_late_cancellation)
{
    /* Closing waits for transfers that end late, and take bytes until then; what never ends is left alone. */
    const es_usb_kind *kind = kinds[_i];
    probe p = {.limit = 1000};
    es_vusb *vusb = plug_kind(&p, "EAR1", kind);
    es_vusb_break(vusb, &(es_vusb_fault){.kind = ES_VUSB_LATE, .size = 300});
    for (int i = 0; i < 3; i++) {
        es_transport *transport = connect_kind(NULL, kind);
        es_vusb_stall(vusb, i == 1);
        es_transport_close(transport);
        es_vusb_stall(vusb, false);
    }
    ck_assert_uint_ge(es_vusb_look(vusb).late, 3);
    es_transport *transport = connect_kind(NULL, kind);
    later away = {.vusb = vusb, .ms = 100, .what = UNPLUG};
    es_vusb_break(vusb, &(es_vusb_fault){.kind = ES_VUSB_LATE, .size = 60000});
    start_later(&away);
    es_transport_close(transport); /* unplugged in the middle of closing: all ends */
    pthread_join(away.thread, NULL);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_hotplug)
{
    probe p = {0}, other = {0};
    es_error err = {0};
    es_vusb *there = plug(&other, "EAR2"); /* the test bed is made with its first device */
    es_hotplug *hotplug = es_hotplug_new(&err);
    ck_assert_msg(hotplug != NULL, "%s", err.text);
    es_vusb *vusb = plug(&p, "EAR1");
    ck_assert(es_hotplug_wait(hotplug, PATIENCE_MS));
    while (es_hotplug_wait(hotplug, 100)) {
    }
    es_vusb_unplug(vusb);
    ck_assert(es_hotplug_wait(hotplug, PATIENCE_MS));
    while (es_hotplug_wait(hotplug, 100)) {
    }
    struct pollfd waiter = {.fd = es_hotplug_fd(hotplug), .events = POLLIN};
    ck_assert_int_eq(poll(&waiter, 1, 0), 0);
    ck_assert(es_vusb_plug(vusb, &err));
    ck_assert_int_eq(poll(&waiter, 1, PATIENCE_MS), 1);
    ck_assert(es_hotplug_wait(hotplug, PATIENCE_MS));
    char folder[] = "/tmp/earshot-hotplug-XXXXXX", path[64];
    ck_assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/serial", folder);
    ck_assert_msg(es_hotplug_watch(hotplug, path), "%s", strerror(errno));
    while (es_hotplug_wait(hotplug, 100)) {
    }
    ck_assert_int_eq(symlink("/dev/null", path), 0);
    ck_assert(es_hotplug_wait(hotplug, PATIENCE_MS));
    unlink(path);
    rmdir(folder);
    es_hotplug_free(hotplug);
    es_vusb_stop(vusb);
    es_vusb_stop(there);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reopen");
    TCase *tests = tcase_create("virtual devices that break and go");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_comes_back, 0, 2);
    tcase_add_loop_test(tests, test_the_same, 0, 2);
    tcase_add_test(tests, test_refused);
    tcase_add_test(tests, test_for_loops);
    tcase_add_loop_test(tests, test_again_and_again, 0, 2);
    tcase_add_loop_test(tests, test_errors_pass, 0, 2);
    tcase_add_loop_test(tests, test_short_packets, 0, 2);
    tcase_add_loop_test(tests, test_late_cancellation, 0, 2);
    tcase_add_test(tests, test_hotplug);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
