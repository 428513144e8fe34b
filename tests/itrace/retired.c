/* retired PROGRAM.elf: what the reference target's retire port (RTL) says of each instruction, a line each:
 * "PC INSN RD VALUE READ WRITE TRAP", in hexadecimal. RD 0: no register. READ: the address that was read, - where none
 * was. WRITE: address:value of so many digits as it has, - where nothing was written. TRAP: 1 for the first instruction
 * of a handler. Nothing of the host is used but what reads the file. */
#include <stdio.h>
#include <stdlib.h>

#include "sim.h"
#include "symbols/symbols.h"

static void on_retired(void *context, const es_retired *it)
{
    (void)context;
    printf("%08x %08x %u %08x ", it->pc, it->insn, it->rd, it->rd ? it->rd_value : 0);
    if (it->mem_rmask)
        printf("%08x ", it->mem_addr + (unsigned)__builtin_ctz(it->mem_rmask));
    else
        printf("- ");
    if (it->mem_wmask) {
        unsigned first = (unsigned)__builtin_ctz(it->mem_wmask), size = (unsigned)__builtin_popcount(it->mem_wmask);
        printf("%08x:%0*x ", it->mem_addr + first, (int)(2 * size),
               (unsigned)((it->mem_wdata >> 8 * first) & (0xFFFFFFFFu >> (32 - 8 * size))));
    } else {
        printf("- ");
    }
    printf("%d\n", it->interrupt);
}

int main(int argc, char **argv)
{
    es_error err;
    const es_segment *segments;
    es_symbols *symbols = argc == 2 ? es_symbols_open(argv[1], &err) : NULL;
    es_sim_config config = {.world = ES_SIM_BARE, .seed = 1, .on_retired = on_retired};
    es_sim *sim = symbols ? es_sim_new(&config, &err) : NULL;
    if (!sim) {
        fprintf(stderr, "retired PROGRAM.elf\n");
        return EXIT_FAILURE;
    }
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size))
            return EXIT_FAILURE;
    es_sim_start_target(sim);
    while (es_sim_step(sim, 10000, 0) == ES_SIM_RUNNING)
        ;
    es_sim_free(sim);
    es_symbols_close(symbols);
    return EXIT_SUCCESS;
}
