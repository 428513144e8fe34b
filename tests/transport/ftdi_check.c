/* es_transport_ftdi and es_transport_usb against virtual devices, with unmodified libusb and libftdi1 between them. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../support/check_main.h"
#include "numbered.h"

START_TEST(test_nothing_there)
{
    probe p = {0};
    es_vusb *vusb = plug(&p, "EAR1");
    es_vusb_unplug(vusb);
    es_error err = {0};
    ck_assert_ptr_null(es_transport_ftdi(NULL, &err));
    ck_assert_int_eq(err.code, ES_PROBE);
    ck_assert_msg(strstr(err.text, "no probe found") != NULL, "%s", err.text);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_both_ways)
{
    probe p = {.limit = 8u << 20};
    es_vusb *vusb = plug(&p, "EAR1");
    es_transport *transport = connect_to(NULL);
    es_vusb_state state = es_vusb_look(vusb);
    ck_assert_uint_eq(state.bitmode, 0x40);
    ck_assert_uint_eq(state.latency_ms, 1);
    ck_assert(state.claimed);

    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    uint8_t out[30000];
    uint64_t sent = 0, got = 0;
    ssize_t last;
    es_error err = {0};
    while (got < p.limit) {
        if (sent < (4u << 20)) {
            for (size_t i = 0; i < sizeof out; i++)
                out[i] = byte_at(sent + i);
            ck_assert_msg(es_transport_write(transport, out, sizeof out, &err), "%s", err.text);
            sent += sizeof out;
        }
        uint64_t part = p.limit - got < 50000 ? p.limit - got : 50000;
        ck_assert_uint_eq(read_checked(transport, got, part, &last, &err), part);
        got += part;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
    printf("%.1f MB to the host and %.1f MB to the probe in %.2f s\n", (double)got / 1e6, (double)sent / 1e6, seconds);
    uint8_t more;
    ck_assert_int_eq(es_transport_read(transport, &more, 1, 20, &err), 0);
    es_transport_close(transport);
    state = es_vusb_look(vusb);
    ck_assert_uint_ge(state.most_in_flight, 8);
    ck_assert_uint_eq(state.bitmode, 0);
    ck_assert_uint_eq(state.unknown, 0);
    ck_assert(!state.claimed);
    es_vusb_stop(vusb);
    ck_assert_uint_eq(p.taken, sent);
    ck_assert_uint_eq(p.wrong, 0);
}
END_TEST

START_TEST(test_small_pieces)
{
    /* Every packet short: status bytes at many places. */
    probe p = {.limit = 60000, .most = 900};
    es_vusb *vusb = plug(&p, "EAR1");
    es_transport *transport = connect_to("EAR1");
    ssize_t last;
    es_error err = {0};
    ck_assert_uint_eq(read_checked(transport, 0, p.limit, &last, &err), p.limit);
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_slow_reader)
{
    /* More than the ring holds, and nobody reads for a while: nothing may be lost, the chip waits. */
    probe p = {.limit = 6u << 20};
    es_vusb *vusb = plug(&p, "EAR1");
    es_transport *transport = connect_to(NULL);
    uint64_t before;
    unsigned waited_ms = 0;
    do { /* it may also stand still because the machine is busy */
        before = es_vusb_look(vusb).to_host;
        usleep(50000);
        waited_ms += 50;
    } while ((before <= 3u << 20 || es_vusb_look(vusb).to_host != before) && waited_ms < PATIENCE_MS);
    ck_assert_uint_gt(before, 3u << 20);
    ck_assert_uint_le(before, 4u << 20);
    ssize_t last;
    es_error err = {0};
    ck_assert_uint_eq(read_checked(transport, 0, p.limit, &last, &err), p.limit);
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_unplug)
{
    probe p = {.limit = 64u << 20};
    es_vusb *vusb = plug(&p, "EAR1");
    es_transport *transport = connect_to(NULL);
    es_vusb_unplug_after(vusb, 1234567);
    ssize_t last;
    es_error err = {0};
    uint64_t got = read_checked(transport, 0, p.limit, &last, &err);
    ck_assert_int_eq(last, -1);
    ck_assert_int_eq(err.code, ES_PROBE);
    ck_assert_msg(strstr(err.text, "unplugged") != NULL, "%s", err.text);
    ck_assert_uint_eq(got, es_vusb_look(vusb).to_host); /* what came before is not thrown away */
    ck_assert_uint_ge(got, 1234567);
    const uint8_t byte = 0;
    ck_assert(!es_transport_write(transport, &byte, 1, &err));
    ck_assert_msg(strstr(err.text, "unplugged") != NULL, "%s", err.text);
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_unplug_at_once)
{
    for (int i = 0; i < 10; i++) {
        probe p = {.limit = 64u << 20};
        es_vusb *vusb = plug(&p, "EAR1");
        es_transport *transport = connect_to(NULL);
        usleep((useconds_t)i * 300);
        es_vusb_unplug(vusb);
        es_transport_close(transport); /* in the middle of it all */
        es_vusb_stop(vusb);
    }
}
END_TEST

