/* Probes that come and go: the kernel's messages, for whoever waits.
 *
 * There is no thread in it and it never calls back. All that can wake its owner is one descriptor, which poll(), a
 * uv_poll_t or any other loop takes:
 *
 *     es_hotplug *hotplug = es_hotplug_new(&err);
 *     uv_poll_init(loop, &handle, es_hotplug_fd(hotplug));      (or poll() with POLLIN)
 *     ... when it is readable:  if (es_hotplug_take(hotplug)) es_probes_list(...);
 *
 * USB devices are reported by libusb when udev has dealt with them, so that its rules have given their permissions;
 * serial devices when their files appear in /dev or vanish there. What has come or gone is for es_probes_list to say:
 * between a message and the look at it more may have happened. */
#ifndef ES_TRANSPORT_HOTPLUG_H
#define ES_TRANSPORT_HOTPLUG_H

#include "base/error.h"

typedef struct es_hotplug es_hotplug;

/* NULL and ES_PROBE when USB cannot be listened to. What is plugged in already is not reported. */
es_hotplug *es_hotplug_new(es_error *err);
void es_hotplug_free(es_hotplug *hotplug); /* NULL does nothing */

/* Reports this file, too, when it appears in its folder or vanishes there: a serial device by any of its names. False:
 * its folder cannot be watched, as it is not there. */
bool es_hotplug_watch(es_hotplug *hotplug, const char *path);

/* Readable while there is something to take. Belongs to the hotplug. */
int es_hotplug_fd(const es_hotplug *hotplug);

/* Takes all messages that wait; never blocks. True: a device has come or gone since the last time, of those that may be
 * probes. */
bool es_hotplug_take(es_hotplug *hotplug);

/* Waits at most timeout_ms for the same. */
bool es_hotplug_wait(es_hotplug *hotplug, int timeout_ms);

#endif
