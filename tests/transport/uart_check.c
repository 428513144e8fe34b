/* host/transport/uart.c at a pseudo-terminal. What no pseudo-terminal does (another speed than the one asked for, a
 * full line, a signal meanwhile, adapters in /dev) is done by the wrapped system calls below. */
#include <asm/termbits.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "../support/check_main.h"
#include "pty.h"
#include "transport/transport.h"

int __real_ioctl(int fd, unsigned long request, void *argument);
int __wrap_ioctl(int fd, unsigned long request, ...);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __real_glob(const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *found);
int __wrap_glob(const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *found);

static unsigned other_speed, other_flags, refuse_speed; /* what the driver makes of a request */
static unsigned signals;                                /* the next waits that a signal ends */
static bool line_full;
static unsigned waits, waits_in_vain;
static int longest_wait;    /* in ms */
static const char *devices; /* a folder in place of /dev */

int __wrap_ioctl(int fd, unsigned long request, ...)
{
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    if (request == TCSETS2 && refuse_speed) {
        errno = EINVAL;
        return -1;
    }
    int result = __real_ioctl(fd, request, argument);
    if (request == TCGETS2 && result == 0) {
        struct termios2 *line = argument;
        if (other_speed)
            line->c_ospeed = other_speed;
        line->c_cflag |= other_flags;
    }
    return result;
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
    waits++;
    longest_wait = timeout > longest_wait ? timeout : longest_wait;
    if (signals) {
        signals--;
        errno = EINTR;
        return -1;
    }
    if (line_full && fds->events == POLLOUT)
        return 0; /* time over, without waiting for it */
    int ready = __real_poll(fds, count, timeout);
    waits_in_vain += ready == 0 && timeout > 0;
    return ready;
}

int __wrap_glob(const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *found)
{
    char path[512];
    ck_assert_int_eq(strncmp(pattern, "/dev/", 5), 0);
    snprintf(path, sizeof path, "%s/%s", devices ? devices : "/nowhere", pattern + 5);
    return __real_glob(path, flags, on_error, found);
}

static es_error err;

static es_transport *connect_to(const pty *p, unsigned baud)
{
    es_transport *uart = es_transport_uart(p->path, baud, &err);
    ck_assert_msg(uart != NULL, "%s", err.text);
    return uart;
}

static void expect_failure(const char *path, unsigned baud, enum es_code code, const char *text)
{
    ck_assert_ptr_null(es_transport_uart(path, baud, &err));
    ck_assert_int_eq(err.code, code);
    ck_assert_msg(strstr(err.text, text) != NULL, "%s", err.text);
}

