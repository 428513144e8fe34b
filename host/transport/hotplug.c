#include "transport/hotplug.h"

#include <errno.h>
#include <libusb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "transport/usb_device.h"

#define WATCHED (IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM)

struct es_hotplug {
    libusb_context *context;
    libusb_hotplug_callback_handle callback;
    int loop;   /* epoll: readable when one of the others is */
    int files;  /* inotify on /dev; -1: none */
    char *name; /* of a file that is watched besides; NULL: none */
    bool changed;
};

/* A device that leaves can no longer be asked what it was, so all of them count. */
static int LIBUSB_CALL on_device(libusb_context *context, libusb_device *device, libusb_hotplug_event event,
                                 void *user_data)
{
    es_hotplug *hotplug = user_data;
    es_usb_identity identity;
    (void)context;
    if (event == LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT || es_usb_identify(device, &identity))
        hotplug->changed = true;
    return 0;
}

static bool add(const es_hotplug *hotplug, int fd, short events)
{
    struct epoll_event event = {.events = (events & POLLIN ? EPOLLIN : 0u) | (events & POLLOUT ? EPOLLOUT : 0u)};
    return epoll_ctl(hotplug->loop, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* libusb's own descriptors: no device is opened in this context, so they stay the same. */
static bool add_usb(const es_hotplug *hotplug)
{
    const struct libusb_pollfd **fds = libusb_get_pollfds(hotplug->context);
    bool good = fds != NULL;
    for (size_t i = 0; good && fds[i]; i++)
        good = add(hotplug, fds[i]->fd, fds[i]->events);
    libusb_free_pollfds(fds);
    return good;
}

/* The files of serial devices. Their names by serial number, in /dev/serial, come with them. */
static void add_files(es_hotplug *hotplug)
{
    hotplug->files = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (hotplug->files < 0)
        return;
    if (!add(hotplug, hotplug->files, POLLIN)) {
        close(hotplug->files);
        hotplug->files = -1;
        return;
    }
    inotify_add_watch(hotplug->files, "/dev", WATCHED);
}

es_hotplug *es_hotplug_new(es_error *err)
{
    es_hotplug *hotplug = calloc(1, sizeof *hotplug);
    if (!hotplug) {
        es_fail(err, ES_PROBE, "out of memory");
        return NULL;
    }
    hotplug->files = -1;
    hotplug->loop = epoll_create1(EPOLL_CLOEXEC);
    int code = libusb_init(&hotplug->context);
    if (code == 0)
        code = libusb_hotplug_register_callback(hotplug->context,
                                                LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT,
                                                0, LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY,
                                                LIBUSB_HOTPLUG_MATCH_ANY, on_device, hotplug, &hotplug->callback);
    if (code < 0 || hotplug->loop < 0 || !add_usb(hotplug)) {
        es_usb_fail(err, "listening for USB devices", code < 0 ? code : LIBUSB_ERROR_OTHER);
        es_hotplug_free(hotplug);
        return NULL;
    }
    add_files(hotplug);
    return hotplug;
}

bool es_hotplug_watch(es_hotplug *hotplug, const char *path)
{
    const char *last = strrchr(path, '/');
    char *folder = last && last != path ? strndup(path, (size_t)(last - path)) : strdup(last ? "/" : ".");
    char *name = strdup(last ? last + 1 : path);
    bool good = folder && name && hotplug->files >= 0 && inotify_add_watch(hotplug->files, folder, WATCHED) >= 0;
    free(folder);
    if (!good) {
        free(name);
        return false;
    }
    free(hotplug->name);
    hotplug->name = name;
    return true;
}

void es_hotplug_free(es_hotplug *hotplug)
{
    if (!hotplug)
        return;
    free(hotplug->name);
    if (hotplug->context)
        libusb_exit(hotplug->context);
    if (hotplug->files >= 0)
        close(hotplug->files);
    if (hotplug->loop >= 0)
        close(hotplug->loop);
    free(hotplug);
}

int es_hotplug_fd(const es_hotplug *hotplug)
{
    return hotplug->loop;
}

static bool is_watched(const es_hotplug *hotplug, const char *name)
{
    return (hotplug->name && strcmp(name, hotplug->name) == 0) || strncmp(name, "ttyUSB", 6) == 0 ||
           strncmp(name, "ttyACM", 6) == 0;
}

static void take_files(es_hotplug *hotplug)
{
    _Alignas(struct inotify_event) char bytes[4096];
    ssize_t got;
    while (hotplug->files >= 0 && (got = read(hotplug->files, bytes, sizeof bytes)) > 0) {
        for (ssize_t at = 0; at < got;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)(bytes + at);
            if (event->mask & IN_Q_OVERFLOW || (event->len && is_watched(hotplug, event->name)))
                hotplug->changed = true;
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
}

bool es_hotplug_take(es_hotplug *hotplug)
{
    struct timeval now = {0};
    libusb_handle_events_timeout_completed(hotplug->context, &now, NULL);
    take_files(hotplug);
    bool changed = hotplug->changed;
    hotplug->changed = false;
    return changed;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool es_hotplug_wait(es_hotplug *hotplug, int timeout_ms)
{
    int64_t end = now_ms() + timeout_ms;
    for (;;) {
        struct pollfd waiter = {.fd = hotplug->loop, .events = POLLIN};
        int64_t left = end - now_ms();
        int ready = poll(&waiter, 1, left > 0 ? (int)left : 0);
        if (ready > 0 && es_hotplug_take(hotplug))
            return true;
        if (ready <= 0 && now_ms() >= end)
            return false;
        if (ready < 0 && errno == EINTR)
            return false; /* a signal: the caller wants to look around */
    }
}
