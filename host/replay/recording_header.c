#include "isa/isa.h"
#include "replay/recording_private.h"
#include "symbols/code.h"

/* Flags, and above them the processor */
enum { REFERENCE = 1, KNOWN_AT_RESET = 2, MISALIGNED = 4, PROCESSOR = 8 };

uint64_t es_recording_hash(const es_symbols *symbols)
{
    const es_segment *segments;
    size_t count = es_symbols_segments(symbols, &segments);
    uint64_t sum = ES_RECORDING_SUM;
    for (size_t i = 0; i < count; i++) {
        uint8_t head[8];
        es_put_u32(head, segments[i].address);
        es_put_u32(head + 4, segments[i].size);
        sum = es_recording_sum(es_recording_sum(sum, head, sizeof head), segments[i].bytes, segments[i].size);
    }
    return sum;
}

void es_recording_info_of(es_recording_info *info, const es_replay_program *program, uint64_t clock_hz)
{
    *info = (es_recording_info){.program_hash = es_recording_hash(program->symbols),
                                .clock_hz = clock_hz,
                                .reset_pc = program->machine.reset_pc,
                                .processor = program->machine.processor,
                                .known_at_reset = program->machine.known_at_reset,
                                .misaligned = program->machine.misaligned,
                                .region_count = program->region_count,
                                .traps = program->traps,
                                .reset = program->reset,
                                .timer_count = program->timer_count};
    memcpy(info->regions, program->regions, sizeof info->regions);
    memcpy(info->timers, program->timers, sizeof info->timers);
}

bool es_recording_program(const es_recording_info *info, const es_symbols *symbols, es_replay_program *program,
                          es_error *err)
{
    if (info->program_hash != es_recording_hash(symbols))
        return es_fail(err, ES_USAGE,
                       "the recording is of another program than this ELF file, or of another build of it: give the "
                       "file that the target ran");
    *program = (es_replay_program){.machine = {.isa = es_symbols_isa(symbols),
                                               .arch = es_symbols_arch(symbols),
                                               .reset_pc = info->reset_pc,
                                               .known_at_reset = info->known_at_reset,
                                               .big_endian = es_symbols_big_endian(symbols),
                                               .misaligned = info->misaligned,
                                               .user_mode = es_processor_of(info->processor)->user_mode,
                                               .processor = info->processor},
                                   .symbols = symbols,
                                   .region_count = info->region_count,
                                   .traps = info->traps,
                                   .reset = info->reset,
                                   .timer_count = info->timer_count};
    if (info->processor == ES_PROCESSOR_REFERENCE)
        program->machine.arch = ES_REPLAY_REFERENCE_ARCH;
    memcpy(program->regions, info->regions, sizeof program->regions);
    memcpy(program->timers, info->timers, sizeof program->timers);
    return true;
}

/* --- as bytes -------------------------------------------------------------------------------- */

static uint8_t *put_vector(uint8_t *to, es_replay_vector vector)
{
    es_put_u32(to, vector.value);
    es_put_u32(to + 4, vector.mask);
    es_put_u32(to + 8, vector.used);
    return to + 12;
}

static const uint8_t *get_vector(const uint8_t *from, es_replay_vector *vector)
{
    *vector = (es_replay_vector){es_get_u32(from), es_get_u32(from + 4), es_get_u32(from + 8) != 0};
    return from + 12;
}

void es_recording_put_header(uint8_t header[ES_RECORDING_HEADER], const es_recording_info *info)
{
    memset(header, 0, ES_RECORDING_HEADER);
    for (size_t i = 0; i < 8; i++)
        header[i] = (uint8_t)ES_RECORDING_MAGIC[i];
    es_put_u32(header + 8, ES_RECORDING_VERSION);
    es_put_u32(header + 12, (info->processor == ES_PROCESSOR_REFERENCE ? REFERENCE : 0) |
                                (info->known_at_reset ? KNOWN_AT_RESET : 0) | (info->misaligned ? MISALIGNED : 0) |
                                (uint32_t)info->processor << PROCESSOR);
    es_put_u64(header + 16, info->program_hash);
    es_put_u64(header + 24, info->clock_hz);
    es_put_u32(header + 32, info->reset_pc);
    es_put_u32(header + 36, (uint32_t)info->region_count);
    es_put_u32(header + 40, (uint32_t)info->timer_count);
    uint8_t *at = put_vector(put_vector(header + 44, info->traps), info->reset);
    for (size_t i = 0; i < ES_REPLAY_REGIONS; i++, at += 8) {
        es_put_u32(at, info->regions[i].base);
        es_put_u32(at + 4, info->regions[i].size);
    }
    for (size_t i = 0; i < ES_REPLAY_TIMERS; i++, at += 8) {
        es_put_u32(at, info->timers[i].compare);
        es_put_u32(at + 4, info->timers[i].cause);
    }
    es_put_u64(header + ES_RECORDING_HEADER - 8, es_recording_sum(ES_RECORDING_SUM, header, ES_RECORDING_HEADER - 8));
}

bool es_recording_get_header(const uint8_t header[ES_RECORDING_HEADER], es_recording_info *info)
{
    uint32_t flags = es_get_u32(header + 12);
    uint32_t version = es_get_u32(header + 8);
    if (memcmp(header, ES_RECORDING_MAGIC, 8) != 0 || version < 1 || version > ES_RECORDING_VERSION ||
        es_get_u64(header + ES_RECORDING_HEADER - 8) !=
            es_recording_sum(ES_RECORDING_SUM, header, ES_RECORDING_HEADER - 8))
        return false;
    *info = (es_recording_info){.program_hash = es_get_u64(header + 16),
                                .clock_hz = es_get_u64(header + 24),
                                .reset_pc = es_get_u32(header + 32),
                                .processor = flags & REFERENCE ? ES_PROCESSOR_REFERENCE
                                                               : (enum es_processor_name)(flags >> PROCESSOR),
                                .known_at_reset = flags & KNOWN_AT_RESET,
                                .misaligned = flags & MISALIGNED,
                                .region_count = es_get_u32(header + 36),
                                .timer_count = es_get_u32(header + 40)};
    if (flags >> PROCESSOR >= ES_PROCESSORS || info->region_count > ES_REPLAY_REGIONS ||
        info->timer_count > ES_REPLAY_TIMERS || !info->clock_hz)
        return false;
    const uint8_t *at = get_vector(get_vector(header + 44, &info->traps), &info->reset);
    for (size_t i = 0; i < ES_REPLAY_REGIONS; i++, at += 8)
        info->regions[i] = (es_replay_region){es_get_u32(at), es_get_u32(at + 4)};
    for (size_t i = 0; i < ES_REPLAY_TIMERS; i++, at += 8)
        info->timers[i] = (es_replay_timer){es_get_u32(at), (uint8_t)es_get_u32(at + 4)};
    return true;
}
