#include "faults.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

atomic_int faults_errno, faults_delay_us, faults_writes;
atomic_bool faults_stuck;

/* In place of the C library's. */
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
    int number = atomic_fetch_add(&faults_writes, 1);
    while (atomic_load(&faults_stuck))
        usleep(1000);
    if (atomic_load(&faults_delay_us))
        usleep((useconds_t)atomic_load(&faults_delay_us));
    if (atomic_load(&faults_errno)) {
        if (number % 2 && count > 1)
            return (ssize_t)syscall(SYS_pwrite64, file, bytes, count / 2, at);
        errno = atomic_load(&faults_errno);
        return -1;
    }
    return (ssize_t)syscall(SYS_pwrite64, file, bytes, count, at);
}

int fdatasync(int file)
{
    while (atomic_load(&faults_stuck))
        usleep(1000);
    return (int)syscall(SYS_fdatasync, file);
}
