#include "replay/program.h"

#include <inttypes.h>

#include "isa/isa.h"
#include "probe_defs.h"
#include "symbols/code.h"

void es_replay_reference(es_replay_program *program, const es_symbols *symbols)
{
    *program = (es_replay_program){
        .machine = {.isa = es_isa_of_simulated_target(),
                    .arch = ES_REPLAY_REFERENCE_ARCH,
                    .reset_pc = ES_TARGET_ROM_BASE,
                    .known_at_reset = true,
                    .big_endian = symbols && es_symbols_big_endian(symbols),
                    .processor = ES_PROCESSOR_REFERENCE},
        .symbols = symbols,
        .regions = {{ES_TARGET_ROM_BASE, ES_TARGET_ROM_SIZE}, {ES_TARGET_RAM_BASE, ES_TARGET_RAM_SIZE}},
        .region_count = 2,
        .reset = {.value = ES_TARGET_ROM_BASE, .mask = UINT32_MAX, .used = true},
        .timers = {{ES_TARGET_IO_BASE + ES_TARGET_IO_TIMECMP, 7}, {ES_TARGET_IO_BASE + ES_TARGET_IO_ALARM, 11}},
        .timer_count = 2,
    };
}

void es_replay_begins_at(es_replay_program *program, uint32_t address)
{
    program->machine.reset_pc = address;
    program->reset = (es_replay_vector){.value = address, .mask = UINT32_MAX, .used = true};
}

void es_replay_processor(es_replay_program *program, const es_symbols *symbols, enum es_processor_name name)
{
    const es_processor *its = es_processor_of(name);
    *program = (es_replay_program){
        .machine = {.isa = es_symbols_isa(symbols),
                    .arch = es_symbols_arch(symbols),
                    .reset_pc = es_symbols_entry(symbols),
                    .known_at_reset = its->known_at_reset,
                    .big_endian = es_symbols_big_endian(symbols),
                    .misaligned = its->misaligned,
                    .user_mode = its->user_mode,
                    .processor = name},
        .symbols = symbols,
        .reset = {.value = es_symbols_entry(symbols), .mask = UINT32_MAX, .used = true},
    };
}

bool es_replay_add_quiet(es_replay_program *program, es_replay_region region, es_error *err)
{
    if (program->quiet_count == ES_REPLAY_QUIET)
        return es_fail(err, ES_USAGE, "a recorder takes %u regions of memory beyond its window, and no more",
                       ES_REPLAY_QUIET);
    if (region.size < ES_REPLAY_QUIET_STEP || (region.size & (region.size - 1)) || (region.base & (region.size - 1)))
        return es_fail(
            err, ES_USAGE,
            "the recorder takes memory whose size is a power of two, 4K at least, at a multiple of that: not "
            "%" PRIu32 " bytes at 0x%08" PRIx32,
            region.size, region.base);
    program->quiet[program->quiet_count++] = region;
    return true;
}

static bool overlap(es_replay_region a, es_replay_region b)
{
    return a.base - b.base < b.size || b.base - a.base < a.size;
}

bool es_replay_window(es_replay_program *program, uint32_t base, uint32_t size, es_error *err)
{
    program->regions[0] = (es_replay_region){base, size};
    program->region_count = 1;
    for (size_t i = 0; i < program->quiet_count; i++) {
        for (size_t k = 0; k < program->region_count; k++)
            if (overlap(program->quiet[i], program->regions[k]))
                return es_fail(err, ES_USAGE,
                               "the memory at 0x%08" PRIx32 " overlaps with the probe's window, 0x%08" PRIx32
                               " to 0x%08" PRIx32 ", or with other memory that was named",
                               program->quiet[i].base, base, base + size - 1);
        program->regions[program->region_count++] = program->quiet[i];
    }
    return true;
}
