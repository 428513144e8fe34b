/* Traces of a daemon that was killed: their torn ends are cut off before the next one begins, so that every tool reads
 * them. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "daemon/daemon.h"
#include "store/trace.h"

/* NAME-20261122T171500Z, maybe with a number after it: one of a daemon's own, which nobody else writes. */
static bool is_own(const char *name)
{
    static const char form[] = "-00000000T000000Z";
    for (const char *at = strchr(name, '-'); at; at = strchr(at + 1, '-')) {
        size_t i = 0;
        while (form[i] && (form[i] == '0' ? isdigit((unsigned char)at[i]) != 0 : at[i] == form[i]))
            i++;
        if (!form[i])
            return true;
    }
    return false;
}

static void mend(const char *directory, const char *name)
{
    es_text_buffer path = {0};
    es_error err = {0};
    uint64_t cut = 0;
    es_text_format(&path, "%s/%s", directory, name);
    if (!es_trace_mend(path.text, &cut, &err))
        fprintf(stderr, "earshotd: %s\n", err.text);
    else if (cut)
        fprintf(stderr, "earshotd: %s: its writer was killed; a torn end of %llu bytes was cut off\n", path.text,
                (unsigned long long)cut);
    es_text_free(&path);
}

int es_daemon_mend(const char *directory)
{
    int lock = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (lock < 0)
        return -1;
    DIR *traces = flock(lock, LOCK_EX | LOCK_NB) == 0 ? opendir(directory) : NULL;
    if (traces) {
        for (const struct dirent *entry; (entry = readdir(traces));)
            if (is_own(entry->d_name))
                mend(directory, entry->d_name);
        closedir(traces);
    }
    return lock;
}
