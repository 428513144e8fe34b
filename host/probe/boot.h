/* Brings a probe from any state to running firmware. */
#ifndef ES_PROBE_BOOT_H
#define ES_PROBE_BOOT_H

#include "image/image.h"
#include "probe_defs.h"
#include "transport/command.h"

/* What a probe says of itself. */
typedef struct es_probe_info {
    uint32_t id, config, fifo_depth, window_base, window_size, memory_size;
} es_probe_info;

/* ES_FETCHES_*: what a fetch proves that the probe's tap has seen. */
static inline unsigned es_probe_fetches(const es_probe_info *info)
{
    return info->config >> ES_CONFIG_FETCHES_SHIFT & 3;
}

/* Whether there is a monitor. A probe that was built without one (MONITOR(0), docs/rtl.md) records inputs alone: it has
 * no soft core, whose memory's size is 0. */
static inline bool es_probe_has_monitor(const es_probe_info *info)
{
    return info->memory_size != 0;
}

/* A single command reads the registers from ES_REG_ID to ES_REG_MEM_SIZE, those of es_probe_info among them: a
 * recording begins with that answer. */
#define ES_PROBE_INFO_WORDS ((ES_REG_MEM_SIZE - ES_REG_ID) / 4 + 1)

/* Takes the words of the registers from ES_REG_ID on. Fails with ES_PROBE when they are not those of a probe this
 * program can use. */
bool es_probe_info_take(es_probe_info *info, const uint32_t words[ES_PROBE_INFO_WORDS], es_error *err);

bool es_probe_info_read(es_link *link, es_probe_info *info, es_error *err);

/* Whether a monitor runs on the probe, which has been loaded before: after the probe was unplugged, whether it has kept
 * its power. */
bool es_probe_monitor_runs(es_link *link, bool *runs, es_error *err);

/* The clock of the target's bus is not among it: bus_hz is 0. */
es_probe_limits es_probe_info_limits(const es_probe_info *info);

/* The target starts with the monitor, with the program's data in memory; has to be reset first, or runs already: then
 * only what cannot change is known of its memory. */
enum es_probe_start_mode { ES_PROBE_START_WITH, ES_PROBE_START_AT_RESET, ES_PROBE_START_RUNNING };

/* Before es_probe_start: what is to be expected of the target. Without it, ES_PROBE_START_WITH. */
bool es_probe_set_start(es_link *link, enum es_probe_start_mode mode, es_error *err);

/* Stops the soft core, clears the breakpoint planes, loads firmware, image, and the program's bytes into phantom
 * memory. *phantom_bytes: how many bytes of the program lie in the window. constant: only of what the program cannot
 * write. Event frames that arrive until then are of an earlier run. */
bool es_probe_load(es_link *link, const es_probe_info *info, const es_image *image, const es_symbols *symbols,
                   bool constant, size_t *phantom_bytes, es_error *err);

/* The same of a probe that shares the phantom memory of another, which is loaded. */
bool es_probe_load_beside(es_link *link, const es_probe_info *info, const es_image *image, es_error *err);

/* The same without a monitor: no word is armed, and the soft core, where there is one, drops what events there are. For
 * a probe's recorder. */
bool es_probe_load_memory(es_link *link, const es_probe_info *info, const es_symbols *symbols, bool constant,
                          size_t *phantom_bytes, es_error *err);

/* Starts the soft core: the firmware's HELLO comes next, and hits may come in the same breath. */
bool es_probe_start(es_link *link, es_error *err);

/* Both. */
bool es_probe_boot(es_link *link, const es_probe_info *info, const es_image *image, const es_symbols *symbols,
                   size_t *phantom_bytes, es_error *err);

#endif
