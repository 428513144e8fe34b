#include "scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define PATHS 8

static char folder[1024];

void scratch_begin(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/earshot-store-XXXXXX", base ? base : P_tmpdir);
    if (!mkdtemp(folder))
        abort();
}

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *where)
{
    (void)found;
    (void)kind;
    (void)where;
    chmod(path, 0700);
    return remove(path);
}

void scratch_end(void)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_path(const char *name)
{
    static char paths[PATHS][sizeof folder + 128];
    static unsigned next;
    char *path = paths[next++ % PATHS];
    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}
