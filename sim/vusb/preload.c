/* libearshot-vusb.so: to be preloaded before umockdev's own library into every process that is to see virtual devices.
 *
 * A process that listens for devices that come and go binds a netlink socket. umockdev gives it a socket in the test
 * bed's folder in place of it, named after the file descriptor's number alone: of two processes, mostly one would hear
 * nothing. Here the name has the process in it. announce.c sends to all of them. */
#include <dlfcn.h>
#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "vusb/announce.h"

typedef int bind_fn(int, const struct sockaddr *, socklen_t);

int bind(int fd, const struct sockaddr *addr, socklen_t len)
{
    union {
        void *object;
        bind_fn *function;
    } next;
    const char *folder = getenv("UMOCKDEV_DIR");
    if (!folder || addr->sa_family != AF_NETLINK) {
        next.object = dlsym(RTLD_NEXT, "bind");
        return next.function(fd, addr, len);
    }
    struct sockaddr_un own = {.sun_family = AF_UNIX};
    int length = snprintf(own.sun_path, sizeof own.sun_path, ES_VUSB_LISTENER "%d-%d", folder, (int)getpid(), fd);
    if (length >= (int)sizeof own.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    unlink(own.sun_path);
    /* not through umockdev's bind, which would take its own name */
    return (int)syscall(SYS_bind, fd, &own, sizeof own);
}
