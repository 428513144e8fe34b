/* A probe at a serial device: 8 data bits, no parity, 1 stop bit, no flow control (rtl/link/es_uart.v).
 *
 * The kernel's own termios2 is used in place of the C library's termios: only it takes any number of baud. The two
 * cannot be included together.
 */
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <linux/serial.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "transport/holders.h"
#include "transport/hotplug.h"
#include "transport/transport.h"

#define BAUD_TOLERANCE 3 /* percent: what es_uart bears */
#define WRITE_TIMEOUT_MS 5000
#define CANDIDATES_MAX 16
#define SETTLE_MS 2000         /* udev gives a new device its names and permissions so soon after it has appeared ... */
#define SETTLE_STEP_MS 50      /* ... and does not tell when: it is looked for so often until then */
#define UNWATCHED_STEP_MS 1000 /* where nothing tells of its coming */

typedef struct uart_transport {
    es_transport base;
    int fd; /* -1: not open, after it was unplugged */
    char *path;
    unsigned baud;
    bool gone;
    es_hotplug *hotplug; /* while it is gone */
    int64_t settled;     /* ms: until then a device that has appeared may not be as it will be */
} uart_transport;

/* --- opening ------------------------------------------------------------------------------------- */

/* The serial devices there are, a line each: with names that stay the same where udev makes them. */
static void list_candidates(char *text, size_t size)
{
    glob_t found = {0};
    if (glob("/dev/serial/by-id/*", 0, NULL, &found) != 0) {
        globfree(&found);
        glob("/dev/ttyUSB*", 0, NULL, &found);
        glob("/dev/ttyACM*", GLOB_APPEND, NULL, &found);
    }
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < found.gl_pathc && i < CANDIDATES_MAX && used < size; i++) {
        char target[PATH_MAX];
        bool link = realpath(found.gl_pathv[i], target) && strcmp(target, found.gl_pathv[i]) != 0;
        int length = snprintf(text + used, size - used, "\n  %s%s%s%s", found.gl_pathv[i], link ? " (" : "",
                              link ? target : "", link ? ")" : "");
        used += length > 0 ? (size_t)length : 0;
    }
    globfree(&found);
}

static bool open_fail(const char *path, int code, es_error *err)
{
    char candidates[1400], holders[ES_HOLDERS_TEXT];
    switch (code) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
        list_candidates(candidates, sizeof candidates);
        return es_fail(err, ES_PROBE, "%s: no such device. %s%s", path,
                       candidates[0] ? "Serial devices there are (an iCEBreaker's link is the one with if01):"
                                     : "No USB serial device is connected",
                       candidates);
    case EACCES:
    case EPERM:
        return es_fail(err, ES_PROBE,
                       "%s: no permission to use the serial device. Join its group ('sudo usermod -aG dialout $USER', "
                       "then log in again), or install the udev rules host/transport/70-earshot.rules ('make install' "
                       "does), run 'sudo udevadm control --reload' and plug the probe in again",
                       path);
    case EBUSY:
    case EWOULDBLOCK:
        es_holders(path, holders);
        return es_fail(err, ES_PROBE, "%s: another program has the serial device open%s%s", path,
                       holders[0] ? ": " : "", holders);
    default: return es_fail(err, ES_PROBE, "%s: cannot be opened: %s", path, strerror(code));
    }
}

/* Nobody else may use the device. TIOCEXCL keeps out who opens it later, unless it is root; the lock finds who uses it
 * already, if that program locks too. */
static bool take_alone(const uart_transport *uart, es_error *err)
{
    if (flock(uart->fd, LOCK_EX | LOCK_NB) < 0 || ioctl(uart->fd, TIOCEXCL, NULL) < 0)
        return open_fail(uart->path, errno, err);
    return true;
}

/* USB adapters hold short answers back, an FTDI chip for 16 ms. This asks for 1 ms; not every driver knows it. */
static void lower_latency(int fd)
{
    struct serial_struct serial;
    if (ioctl(fd, TIOCGSERIAL, &serial) < 0)
        return;
    serial.flags |= ASYNC_LOW_LATENCY;
    ioctl(fd, TIOCSSERIAL, &serial);
}

