/* Packets: what is framed is read again; what is damaged is told; bytes of any kind do no harm. */
#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "gdb/packet.h"

static enum es_gdb_input feed(es_gdb_reader *reader, const char *bytes, size_t count)
{
    enum es_gdb_input last = ES_GDB_NOTHING;
    for (size_t i = 0; i < count; i++) {
        enum es_gdb_input input = es_gdb_read(reader, (uint8_t)bytes[i]);
        if (input != ES_GDB_NOTHING)
            last = input;
    }
    return last;
}

START_TEST(known_packets)
{
    /* as gdb's manual has them, and as gdb 13 sends them */
    es_gdb_reader reader = {0};
    ck_assert_int_eq(feed(&reader, "$g#67", 5), ES_GDB_PACKET);
    ck_assert_str_eq(reader.data, "g");
    ck_assert_int_eq(feed(&reader, "+$m0,4#fd", 9), ES_GDB_PACKET);
    ck_assert_str_eq(reader.data, "m0,4");
    ck_assert_int_eq(feed(&reader, "$#00", 4), ES_GDB_PACKET);
    ck_assert_uint_eq(reader.length, 0);
    ck_assert_int_eq(feed(&reader, "\003", 1), ES_GDB_INTERRUPT);
    ck_assert_int_eq(feed(&reader, "-", 1), ES_GDB_AGAIN);
    ck_assert_int_eq(feed(&reader, "$g#68", 5), ES_GDB_DAMAGED);
    ck_assert_int_eq(feed(&reader, "$g#6z", 5), ES_GDB_DAMAGED);
    ck_assert_int_eq(feed(&reader, "$gg$g#67", 8), ES_GDB_PACKET);
    ck_assert_str_eq(reader.data, "g");
}
END_TEST

START_TEST(known_frames)
{
    es_text_buffer out = {0};
    es_gdb_frame(&out, "OK", 2);
    es_gdb_frame(&out, "", 0);
    es_gdb_frame(&out, "a#b}c", 5);
    ck_assert_str_eq(out.text, "$OK#9a$#00$a}\003b}]c#80");
    es_text_free(&out);
}
END_TEST

START_TEST(long_packets)
{
    char *data = malloc(ES_GDB_PACKET_MAX + 2);
    ck_assert_ptr_nonnull(data);
    memset(data, 'x', ES_GDB_PACKET_MAX + 2);
    for (size_t more = 0; more < 2; more++) {
        es_text_buffer out = {0};
        es_gdb_reader reader = {0};
        es_gdb_frame(&out, data, ES_GDB_PACKET_MAX + more);
        ck_assert_int_eq(feed(&reader, out.text, out.length), more ? ES_GDB_DAMAGED : ES_GDB_PACKET);
        ck_assert_int_eq(feed(&reader, "$g#67", 5), ES_GDB_PACKET);
        es_text_free(&out);
    }
    free(data);
}
END_TEST

static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

/* Any data comes back, after any bytes that end between packets. */
START_TEST(random_packets)
{
    uint32_t state = 77;
    es_gdb_reader reader = {0};
    for (int round = 0; round < 20000; round++) {
        char data[80];
        size_t count = draw(&state) % sizeof data, noise = draw(&state) % 8;
        for (size_t i = 0; i < count; i++)
            data[i] = (char)(draw(&state) % 3 ? draw(&state) : (uint32_t) "$#}*"[draw(&state) % 4]);
        for (size_t i = 0; i < noise; i++)
            es_gdb_read(&reader, (uint8_t)draw(&state));
        feed(&reader, "$#00", 4); /* wherever it is, a packet begins now, or ends with these */
        feed(&reader, "$#00", 4);
        es_text_buffer out = {0};
        es_gdb_frame(&out, data, count);
        ck_assert_int_eq(feed(&reader, out.text, out.length), ES_GDB_PACKET);
        ck_assert_uint_eq(reader.length, count);
        ck_assert_mem_eq(reader.data, data, count);
        es_text_free(&out);
    }
}
END_TEST

START_TEST(numbers)
{
    static const struct {
        const char *text, *rest;
        bool good;
        uint64_t value;
    } all[] = {
        {"0", "", true, 0},
        {"1aF,4", ",4", true, 0x1AF},
        {"ffffffffffffffff", "", true, UINT64_MAX},
        {"10000000000000000", "0", false, 0},
        {"", "", false, 0},
        {"-1", "-1", false, 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *at = all[i].text;
        uint64_t value;
        ck_assert_msg(es_gdb_number(&at, &value) == all[i].good, "%s", all[i].text);
        if (all[i].good) {
            ck_assert(value == all[i].value);
            ck_assert_str_eq(at, all[i].rest);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gdb packets");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, known_packets);
    tcase_add_test(tests, known_frames);
    tcase_add_test(tests, long_packets);
    tcase_add_test(tests, random_packets);
    tcase_add_test(tests, numbers);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
