/* What statements cost: worst-case clocks of the soft core by kind of predicate, and size and hit rate by their
 * number. */
#include <stdio.h>
#include <string.h>

#include <image.h>

#include "base/text.h"
#include "bench.h"
#include "check/firmware/service.h"
#include "probe_defs.h"
#include "symbols/code.h"

#define CORE_HZ 24000000.0 /* soft core of the iCEBreaker */

typedef struct cost {
    uint32_t clocks; /* of the costliest event that the statements are evaluated at; the path is as the host knows it */
    size_t bytes;    /* of the image */
} cost;

static cost cost_of(const bench *b, const char *text)
{
    es_error err;
    es_program program;
    es_image image;
    es_text source = {"bench", text};
    const es_probe_limits limits = {.memory_size = ES_MEM_SIZE,
                                    .window_base = ES_TARGET_ROM_BASE,
                                    .window_size = ES_TARGET_ROM_SIZE + ES_TARGET_RAM_SIZE,
                                    .bus_hz = ES_SIM_BUS_HZ};
    if (!es_program_parse(b->symbols, &source, 1, &program, &err) ||
        !es_image_build(b->symbols, &program, &limits, &image, &err))
        bench_fail(&err);
    es_arena *arena = es_arena_new();
    es_check_service *service = es_check_service_new(arena, &image, es_symbols_isa(b->symbols));
    cost found = {.bytes = image.size};
    bool writes = false;
    for (size_t i = 0; i < image.key_count; i++)
        writes |= !image.keys[i].fetch;
    for (size_t i = 0; i < image.key_count; i++) {
        const es_image_key *key = &image.keys[i];
        const es_procedure *in = es_symbols_procedure_at(b->symbols, key->address);
        if (key->fetch == writes || (key->fetch && (!in || in->low != key->address)))
            continue;
        es_check_situation now = {.depth = 2, .path_sent = true};
        uint32_t clocks;
        if (!es_check_service_cost(service, false, key->fetch ? ES_CHECK_CALL : ES_CHECK_WRITE, key->address, &now,
                                   &clocks, &err))
            bench_fail(&err);
        found.clocks = clocks > found.clocks ? clocks : found.clocks;
    }
    es_arena_free(arena);
    es_image_free(&image);
    es_program_free(&program);
    return found;
}

void bench_statements(const bench *b)
{
    static const char *const kinds[] = {
        "temp > 80 { count n }",
        "temp > 80 { print temp }",
        "temp > 80 && temp < 90 && temp != 85 { print temp }",
        "temp > 80 && mode == ARMED { print temp, mode }",
        "temp > old(temp) + 5 { print temp, old(temp) }",
        "plant.zone[0].reading + plant.zone[1].reading > 150 { print }",
        "enter(control) { count n }",
        "enter(control) && temp > 80 { print temp }",
    };
    printf(
        "  worst-case soft core clocks of the event that makes a statement true, to the finished packet and back:\n");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char name[48];
        cost c = cost_of(b, kinds[i]);
        printf("    %5u  when %s\n", c.clocks, kinds[i]);
        snprintf(name, sizeof name, "statement_kind_%zu_clocks", i);
        bench_figure(name, c.clocks);
    }
    printf("  statements `when temp > N { print temp }` over one variable, all true:\n");
    size_t base = cost_of(b, kinds[1]).bytes;
    for (unsigned count = 1; count <= 256; count *= 4) {
        es_text_buffer text = {0};
        char name[48];
        for (unsigned i = 0; i < count; i++)
            es_text_format(&text, "s%u: when temp > %u { print temp }\n", i, i);
        cost c = cost_of(b, text.text);
        printf("    %3u: %6u clocks a write, so up to %8.0f hits a second at 24 MHz", count, c.clocks,
               CORE_HZ / c.clocks * count);
        if (count > 1)
            printf("; %.0f bytes each", (double)(c.bytes - base) / (count - 1));
        printf("\n");
        snprintf(name, sizeof name, "statements_%u_clocks", count);
        bench_figure(name, c.clocks);
        es_text_free(&text);
    }
}
