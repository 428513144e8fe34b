/* What udev sends to those that listen (libudev's own format: a header, and properties that end with zeros), into the
 * sockets that preload.c makes. umockdev's own way of sending ends the process when a listener does not listen. */
#include "vusb/announce.h"

#include <arpa/inet.h>
#include <errno.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define TRIES 100
#define PAUSE_US 1000

typedef struct udev_header {
    char prefix[8];
    uint32_t magic, header_size, properties_offset, properties_size;
    uint32_t subsystem_hash, devtype_hash, tags_high, tags_low;
} udev_header;

/* MurmurHash2 of "usb" and "usb_device", by which listeners' filters choose */
enum { HASH_USB = 0x0577C5E5, HASH_USB_DEVICE = 0x27F8F50C };

static void send_to(const char *path, const struct msghdr *content)
{
    struct msghdr message = *content;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int sender = socket(AF_UNIX, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (sender < 0)
        return;
    message.msg_name = &address;
    message.msg_namelen = sizeof address;
    ssize_t sent = -1;
    for (unsigned i = 0; i < TRIES && sent < 0; i++) {
        sent = sendmsg(sender, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN)
            usleep(PAUSE_US); /* its queue is full */
        else if (sent < 0)
            break;
    }
    if (sent < 0 && errno == ECONNREFUSED)
        unlink(path); /* its process has ended */
    close(sender);
}

void es_vusb_announce(const char *folder, const char *action, const char *sys_path, const char *properties)
{
    static unsigned long number;
    char text[1024], pattern[256];
    int length = snprintf(text, sizeof text, "ACTION=%s\nDEVPATH=%s\nSUBSYSTEM=usb\nSEQNUM=%lu\n%s", action,
                          sys_path + strlen("/sys"), ++number, properties);
    if (length < 0 || length >= (int)sizeof text)
        return;
    for (int i = 0; i < length; i++)
        text[i] = text[i] == '\n' ? 0 : text[i];
    udev_header header = {.prefix = "libudev",
                          .magic = htonl(0xFEEDCAFE),
                          .header_size = sizeof header,
                          .properties_offset = sizeof header,
                          .properties_size = (uint32_t)length,
                          .subsystem_hash = htonl(HASH_USB),
                          .devtype_hash = htonl(HASH_USB_DEVICE)};
    struct iovec parts[] = {{&header, sizeof header}, {text, (size_t)length}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    glob_t found;
    snprintf(pattern, sizeof pattern, ES_VUSB_LISTENER "*", folder);
    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            send_to(found.gl_pathv[i], &message);
    globfree(&found);
}
