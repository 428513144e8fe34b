#include "transport/serial_devices.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TTYS "/sys/class/tty"
#define BY_ID "/dev/serial/by-id"

static bool read_text(const char *folder, const char *name, char text[ES_SERIAL_TEXT])
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    text[0] = 0;
    if (!file)
        return false;
    bool good = fgets(text, ES_SERIAL_TEXT, file) != NULL;
    fclose(file);
    text[strcspn(text, "\n")] = 0;
    return good;
}

/* The USB device that a tty hangs on: the first folder above it that has a number of a vendor. */
static void describe(const char *tty, es_serial_device *device)
{
    char path[PATH_MAX], folder[PATH_MAX], vendor[ES_SERIAL_TEXT];
    snprintf(path, sizeof path, TTYS "/%s", tty);
    if (!realpath(path, folder))
        return;
    for (char *end; (end = strrchr(folder, '/')) && end != folder; *end = 0) {
        if (!read_text(folder, "idVendor", vendor))
            continue;
        read_text(folder, "manufacturer", device->manufacturer);
        read_text(folder, "product", device->product);
        read_text(folder, "serial", device->serial);
        snprintf(device->port, sizeof device->port, "%.60s", strrchr(folder, '/') + 1);
        return;
    }
}

/* The name by serial number that leads to the node. */
static void find_name(const char *node, char name[ES_SERIAL_TEXT])
{
    DIR *links = opendir(BY_ID);
    snprintf(name, ES_SERIAL_TEXT, "%s", node);
    for (const struct dirent *link; links && (link = readdir(links));) {
        char path[sizeof BY_ID + sizeof link->d_name], target[PATH_MAX];
        snprintf(path, sizeof path, BY_ID "/%s", link->d_name);
        ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = 0;
        const char *last = strrchr(target, '/');
        if (last && strcmp(last, strrchr(node, '/')) == 0 && strlen(path) < ES_SERIAL_TEXT)
            memcpy(name, path, strlen(path) + 1);
    }
    if (links)
        closedir(links);
}

void es_serial_devices(es_serial_fn *found, void *context)
{
    DIR *devices = opendir(TTYS);
    for (const struct dirent *tty; devices && (tty = readdir(devices));) {
        es_serial_device device = {0};
        if (strncmp(tty->d_name, "ttyUSB", 6) != 0 && strncmp(tty->d_name, "ttyACM", 6) != 0)
            continue;
        snprintf(device.node, sizeof device.node, "/dev/%.50s", tty->d_name);
        if (access(device.node, F_OK) != 0)
            continue;
        find_name(device.node, device.name);
        describe(tty->d_name, &device);
        found(context, &device);
    }
    if (devices)
        closedir(devices);
}