/* Every byte value in every neighbourhood that a terminal would act on, then all of them. */
static size_t fill(uint8_t *bytes)
{
    static const uint8_t special[] = {0x00, 0x03, 0x04, 0x0a, 0x0d, 0x11, 0x13, 0x1a, 0x1c, 0x7f, 0xff};
    size_t count = 0;
    for (size_t i = 0; i < sizeof special; i++)
        for (size_t j = 0; j < sizeof special; j++) {
            bytes[count++] = special[i];
            bytes[count++] = special[j];
        }
    for (unsigned i = 0; i < 256; i++)
        bytes[count++] = (uint8_t)i;
    return count;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

START_TEST(test_both_ways)
{
    pty p = pty_open();
    es_transport *uart = connect_to(&p, 0);
    uint8_t out[1024], in[1024];
    size_t size = fill(out), got = 0;
    ck_assert_msg(es_transport_write(uart, out, size, &err), "%s", err.text);
    while (got < size) {
        ssize_t part = read(p.master, in + got, sizeof in - got);
        ck_assert_int_gt(part, 0);
        got += (size_t)part;
    }
    ck_assert_uint_eq(got, size);
    ck_assert_mem_eq(in, out, size);

    memset(in, 0, sizeof in);
    ck_assert_int_eq(write(p.master, out, size), (ssize_t)size);
    for (got = 0; got < size;) {
        ssize_t part = es_transport_read(uart, in + got, 1 + got % 100, PATIENCE_MS, &err);
        ck_assert_msg(part > 0 && (size_t)part <= 1 + got % 100, "%zd: %s", part, err.text);
        got += (size_t)part;
    }
    ck_assert_mem_eq(in, out, size);
    ck_assert_int_eq(es_transport_read(uart, in, sizeof in, 0, &err), 0);
    es_transport_close(uart);
    pty_close(&p);
}
END_TEST

/* What has come and nobody has read is told, for status lines. */
START_TEST(test_waiting)
{
    pty p = pty_open();
    es_transport *uart = connect_to(&p, 0);
    uint8_t bytes[100] = {0};
    ck_assert_uint_eq(es_transport_waiting(uart), 0);
    ck_assert_int_eq(write(p.master, bytes, sizeof bytes), (ssize_t)sizeof bytes);
    for (unsigned i = 0; es_transport_waiting(uart) < sizeof bytes; i++) {
        ck_assert_uint_lt(i, PATIENCE_MS);
        usleep(1000);
    }
    ck_assert_int_eq(es_transport_read(uart, bytes, 40, PATIENCE_MS, &err), 40);
    ck_assert_uint_eq(es_transport_waiting(uart), 60);
    es_transport_close(uart);
    pty_close(&p);
}
END_TEST

START_TEST(test_line)
{
    static const unsigned rates[][2] = {{0, 3000000},     {1000000, 1000000}, {2000000, 2000000},   {3000000, 3000000},
                                        {115200, 115200}, {1234567, 1234567}, {12000000, 12000000}, {9600, 9600}};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        pty p = pty_open();
        es_transport *uart = connect_to(&p, rates[i][0]);
        struct termios2 line;
        ck_assert_int_eq(ioctl(p.slave, TCGETS2, &line), 0);
        ck_assert_uint_eq(line.c_ospeed, rates[i][1]);
        ck_assert_uint_eq(line.c_ispeed, rates[i][1]);
        ck_assert_uint_eq(line.c_cflag & (CSIZE | PARENB | CSTOPB | CRTSCTS | CLOCAL | CREAD), CS8 | CLOCAL | CREAD);
        ck_assert_uint_eq(line.c_iflag & (IXON | IXOFF | ICRNL | INLCR | ISTRIP), 0);
        ck_assert_uint_eq(line.c_oflag & OPOST, 0);
        ck_assert_uint_eq(line.c_lflag & (ICANON | ECHO | ISIG), 0);
        es_transport_close(uart);
        pty_close(&p);
    }
}
END_TEST

START_TEST(test_bad_speed)
{
    pty p = pty_open();
    expect_failure(p.path, 1, ES_USAGE, "9600 to 12000000 baud, not 1");
    expect_failure(p.path, 9599, ES_USAGE, "not 9599");
    expect_failure(p.path, 12000001, ES_USAGE, "not 12000001");
    expect_failure(p.path, UINT_MAX, ES_USAGE, "not 4294967295");
    other_speed = 9600; /* what ftdi_sio falls back to */
    expect_failure(p.path, 3000000, ES_PROBE, "does not do 3000000 baud; the nearest is 9600");
    other_speed = 3090001;
    expect_failure(p.path, 3000000, ES_PROBE, "nearest is 3090001");
    other_speed = 2909999;
    expect_failure(p.path, 3000000, ES_PROBE, "nearest is 2909999");
    other_speed = 2910000; /* es_uart's 3 % */
    es_transport_close(connect_to(&p, 3000000));
    other_speed = 0;
    other_flags = CRTSCTS;
    expect_failure(p.path, 0, ES_PROBE, "without flow control");
    other_flags = 0;
    refuse_speed = true;
    expect_failure(p.path, 0, ES_PROBE, "does not do 3000000 baud, 8N1: Invalid argument");
    refuse_speed = false;
    es_transport_close(connect_to(&p, 0)); /* no failure has left a lock */
    pty_close(&p);
}
END_TEST