START_TEST(test_serials)
{
    probe a = {.limit = 100}, b = {.limit = 200000};
    es_vusb *first = plug(&a, "EARSHOT-A"), *second = plug(&b, "EARSHOT-B");
    es_error err = {0};
    ck_assert_ptr_null(es_transport_ftdi(NULL, &err));
    ck_assert_msg(strstr(err.text, "EARSHOT-A") && strstr(err.text, "EARSHOT-B"), "%s", err.text);
    ck_assert_ptr_null(es_transport_ftdi("EARSHOT-C", &err));
    ck_assert_msg(strstr(err.text, "EARSHOT-C") && strstr(err.text, "EARSHOT-A"), "%s", err.text);

    es_transport *of_b = connect_to("EARSHOT-B"), *of_a = connect_to("EARSHOT-A");
    ssize_t last;
    ck_assert_uint_eq(read_checked(of_b, 0, 200000, &last, &err), 200000);
    ck_assert_uint_eq(read_checked(of_a, 0, 100, &last, &err), 100);
    ck_assert_ptr_null(es_transport_ftdi("EARSHOT-A", &err));
    ck_assert_msg(strstr(err.text, "another program") != NULL, "%s", err.text);
    es_transport_close(of_a);
    es_transport_close(of_b);
    es_vusb_stop(first);
    es_vusb_stop(second);
    ck_assert_uint_eq(a.given, 100);
}
END_TEST

START_TEST(test_stall)
{
    probe p = {.limit = 3000};
    es_vusb *vusb = plug(&p, "EAR1");
    es_vusb_stall(vusb, true);
    es_transport *transport = connect_to(NULL);
    uint8_t byte;
    es_error err = {0};
    ck_assert_int_eq(es_transport_read(transport, &byte, 1, 30, &err), 0);
    es_vusb_stall(vusb, false);
    ssize_t last;
    ck_assert_uint_eq(read_checked(transport, 0, p.limit, &last, &err), p.limit);
    es_transport_close(transport);
    es_vusb_stop(vusb);
}
END_TEST

START_TEST(test_forbidden)
{
    probe p = {0};
    es_vusb *vusb = plug(&p, "EAR1");
    es_vusb_forbid(vusb);
    /* root may open whatever it likes, so it is somebody else who tries */
    uid_t user = geteuid();
    if (user == 0)
        ck_assert_int_eq(seteuid(65534), 0);
    es_error err = {0};
    es_transport *transport = es_transport_ftdi(NULL, &err);
    if (user == 0)
        ck_assert_int_eq(seteuid(user), 0);
    ck_assert_ptr_null(transport);
    ck_assert_msg(strstr(err.text, "permission") && strstr(err.text, "udev") &&
                      strstr(err.text, "ATTR{idVendor}==\"0403\""),
                  "%s", err.text);
    es_vusb_stop(vusb);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ftdi");
    TCase *tests = tcase_create("virtual FT2232H");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, test_nothing_there);
    tcase_add_test(tests, test_both_ways);
    tcase_add_test(tests, test_small_pieces);
    tcase_add_test(tests, test_slow_reader);
    tcase_add_test(tests, test_unplug);
    tcase_add_test(tests, test_unplug_at_once);
    tcase_add_test(tests, test_serials);
    tcase_add_test(tests, test_stall);
    tcase_add_test(tests, test_forbidden);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
