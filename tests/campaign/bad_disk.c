/* A bad disk: preloaded into a program, whatever it does to files below one directory goes through this.
 *
 * EARSHOT_BAD_DISK names a file of `struct orders`, mapped by the program and written by who tests it, while it runs.
 * EARSHOT_BAD_DIRECTORY is the directory's path as the program uses it. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Kept in step with tests/campaign/disk.py. All 0: a good disk. */
struct orders {
    atomic_uint error;         /* writing fails with it */
    atomic_uint changes_error; /* making, renaming and removing files does */
    atomic_uint partly;        /* every second writing that fails writes a half first */
    atomic_uint delay_us;      /* of each call */
    atomic_uint stuck;         /* calls do not come back as long as it is set */
    atomic_uint disturbed;     /* counts calls that any of this happened to */
};

static struct orders *orders;
static const char *directory;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("EARSHOT_BAD_DISK");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    directory = getenv("EARSHOT_BAD_DIRECTORY");
    if (file < 0 || !directory)
        return;
    void *mapped = mmap(NULL, sizeof *orders, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    orders = mapped == MAP_FAILED ? NULL : mapped;
}

static int is_meant(const char *path)
{
    return orders && strncmp(path, directory, strlen(directory)) == 0;
}

static int file_is_meant(int file)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = orders ? readlink(link, path, sizeof path - 1) : -1;
    if (length < 0)
        return 0;
    path[length] = 0;
    return is_meant(path);
}

/* Waits as ordered. Returns the error that the call is to fail with, or 0. */
static unsigned disturb(const atomic_uint *error)
{
    unsigned delay = atomic_load(&orders->delay_us), wrong;
    if (delay || atomic_load(&orders->stuck))
        atomic_fetch_add(&orders->disturbed, 1);
    if (delay)
        usleep(delay);
    while (atomic_load(&orders->stuck))
        usleep(1000);
    wrong = atomic_load(error);
    if (wrong)
        atomic_fetch_add(&orders->disturbed, 1);
    return wrong;
}

static int fail(unsigned error)
{
    errno = (int)error;
    return -1;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
    static atomic_uint turn;
    unsigned error = file_is_meant(file) ? disturb(&orders->error) : 0;
    if (!error)
        return syscall(SYS_pwrite64, file, bytes, count, at);
    if (count > 1 && atomic_load(&orders->partly) && atomic_fetch_add(&turn, 1) % 2)
        return syscall(SYS_pwrite64, file, bytes, count / 2, at);
    return fail(error);
}

int fdatasync(int file)
{
    unsigned error = file_is_meant(file) ? disturb(&orders->error) : 0;
    return error ? fail(error) : (int)syscall(SYS_fdatasync, file);
}

int fsync(int file)
{
    unsigned error = file_is_meant(file) ? disturb(&orders->error) : 0;
    return error ? fail(error) : (int)syscall(SYS_fsync, file);
}

int ftruncate(int file, off_t length)
{
    unsigned error = file_is_meant(file) ? disturb(&orders->changes_error) : 0;
    return error ? fail(error) : (int)syscall(SYS_ftruncate, file, length);
}

int rename(const char *from, const char *to)
{
    unsigned error = is_meant(to) ? disturb(&orders->changes_error) : 0;
    return error ? fail(error) : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdir(const char *path, mode_t mode)
{
    unsigned error = is_meant(path) ? disturb(&orders->changes_error) : 0;
    return error ? fail(error) : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    unsigned error = is_meant(path) && (flags & O_ACCMODE) != O_RDONLY ? disturb(&orders->changes_error) : 0;
    return error ? fail(error) : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
