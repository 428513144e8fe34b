#include "transport/holders.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define VIRTUAL "virtual-probe" /* opens no device, but makes some (docs/virtual-probe.md) */

/* The same device, whatever the file is called; or the same file, where it is no device. */
static bool is_same(const struct stat *one, const struct stat *other)
{
    if (S_ISCHR(one->st_mode) && S_ISCHR(other->st_mode))
        return one->st_rdev == other->st_rdev;
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

static bool has_open(const char *process, const struct stat *device)
{
    char path[PATH_MAX];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%s/fd", process);
    DIR *files = opendir(path);
    if (!files)
        return false;
    for (const struct dirent *file; !found && (file = readdir(files));) {
        struct stat status;
        snprintf(path, sizeof path, "/proc/%s/fd/%s", process, file->d_name);
        found = file->d_name[0] != '.' && stat(path, &status) == 0 && is_same(&status, device);
    }
    closedir(files);
    return found;
}

static void name_of(const char *process, char name[64])
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%s/comm", process);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(name, 64, file))
        snprintf(name, 64, "a program");
    name[strcspn(name, "\n")] = 0;
    if (file)
        fclose(file);
}

void es_holders(const char *path, char text[ES_HOLDERS_TEXT])
{
    struct stat device;
    size_t used = 0;
    text[0] = 0;
    DIR *processes = stat(path, &device) == 0 ? opendir("/proc") : NULL;
    if (!processes)
        return;
    for (const struct dirent *process; (process = readdir(processes));) {
        char name[64];
        if (!isdigit((unsigned char)process->d_name[0]) || strtol(process->d_name, NULL, 10) == getpid() ||
            !has_open(process->d_name, &device))
            continue;
        name_of(process->d_name, name);
        if (strcmp(name, VIRTUAL) == 0)
            continue; /* it is the device itself */
        int length =
            snprintf(text + used, ES_HOLDERS_TEXT - used, "%s%s (process %s)", used ? ", " : "", name, process->d_name);
        if (length < 0 || used + (size_t)length >= ES_HOLDERS_TEXT)
            break;
        used += (size_t)length;
    }
    text[used] = 0;
    closedir(processes);
}
