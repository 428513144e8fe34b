/* A pseudo-terminal pair in place of a serial device and its cable: the transport opens `path`, the test is at the
 * other end. */
#ifndef TESTS_TRANSPORT_PTY_H
#define TESTS_TRANSPORT_PTY_H

#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct pty {
    int master;    /* the test's end */
    int slave;     /* keeps the line alive while nobody has the device open */
    char path[64]; /* of the device */
} pty;

static inline pty pty_open(void)
{
    pty p;
    p.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert_int_ge(p.master, 0);
    ck_assert_int_eq(grantpt(p.master), 0);
    ck_assert_int_eq(unlockpt(p.master), 0);
    ck_assert_int_eq(ptsname_r(p.master, p.path, sizeof p.path), 0);
    p.slave = open(p.path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert_int_ge(p.slave, 0);
    return p;
}

static inline void pty_hang_up(pty *p)
{
    close(p->master);
    p->master = -1;
}

static inline void pty_close(pty *p)
{
    if (p->master >= 0)
        close(p->master);
    close(p->slave);
}

#endif