START_TEST(test_time_out)
{
    pty p = pty_open();
    es_transport *uart = connect_to(&p, 0);
    uint8_t byte;
    longest_wait = 0;
    ck_assert_int_eq(es_transport_read(uart, &byte, 1, 0, &err), 0);
    ck_assert_int_eq(longest_wait, 0);
    signals = 3; /* they do not end the wait */
    waits = 0;
    double start = seconds();
    ck_assert_int_eq(es_transport_read(uart, &byte, 1, 80, &err), 0);
    ck_assert_uint_eq(waits, 4);
    ck_assert_int_le(longest_wait, 80); /* nor do they make it longer */
    ck_assert_double_ge(seconds() - start, 0.079);
    ck_assert_int_eq(write(p.master, "x", 1), 1);
    ck_assert_int_eq(es_transport_read(uart, &byte, 1, PATIENCE_MS, &err), 1);
    es_transport_close(uart);
    pty_close(&p);
}
END_TEST

START_TEST(test_hang_up)
{
    pty p = pty_open();
    es_transport *uart = connect_to(&p, 0);
    uint8_t bytes[16];
    ck_assert_int_eq(write(p.master, "abc", 3), 3);
    ck_assert_int_eq(es_transport_read(uart, bytes, sizeof bytes, PATIENCE_MS, &err), 3);
    pty_hang_up(&p);
    for (int i = 0; i < 3; i++) { /* and it stays so, and takes no time */
        err = (es_error){0};
        waits_in_vain = 0;
        ck_assert_int_eq(es_transport_read(uart, bytes, sizeof bytes, PATIENCE_MS, &err), -1);
        ck_assert_uint_eq(waits_in_vain, 0);
        ck_assert_int_eq(err.code, ES_PROBE);
        ck_assert_msg(strstr(err.text, "unplugged") && strstr(err.text, p.path), "%s", err.text);
    }
    err = (es_error){0};
    ck_assert(!es_transport_write(uart, bytes, sizeof bytes, &err));
    ck_assert_int_eq(err.code, ES_PROBE);
    ck_assert_msg(strstr(err.text, "unplugged") && strstr(err.text, "writing"), "%s", err.text);
    es_transport_close(uart);
    pty_close(&p);
}
END_TEST

