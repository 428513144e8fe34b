/* The chunks that there are, and removing old ones. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "store/chunk.h"

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* 0: the name is no chunk's. */
static uint64_t number_in(const char *name)
{
    static const char prefix[] = "chunk-";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return 0;
    const char *digits = name + sizeof prefix - 1;
    size_t count = strspn(digits, "0123456789");
    return count < 6 || count > 18 || digits[count] ? 0 : strtoull(digits, NULL, 10);
}

bool es_chunk_list(const char *directory, uint64_t **numbers, size_t *count)
{
    *numbers = NULL;
    *count = 0;
    DIR *folder = opendir(directory);
    if (!folder)
        return false;
    size_t room = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        uint64_t number = number_in(entry->d_name);
        if (!number)
            continue;
        if (*count == room) {
            room = room ? room * 2 : 16;
            *numbers = es_realloc(*numbers, room * sizeof **numbers);
        }
        (*numbers)[(*count)++] = number;
    }
    closedir(folder);
    if (*count)
        qsort(*numbers, *count, sizeof **numbers, compare);
    return true;
}

/* Bytes of a chunk's files, and when its stream was last written to, in seconds since 1970. */
static uint64_t look_at(const char *directory, uint64_t number, time_t *last)
{
    static const char *const names[] = {"metadata", "stream_0"};
    uint64_t bytes = 0;
    es_text_buffer path = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct stat found;
        es_chunk_path(&path, directory, number, names[i]);
        if (stat(path.text, &found) != 0)
            continue;
        bytes += (uint64_t)found.st_size;
        if (found.st_mtime > *last)
            *last = found.st_mtime;
    }
    es_text_free(&path);
    return bytes;
}

static bool remove_chunk(const char *directory, uint64_t number)
{
    /* The metadata first: what is left when it ends in the middle is no trace to anybody. */
    static const char *const names[] = {"metadata", "stream_0", ".metadata"};
    es_text_buffer path = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        es_chunk_path(&path, directory, number, names[i]);
        unlink(path.text);
    }
    es_chunk_path(&path, directory, number, NULL);
    bool good = rmdir(path.text) == 0;
    es_text_free(&path);
    return good;
}

void es_chunk_remove_old(const char *directory, uint64_t current, uint64_t keep_bytes, uint64_t keep_ns)
{
    uint64_t *numbers, all = 0;
    size_t count;
    if ((!keep_bytes && !keep_ns) || !es_chunk_list(directory, &numbers, &count))
        return;
    time_t unused = 0;
    for (size_t i = 0; i < count; i++)
        all += look_at(directory, numbers[i], &unused);
    for (size_t i = 0; i < count && numbers[i] < current; i++) {
        time_t last = 0;
        uint64_t bytes = look_at(directory, numbers[i], &last);
        double age = difftime(time(NULL), last);
        if (!(keep_bytes && all > keep_bytes) && !(keep_ns && age > (double)keep_ns / 1e9))
            break;
        if (!remove_chunk(directory, numbers[i]))
            break;
        all -= bytes;
    }
    free(numbers);
}
