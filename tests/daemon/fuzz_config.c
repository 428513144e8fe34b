/* libFuzzer target: any bytes as the daemon's configuration. Built and run by `make fuzz-daemon`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "daemon/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file = -1;
    char path[64];
    es_daemon_config config;
    es_error err = {0};
    if (file < 0)
        file = memfd_create("config", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, 0) < 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    bool good = es_daemon_config_read(&config, path, &err) && es_daemon_config_check(&config, &err);
    if (!good && (!err.text[0] || err.code == ES_OK))
        abort(); /* refused without a word */
    for (size_t i = 0; good && i < config.monitor_count; i++)
        if (!*config.monitors[i].program || !*config.monitors[i].statements || !*config.monitors[i].probe)
            abort();
    es_daemon_config_free(&config);
    return 0;
}
