/* Traces of either kind, and names of files. */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli/infer/ctf_source.h"
#include "cli/infer/private.h"

bool es_infer_read(const char *path, es_infer_words *words, const es_infer_sink *sink, es_error *err)
{
    struct stat is;
    if (stat(path, &is) != 0)
        return es_fail(err, ES_USAGE, "%s: cannot be read: %s", path, strerror(errno));
    return S_ISDIR(is.st_mode) ? es_infer_read_ctf(path, words, sink, err) : es_infer_read_list(path, words, sink, err);
}

bool es_infer_can_read_twice(const char *path, es_error *err)
{
    struct stat is;
    return stat(path, &is) != 0 || S_ISREG(is.st_mode) || S_ISDIR(is.st_mode) ||
           es_fail(err, ES_USAGE, "%s: is a pipe or a device, and a trace is read twice: write it to a file first",
                   path);
}

bool es_infer_is_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}