static bool set_up(const uart_transport *uart, unsigned baud, es_error *err)
{
    struct termios2 line;
    if (ioctl(uart->fd, TCGETS2, &line) < 0)
        return es_fail(err, ES_PROBE, "%s: is not a serial device", uart->path);
    if (!take_alone(uart, err))
        return false;
    line.c_iflag = IGNBRK; /* a probe without power holds the line low */
    line.c_oflag = 0;
    line.c_lflag = 0;
    line.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | BOTHER << IBSHIFT;
    line.c_ispeed = line.c_ospeed = baud;
    line.c_cc[VMIN] = 1; /* reading 0 bytes then means a hang-up and nothing else */
    line.c_cc[VTIME] = 0;
    if (ioctl(uart->fd, TCSETS2, &line) < 0 || ioctl(uart->fd, TCGETS2, &line) < 0)
        return es_fail(err, ES_PROBE, "%s: does not do %u baud, 8N1: %s", uart->path, baud, strerror(errno));
    /* A driver that cannot do what it was asked for does something else, and only tells when asked. */
    unsigned most = baud / 100 * BAUD_TOLERANCE;
    if (line.c_ospeed > baud + most || line.c_ospeed < baud - most)
        return es_fail(err, ES_PROBE, "%s: does not do %u baud; the nearest is %u", uart->path, baud, line.c_ospeed);
    if ((line.c_cflag & (CSIZE | PARENB | CSTOPB | CRTSCTS)) != CS8)
        return es_fail(err, ES_PROBE, "%s: does not do 8 data bits, no parity and 1 stop bit without flow control",
                       uart->path);
    lower_latency(uart->fd);
    ioctl(uart->fd, TCFLSH, TCIOFLUSH); /* of whoever had the device before */
    return true;
}

/* --- operations ---------------------------------------------------------------------------------- */

