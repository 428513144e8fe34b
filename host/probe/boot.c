#include "probe/boot.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "image/firmware.h"
#include "probe_defs.h"

#define CLEAN_TRIES 20
#define MEMORY_LEAST 0x8000u /* the firmware and some tables: the power of two above ES_IMAGE_BASE */
#define WORD(reg) (((reg)-ES_REG_ID) / 4)
#define POLLS 1000 /* reads of a register that changes within microseconds */

bool es_probe_info_take(es_probe_info *info, const uint32_t words[ES_PROBE_INFO_WORDS], es_error *err)
{
    *info = (es_probe_info){.id = words[0],
                            .config = words[WORD(ES_REG_CONFIG)],
                            .fifo_depth = words[WORD(ES_REG_FIFO_DEPTH)],
                            .window_base = words[WORD(ES_REG_WINDOW_BASE)],
                            .window_size = words[WORD(ES_REG_WINDOW_SIZE)],
                            .memory_size = words[WORD(ES_REG_MEM_SIZE)]};
    if (info->id != ES_PROBE_ID)
        return es_fail(err, ES_PROBE,
                       "the device answers, but not as a probe of this version: its identification is 0x%08x, expected "
                       "0x%08x. Load the "
                       "bitstream that belongs to this earshot",
                       (unsigned)info->id, ES_PROBE_ID);
    if (es_probe_fetches(info) == ES_FETCHES_UNTOLD)
        return es_fail(
            err, ES_PROBE,
            "the probe does not say what fetches on its bus prove: build it with FETCHES (docs/attach-core.md)");
    if (info->window_size == 0 || info->window_size % 4 != 0 || info->window_base % 4 != 0)
        return es_fail(err, ES_PROBE, "the probe's phantom memory makes no sense: 0x%x bytes at 0x%08x",
                       (unsigned)info->window_size, (unsigned)info->window_base);
    if (!es_probe_has_monitor(info) && info->config & ES_CONFIG_RECORDER)
        return true;
    if (info->memory_size < MEMORY_LEAST || info->memory_size % 4 != 0)
        return es_fail(err, ES_PROBE,
                       "the probe has %u bytes of memory for firmware and statements, and %u are the least: build it "
                       "with MEM_LOG2=15 or more (docs/rtl.md)",
                       (unsigned)info->memory_size, MEMORY_LEAST);
    return true;
}

bool es_probe_info_read(es_link *link, es_probe_info *info, es_error *err)
{
    uint32_t words[ES_PROBE_INFO_WORDS];
    return es_link_read(link, ES_REG_BASE + ES_REG_ID, words, ES_PROBE_INFO_WORDS, err) &&
           es_probe_info_take(info, words, err);
}

es_probe_limits es_probe_info_limits(const es_probe_info *info)
{
    uint32_t lacks = (info->config & ES_CONFIG_READS ? 0 : ES_LACKS_READS) |
                     (info->config & ES_CONFIG_OUTPUTS ? 0 : ES_LACKS_OUTPUTS) |
                     (info->config & ES_CONFIG_TIME_NOW ? 0 : ES_LACKS_TIME) |
                     (info->config & ES_CONFIG_COMPRESSED ? 0 : ES_LACKS_COMPRESSED) |
                     (es_probe_fetches(info) == ES_FETCHES_AHEAD ? ES_LACKS_FETCHES : 0);
    uint32_t width = info->config >> ES_CONFIG_DATA_SHIFT & ES_CONFIG_DATA_MASK;
    return (es_probe_limits){.memory_size = info->memory_size,
                             .window_base = info->window_base,
                             .window_size = info->window_size,
                             .lacks = lacks,
                             .tracker = info->config & ES_CONFIG_TRACKER,
                             .narrow = width && width < 32};
}

static bool set_register(es_link *link, uint32_t offset, uint32_t value, es_error *err)
{
    return es_link_write(link, ES_REG_BASE + offset, &value, 1, err);
}

static bool get_register(es_link *link, uint32_t offset, uint32_t *value, es_error *err)
{
    return es_link_read(link, ES_REG_BASE + offset, value, 1, err);
}

static bool write_bytes(es_link *link, uint32_t address, const uint8_t *bytes, size_t size, es_error *err)
{
    size_t count = (size + 3) / 4;
    uint32_t *words = es_malloc(count * sizeof *words);
    for (size_t i = 0; i < count; i++) {
        words[i] = 0;
        for (size_t k = 0; k < 4 && i * 4 + k < size; k++)
            words[i] |= (uint32_t)bytes[i * 4 + k] << 8 * k;
    }
    bool good = es_link_write(link, address, words, count, err);
    free(words);
    return good;
}

/* Forgets which words are armed, and what is known of memory. */
static bool clear(es_link *link, es_error *err)
{
    uint32_t value = 0;
    if (!set_register(link, ES_REG_CTRL, ES_CTRL_CLEAR, err))
        return false;
    for (unsigned polls = 0; polls < POLLS; polls++) {
        if (!get_register(link, ES_REG_CTRL, &value, err))
            return false;
        if (!(value & ES_CTRL_CLEAR))
            return true;
    }
    return es_fail(err, ES_PROBE, "the probe does not finish clearing its planes: is the target's clock connected?");
}

/* Drops waiting hits, and unlocks the FIFO. The soft core does that: see firmware/drain. */
static bool drain(es_link *link, es_error *err)
{
    size_t size;
    uint32_t value = 0;
    const uint8_t *program = es_firmware_drain(&size);
    if (!write_bytes(link, ES_MEM_BASE, program, size, err) || !set_register(link, ES_REG_CPU_CTRL, 1, err))
        return false;
    for (unsigned polls = 0; polls < POLLS; polls++) {
        if (!get_register(link, ES_REG_STATUS, &value, err))
            return false;
        if (!(value & (ES_STATUS_HIT | ES_STATUS_LOCKED)))
            return set_register(link, ES_REG_CPU_CTRL, 0, err);
    }
    return es_fail(err, ES_PROBE, "the probe does not get rid of old hits (status 0x%08x)", (unsigned)value);
}