START_TEST(test_comes_back)
{
    /* Under a name that udev gives: it vanishes with the device, and comes with the next one. */
    char folder[] = "/tmp/earshot-uart-XXXXXX", path[64];
    ck_assert(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/by-id", folder);
    pty p = pty_open();
    ck_assert_int_eq(symlink(p.path, path), 0);
    err = (es_error){0};
    es_transport *uart = es_transport_uart(path, 0, &err);
    ck_assert_msg(uart != NULL, "%s", err.text);
    ck_assert(!es_transport_gone(uart));
    pty_hang_up(&p);
    unlink(path);
    uint8_t bytes[16];
    ck_assert_int_eq(es_transport_read(uart, bytes, sizeof bytes, 1000, &err), -1);
    ck_assert(es_transport_gone(uart));
    pty_close(&p);
    ck_assert_int_eq(es_transport_reopen(uart, 100, &err), ES_REOPEN_ABSENT);
    ck_assert_int_eq(es_transport_read(uart, bytes, sizeof bytes, 1000, &err), -1);
    pty q = pty_open();
    pid_t udev = fork();
    if (udev == 0) {
        usleep(100000);
        _exit(symlink(q.path, path) != 0);
    }
    ck_assert_int_eq(es_transport_reopen(uart, PATIENCE_MS, &err), ES_REOPEN_DONE);
    ck_assert_int_eq(waitpid(udev, NULL, 0), udev);
    ck_assert_int_eq(write(q.master, "abc", 3), 3);
    ck_assert_int_eq(es_transport_read(uart, bytes, sizeof bytes, PATIENCE_MS, &err), 3);
    ck_assert(!es_transport_gone(uart));
    es_transport_close(uart);
    pty_close(&q);
    unlink(path);
    rmdir(folder);
}
END_TEST

START_TEST(test_full_line)
{
    static uint8_t bytes[1u << 20];
    pty p = pty_open();
    es_transport *uart = connect_to(&p, 0);
    line_full = true;
    signals = 2;                                                     /* they are no failure */
    ck_assert(!es_transport_write(uart, bytes, sizeof bytes, &err)); /* nobody reads */
    ck_assert_int_eq(err.code, ES_PROBE);
    ck_assert_msg(strstr(err.text, "takes no bytes"), "%s", err.text);
    es_transport_close(uart);
    pty_close(&p);
}
END_TEST

START_TEST(test_alone)
{
    pty p = pty_open();
    es_transport *uart = connect_to(&p, 0);
    expect_failure(p.path, 0, ES_PROBE, "another program has the serial device open");
    es_transport_close(uart);
    es_transport_close(connect_to(&p, 0));
    int exclusive = -1;
    ck_assert_int_eq(ioctl(p.slave, TIOCGEXCL, &exclusive), 0);
    ck_assert_int_eq(exclusive, 0);
    pty_close(&p);
}
END_TEST

START_TEST(test_no_device)
{
    char root[] = "/tmp/earshot-dev-XXXXXX", path[128], device[128];
    ck_assert_ptr_nonnull(mkdtemp(root));
    devices = root;
    snprintf(path, sizeof path, "%s/ttyUSB7", root);
    expect_failure(path, 0, ES_PROBE, "no such device. No USB serial device is connected");

    snprintf(device, sizeof device, "%s/ttyUSB1", root);
    int file = open(device, O_CREAT | O_WRONLY, 0600);
    ck_assert_int_ge(file, 0);
    close(file);
    expect_failure(path, 0, ES_PROBE, device);
    expect_failure(device, 0, ES_PROBE, "is not a serial device");
    expect_failure(root, 0, ES_PROBE, "Is a directory");

    char folder[64], by_id[80], name[128], line[300];
    snprintf(folder, sizeof folder, "%s/serial", root);
    snprintf(by_id, sizeof by_id, "%s/by-id", folder);
    snprintf(name, sizeof name, "%s/usb-1BitSquared_iCEBreaker-if01-port0", by_id);
    snprintf(line, sizeof line, "\n  %s (%s)", name, device);
    ck_assert(mkdir(folder, 0700) == 0 && mkdir(by_id, 0700) == 0 && symlink("../../ttyUSB1", name) == 0);
    expect_failure(path, 0, ES_PROBE, line);

    /* more than fits */
    for (int i = 0; i < 40; i++) {
        char more[160];
        snprintf(more, sizeof more, "%s/%03d-very-long-name-of-an-adapter-with-much-to-say-about-itself", by_id, i);
        ck_assert_int_eq(symlink(i ? "../../ttyUSB1" : "gone", more), 0);
    }
    expect_failure(path, 0, ES_PROBE, "/000-very");
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", root);
    ck_assert_int_eq(system(remove), 0);
}
END_TEST

START_TEST(test_forbidden)
{
    pty p = pty_open();
    ck_assert_int_eq(fchmod(p.slave, 0), 0);
    /* root may open whatever it likes, so it is somebody else who tries */
    uid_t user = geteuid();
    if (user == 0)
        ck_assert_int_eq(seteuid(65534), 0);
    expect_failure(p.path, 0, ES_PROBE, "no permission");
    if (user == 0)
        ck_assert_int_eq(seteuid(user), 0);
    ck_assert_msg(strstr(err.text, "dialout") && strstr(err.text, "70-earshot.rules"), "%s", err.text);
    ck_assert_int_eq(access("host/transport/70-earshot.rules", R_OK), 0);
    pty_close(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("uart");
    TCase *tests = tcase_create("serial device");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, test_both_ways);
    tcase_add_test(tests, test_waiting);
    tcase_add_test(tests, test_line);
    tcase_add_test(tests, test_bad_speed);
    tcase_add_test(tests, test_time_out);
    tcase_add_test(tests, test_hang_up);
    tcase_add_test(tests, test_comes_back);
    tcase_add_test(tests, test_full_line);
    tcase_add_test(tests, test_alone);
    tcase_add_test(tests, test_no_device);
    tcase_add_test(tests, test_forbidden);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