static bool io_fail(uart_transport *uart, const char *what, int code, es_error *err)
{
    uart->gone = uart->gone || code == EIO || code == ENODEV || code == ENXIO;
    if (uart->gone)
        return es_fail(err, ES_PROBE, "%s: %s the probe: it was unplugged", uart->path, what);
    return es_fail(err, ES_PROBE, "%s: %s the probe: %s", uart->path, what, strerror(code));
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until the device is ready or broken (then 1: reading or writing tells how), or the time is over (0). -1: errno.
 */
static int wait_until(int fd, short events, int64_t end_ms)
{
    for (;;) {
        struct pollfd poller = {.fd = fd, .events = events};
        int64_t left = end_ms - now_ms();
        int result = poll(&poller, 1, left > 0 ? (int)left : 0);
        if (result >= 0 || errno != EINTR)
            return result;
    }
}

static ssize_t uart_read(es_transport *transport, uint8_t *bytes, size_t size, int timeout_ms, es_error *err)
{
    uart_transport *uart = (uart_transport *)transport;
    int64_t end = now_ms() + timeout_ms;
    if (uart->fd < 0) {
        io_fail(uart, "reading from", EIO, err);
        return -1;
    }
    do {
        int ready = wait_until(uart->fd, POLLIN, end);
        if (ready == 0)
            return 0;
        ssize_t got = ready < 0 ? -1 : read(uart->fd, bytes, size);
        if (got > 0)
            return got;
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        io_fail(uart, "reading from", got == 0 ? EIO : errno, err);
        return -1;
    } while (now_ms() < end); /* also with a driver that says ready and has nothing */
    return 0;
}

static bool uart_write(es_transport *transport, const uint8_t *bytes, size_t size, es_error *err)
{
    uart_transport *uart = (uart_transport *)transport;
    int64_t end = now_ms() + WRITE_TIMEOUT_MS; /* since the last byte was taken */
    if (uart->fd < 0)
        return io_fail(uart, "writing to", EIO, err);
    while (size) {
        ssize_t taken = write(uart->fd, bytes, size);
        if (taken > 0) {
            bytes += taken;
            size -= (size_t)taken;
            end = now_ms() + WRITE_TIMEOUT_MS;
        } else if (taken < 0 && errno != EAGAIN && errno != EINTR) {
            return io_fail(uart, "writing to", errno, err);
        } else {
            int ready = wait_until(uart->fd, POLLOUT, end);
            if (ready < 0)
                return io_fail(uart, "writing to", errno, err);
            if (ready == 0 || now_ms() >= end)
                return es_fail(err, ES_PROBE, "%s: the serial device takes no bytes", uart->path);
        }
    }
    return true;
}

static void leave_device(uart_transport *uart)
{
    if (uart->fd < 0)
        return;
    ioctl(uart->fd, TIOCNXCL, NULL); /* it would outlast us while somebody else has the device open */
    close(uart->fd);
    uart->fd = -1;
}

/* O_NONBLOCK: opening does not wait for a carrier, which these lines do not have. */
static enum es_reopened open_path(uart_transport *uart, es_error *err)
{
    uart->fd = open(uart->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (uart->fd < 0) {
        int code = errno;
        open_fail(uart->path, code, err);
        return code == ENOENT || code == ENODEV || code == ENXIO ? ES_REOPEN_ABSENT : ES_REOPEN_REFUSED;
    }
    if (set_up(uart, uart->baud, err))
        return ES_REOPEN_DONE;
    leave_device(uart);
    return ES_REOPEN_REFUSED;
}

static bool uart_gone(const es_transport *transport)
{
    return ((const uart_transport *)transport)->gone;
}

/* watched: the path's folder is there, and so will be told. It vanishes with its last device. */
static bool listen_for(uart_transport *uart, bool *watched, es_error *err)
{
    leave_device(uart);
    if (!uart->hotplug)
        uart->hotplug = es_hotplug_new(err);
    if (!uart->hotplug)
        return false;
    *watched = es_hotplug_watch(uart->hotplug, uart->path);
    return true;
}

static enum es_reopened uart_reopen(es_transport *transport, int timeout_ms, es_error *err)
{
    uart_transport *uart = (uart_transport *)transport;
    int64_t end = now_ms() + timeout_ms;
    bool watched;
    for (;;) {
        if (!listen_for(uart, &watched, err))
            return ES_REOPEN_REFUSED;
        if (es_hotplug_take(uart->hotplug))
            uart->settled = now_ms() + SETTLE_MS;
        enum es_reopened result = open_path(uart, err);
        if (result == ES_REOPEN_DONE) {
            es_hotplug_free(uart->hotplug);
            uart->hotplug = NULL;
            uart->gone = false;
            return result;
        }
        int64_t now = now_ms(), left = end - now;
        if (left <= 0)
            return result;
        int64_t step = now < uart->settled ? SETTLE_STEP_MS : watched ? left : UNWATCHED_STEP_MS;
        if (es_hotplug_wait(uart->hotplug, (int)(step < left ? step : left)))
            uart->settled = now_ms() + SETTLE_MS;
    }
}

static int uart_presence_fd(es_transport *transport)
{
    uart_transport *uart = (uart_transport *)transport;
    bool watched;
    return listen_for(uart, &watched, NULL) ? es_hotplug_fd(uart->hotplug) : -1;
}

static void uart_close(es_transport *transport)
{
    uart_transport *uart = (uart_transport *)transport;
    leave_device(uart);
    es_hotplug_free(uart->hotplug);
    free(uart->path);
    free(uart);
}

/* What the kernel has for it. */
static size_t uart_waiting(const es_transport *base)
{
    const uart_transport *uart = (const uart_transport *)base;
    int bytes = 0;
    return uart->fd >= 0 && ioctl(uart->fd, FIONREAD, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0;
}

static const struct es_transport_ops uart_ops = {.name = "uart",
                                                 .read = uart_read,
                                                 .write = uart_write,
                                                 .close = uart_close,
                                                 .gone = uart_gone,
                                                 .reopen = uart_reopen,
                                                 .presence_fd = uart_presence_fd,
                                                 .waiting = uart_waiting};

es_transport *es_transport_uart(const char *path, unsigned baud, es_error *err)
{
    if (!baud)
        baud = ES_UART_BAUD;
    if (baud < ES_UART_BAUD_MIN || baud > ES_UART_BAUD_MAX) {
        es_fail(err, ES_USAGE, "a serial line's speed is %u to %u baud, not %u", ES_UART_BAUD_MIN, ES_UART_BAUD_MAX,
                baud);
        return NULL;
    }
    uart_transport *uart = calloc(1, sizeof *uart);
    char *copy = strdup(path);
    if (!uart || !copy) {
        es_fail(err, ES_PROBE, "out of memory");
        free(uart);
        free(copy);
        return NULL;
    }
    uart->base.ops = &uart_ops;
    uart->path = copy;
    uart->baud = baud;
    uart->fd = -1;
    if (open_path(uart, err) != ES_REOPEN_DONE) {
        uart_close(&uart->base);
        return NULL;
    }
    return &uart->base;
}