/* Whatever an earlier run left: armed words, waiting hits, a locked FIFO, a target that was halted. What was seen while
 * hits were in the way may have been lost in part, so what is known of memory is forgotten again afterwards. */
static bool clean(es_link *link, const es_probe_info *info, es_error *err)
{
    uint32_t before, after, status;
    const uint32_t none = 0; /* an image: whoever finds the probe after an unplug must not take `drain` for a monitor */
    if (!set_register(link, ES_REG_CPU_CTRL, 0, err) || !es_link_write(link, ES_IMAGE_BASE, &none, 1, err) ||
        (info->config & ES_CONFIG_OUTPUTS && !set_register(link, ES_REG_HALT, 0, err)) || !clear(link, err))
        return false;
    for (unsigned tries = 0; tries < CLEAN_TRIES; tries++) {
        if (!drain(link, err) || !get_register(link, ES_REG_LOST, &before, err) || !clear(link, err) ||
            !get_register(link, ES_REG_LOST, &after, err) || !get_register(link, ES_REG_STATUS, &status, err))
            return false;
        if (before == after && !(status & (ES_STATUS_HIT | ES_STATUS_LOCKED)))
            return true;
    }
    return es_fail(err, ES_PROBE, "the probe loses bus transactions while it is being loaded: %u so far",
                   (unsigned)after);
}

/* The program writes there: a writable segment, unless start-up code copies it from where it is loaded. */
static bool may_change(const es_symbols *symbols, const es_segment *segment)
{
    return segment->writable && !es_symbols_copied(symbols, segment);
}

/* The program's bytes, word by word; what a word has besides is zero, as the start-up code makes it. */
static bool fill_phantom(es_link *link, const es_probe_info *info, const es_symbols *symbols, bool constant,
                         size_t *phantom_bytes, es_error *err)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    uint8_t *bytes = es_malloc(info->window_size);
    bool *present = es_malloc(info->window_size / 4 * sizeof *present);
    memset(bytes, 0, info->window_size);
    memset(present, 0, info->window_size / 4 * sizeof *present);
    *phantom_bytes = 0;
    for (size_t s = 0; s < count; s++)
        for (uint32_t i = 0; i < segments[s].size && !(constant && may_change(symbols, &segments[s])); i++) {
            uint32_t offset = segments[s].address + i - info->window_base;
            if (offset < info->window_size) {
                bytes[offset] = segments[s].bytes[i];
                present[offset / 4] = true;
                ++*phantom_bytes;
            }
        }
    bool good = true;
    for (size_t first = 0, words = info->window_size / 4; first < words && good;) {
        size_t end = first;
        while (end < words && present[end])
            end++;
        if (end > first)
            good = write_bytes(link, ES_PHANTOM_BASE + (uint32_t)first * 4, bytes + first * 4, (end - first) * 4, err);
        first = end + 1;
    }
    free(bytes);
    free(present);
    return good;
}

bool es_probe_monitor_runs(es_link *link, bool *runs, es_error *err)
{
    uint32_t value;
    if (!get_register(link, ES_REG_CPU_CTRL, &value, err))
        return false;
    *runs = (value & 1) != 0;
    return true;
}

bool es_probe_load_beside(es_link *link, const es_probe_info *info, const es_image *image, es_error *err)
{
    size_t firmware_size;
    const uint8_t *firmware = es_firmware(&firmware_size);
    return clean(link, info, err) && write_bytes(link, ES_MEM_BASE, firmware, firmware_size, err) &&
           write_bytes(link, ES_IMAGE_BASE, image->bytes, image->size, err);
}

bool es_probe_load(es_link *link, const es_probe_info *info, const es_image *image, const es_symbols *symbols,
                   bool constant, size_t *phantom_bytes, es_error *err)
{
    return es_probe_load_beside(link, info, image, err) &&
           fill_phantom(link, info, symbols, constant, phantom_bytes, err);
}

bool es_probe_load_memory(es_link *link, const es_probe_info *info, const es_symbols *symbols, bool constant,
                          size_t *phantom_bytes, es_error *err)
{
    if (!es_probe_has_monitor(info))
        return clear(link, err) && fill_phantom(link, info, symbols, constant, phantom_bytes, err);
    return clean(link, info, err) && fill_phantom(link, info, symbols, constant, phantom_bytes, err) &&
           set_register(link, ES_REG_CPU_CTRL, 1,
                        err); /* `drain`, as `clean` has loaded it: epochs of the time are events, too */
}

bool es_probe_set_start(es_link *link, enum es_probe_start_mode mode, es_error *err)
{
    _Static_assert(ES_PROBE_START_AT_RESET == ES_MI_START_AT_RESET && ES_PROBE_START_RUNNING == ES_MI_START_RUNNING,
                   "as the firmware reads it");
    uint32_t word = mode;
    return es_link_write(link, ES_MEM_BASE + es_firmware_routines_get().start_mode, &word, 1, err);
}

bool es_probe_start(es_link *link, es_error *err)
{
    return set_register(link, ES_REG_CPU_CTRL, 1, err);
}

bool es_probe_boot(es_link *link, const es_probe_info *info, const es_image *image, const es_symbols *symbols,
                   size_t *phantom_bytes, es_error *err)
{
    return es_probe_load(link, info, image, symbols, false, phantom_bytes, err) && es_probe_start(link, err);
}
