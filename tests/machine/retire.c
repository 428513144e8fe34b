/* retire PROGRAM.elf...: the machine against the reference target's retire port (RTL), instruction by instruction.
 *
 * What the target did is the only source: what devices and control registers read comes from there, and where interrupts
 * came. One machine tells each instruction, which is compared; another one runs as fast as it can, and has to have the
 * same registers, hash and memory in the end. EARSHOT_RETIRED: instructions of each program at most. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/endian.h"
#include "machine/machine.h"
#include "probe_defs.h"
#include "sim.h"
#include "symbols/symbols.h"

enum { MCAUSE = 0x342, TIMER = 7, CHECK_EVERY = 997 };

typedef struct history {
    es_retired *retired;
    size_t count, most, room;
} history;

/* A machine that executes what a log says. */
typedef struct follower {
    es_machine *machine;
    const history *heard;
    size_t at;     /* the instruction that is next, or being executed */
    unsigned sets; /* register that it has set; 0: none */
    bool stored, loaded;
    const char *wrong;
    char text[200];
} follower;

static void on_retired(void *context, const es_retired *retired)
{
    history *it = context;
    if (it->count == it->most)
        return;
    if (it->count == it->room) {
        it->room = it->room ? 2 * it->room : 4096;
        it->retired = realloc(it->retired, it->room * sizeof *it->retired);
        if (!it->retired)
            abort();
    }
    it->retired[it->count++] = *retired;
}

static bool differs(follower *it, const char *what, uint32_t here, uint32_t there)
{
    if (!it->wrong)
        snprintf(it->text, sizeof it->text, "instruction %zu at 0x%08x (0x%08x): %s is 0x%08x, in hardware 0x%08x",
                 it->at, it->heard->retired[it->at].pc, it->heard->retired[it->at].insn, what, here, there);
    it->wrong = it->text;
    return false;
}

static const es_retired *current(const follower *it)
{
    size_t at = (size_t)es_machine_fetches(it->machine);
    return &it->heard->retired[at < it->heard->count ? at : it->heard->count - 1];
}

static bool read_device(void *context, uint32_t address, unsigned size, uint32_t *value, uint32_t *unknown)
{
    const follower *it = context;
    const es_retired *retired = current(it);
    (void)address;
    *value = retired->rd_value & (size == 4 ? UINT32_MAX : (1u << 8 * size) - 1);
    if (es_machine_big_endian(it->machine)) /* as the bus has its bytes */
        *value = (uint32_t)es_endian_turned(*value, size);
    *unknown = retired->rd ? 0 : UINT32_MAX;
    return true;
}

static bool read_control(void *context, unsigned number, uint32_t *value, uint32_t *unknown)
{
    const es_retired *retired = current(context);
    (void)number;
    *value = retired->rd_value;
    *unknown = retired->rd ? 0 : UINT32_MAX;
    return true;
}

static void on_access(void *context, const es_machine_access *access)
{
    follower *it = context;
    const es_retired *there = &it->heard->retired[it->at];
    if (access->kind == ES_KIND_FETCH) {
        if (access->address != there->pc || access->data != there->insn)
            differs(it, "the instruction", access->data, there->insn);
        return;
    }
    bool write = access->kind == ES_KIND_WRITE;
    *(write ? &it->stored : &it->loaded) = true;
    if (access->address != there->mem_addr)
        differs(it, "the access's address", access->address, there->mem_addr);
    if (access->lanes != (write ? there->mem_wmask : there->mem_rmask))
        differs(it, "its lanes", access->lanes, write ? there->mem_wmask : there->mem_rmask);
    uint32_t lanes = 0;
    for (unsigned i = 0; i < 4; i++)
        lanes |= access->lanes >> i & 1 ? 0xFFu << 8 * i : 0;
    if (write && access->data != (there->mem_wdata & lanes & ~access->unknown))
        differs(it, "what was stored", access->data, there->mem_wdata & lanes);
}

static void on_sets(void *context, unsigned reg)
{
    ((follower *)context)->sets = reg;
}

/* Cause of the interrupt whose handler begins at `at`: as the handler reads it. */
static uint32_t cause_of(const history *heard, size_t at)
{
    for (size_t i = at; i < heard->count && i < at + 2000; i++) {
        const es_retired *it = &heard->retired[i];
        if ((it->insn & 0x7F) == 0x73 && it->insn >> 20 == MCAUSE && it->rd && it->rd_value >> 31)
            return it->rd_value;
        if (it->insn == 0x30200073)
            break;
    }
    return TIMER;
}

/* Before instruction `at`: an interrupt, if there was one. */
static void interrupt(follower *it, size_t at)
{
    const es_retired *there = &it->heard->retired[at];
    if (there->interrupt && es_machine_pc(it->machine) != there->pc)
        es_machine_interrupt(it->machine, cause_of(it->heard, at), 0);
}

static bool step(follower *it)
{
    const es_retired *there = &it->heard->retired[it->at];
    interrupt(it, it->at);
    if (es_machine_pc(it->machine) != there->pc)
        return differs(it, "its address", es_machine_pc(it->machine), there->pc);
    it->sets = 0;
    it->stored = it->loaded = false;
    enum es_machine_stop stop = es_machine_run(it->machine, it->at + 1);
    if (stop != ES_MACHINE_UNTIL && stop != ES_MACHINE_WAITS) {
        differs(it, "the stop", stop, 0);
        snprintf(it->text, sizeof it->text, "instruction %zu: %s", it->at, es_machine_reason(it->machine));
        return false;
    }
    if (it->wrong)
        return false;
    if (it->sets != there->rd)
        return differs(it, "the register that is set", it->sets, there->rd);
    if (it->stored != (there->mem_wmask != 0) || it->loaded != (there->mem_rmask != 0))
        return differs(it, "whether it accesses memory", it->stored | it->loaded, there->mem_wmask | there->mem_rmask);
    es_machine_registers registers;
    es_machine_get(it->machine, &registers);
    if (it->sets && (registers.x[it->sets] ^ there->rd_value) & ~registers.x_unknown[it->sets])
        return differs(it, "its value", registers.x[it->sets], there->rd_value);
    it->at++;
    return true;
}

/* The same without a listener, in runs of any lengths, to the same place. */
static bool run(follower *it, size_t to)
{
    while (es_machine_fetches(it->machine) < to) {
        size_t at = (size_t)es_machine_fetches(it->machine), next = at + 1;
        interrupt(it, at);
        while (next < to && !it->heard->retired[next].interrupt)
            next++;
        enum es_machine_stop stop;
        do
            stop = es_machine_run(it->machine, next);
        while (stop == ES_MACHINE_WAITS);
        it->at = (size_t)es_machine_fetches(it->machine);
        if (stop != ES_MACHINE_UNTIL) {
            it->wrong = es_machine_reason(it->machine);
            return false;
        }
    }
    return true;
}

static bool same_state(follower *it, follower *other)
{
    es_machine_registers a, b;
    es_machine_get(it->machine, &a);
    es_machine_get(other->machine, &b);
    if (a.pc != b.pc)
        return differs(it, "pc without a listener", b.pc, a.pc);
    for (unsigned i = 0; i < 32; i++)
        if (a.x[i] != b.x[i] || a.x_unknown[i] != b.x_unknown[i]) {
            printf("x%u: 0x%08x 0x%08x, 0x%08x 0x%08x\n", i, a.x[i], a.x_unknown[i], b.x[i], b.x_unknown[i]);
            return differs(it, "a register without a listener", b.x[i], a.x[i]);
        }
    es_machine_hash one = es_machine_get_hash(it->machine), two = es_machine_get_hash(other->machine);
    if (one.sum != two.sum || one.sums != two.sums)
        return differs(it, "the hash without a listener", two.sums, one.sums);
    if (es_machine_hash_unknown(it->machine) != es_machine_hash_unknown(other->machine))
        return differs(it, "whether its hash is known", es_machine_hash_unknown(other->machine),
                       es_machine_hash_unknown(it->machine));
    return true;
}

static bool same_memory(follower *it, follower *other)
{
    enum { SIZE = ES_TARGET_RAM_SIZE };
    static uint8_t bytes[2][SIZE], unknown[2][SIZE];
    follower *both[] = {it, other};
    for (unsigned i = 0; i < 2; i++)
        es_machine_peek(both[i]->machine, ES_TARGET_RAM_BASE, bytes[i], unknown[i], SIZE);
    for (unsigned i = 0; i < SIZE; i++)
        if (bytes[0][i] != bytes[1][i] || unknown[0][i] != unknown[1][i])
            return differs(it, "memory without a listener", bytes[1][i], bytes[0][i]);
    return true;
}

static es_machine *machine_for(const es_symbols *symbols, follower *context)
{
    es_error err;
    const es_segment *segments;
    es_machine_options options = {.isa = es_isa_of_simulated_target(),
                                  .arch = es_sim_isa(),
                                  .reset_pc = ES_TARGET_ROM_BASE,
                                  .big_endian = es_symbols_big_endian(symbols),
                                  .processor = ES_PROCESSOR_REFERENCE,
                                  .outside = {.read = read_device, .control = read_control, .context = context}};
    es_machine *machine = es_machine_new(&options, &err);
    if (!machine || !es_machine_region(machine, ES_TARGET_ROM_BASE, ES_TARGET_ROM_SIZE, false, &err) ||
        !es_machine_region(machine, ES_TARGET_RAM_BASE, ES_TARGET_RAM_SIZE, true, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        es_machine_poke(machine, segments[i].address, segments[i].bytes, NULL, segments[i].size);
    return machine;
}

static bool record(const char *path, const es_symbols *symbols, history *heard)
{
    es_error err;
    const es_segment *segments;
    es_sim_config config = {.world = ES_SIM_BARE, .seed = 1, .on_retired = on_retired, .context = heard};
    es_sim *sim = es_sim_new(&config, &err);
    size_t count = es_symbols_segments(symbols, &segments);
    for (size_t i = 0; i < count; i++)
        if (!sim || !es_sim_load(sim, segments[i].address, segments[i].bytes, segments[i].size)) {
            fprintf(stderr, "%s does not fit\n", path);
            return false;
        }
    es_sim_start_target(sim);
    while (heard->count < heard->most && es_sim_step(sim, 10000, 0) == ES_SIM_RUNNING)
        ;
    es_sim_free(sim);
    return heard->count > 30;
}

static bool follows(const char *path, size_t most, size_t *instructions, size_t *interrupts)
{
    es_error err;
    history heard = {.most = most};
    es_symbols *symbols = es_symbols_open(path, &err);
    if (!symbols) {
        fprintf(stderr, "%s: %s\n", path, err.text);
        return false;
    }
    follower told = {.heard = &heard}, fast = {.heard = &heard};
    told.machine = machine_for(symbols, &told);
    fast.machine = machine_for(symbols, &fast);
    es_machine_listen(told.machine, &(es_machine_listener){.access = on_access, .sets = on_sets, .context = &told});
    bool good = record(path, symbols, &heard);
    while (good && told.at < heard.count) {
        *interrupts += heard.retired[told.at].interrupt;
        good = step(&told);
        if (good && (told.at % CHECK_EVERY == 0 || told.at == heard.count))
            good = run(&fast, told.at) && same_state(&told, &fast);
    }
    good = good && same_memory(&told, &fast);
    if (!good)
        printf("%s: %s\n", path, told.wrong ? told.wrong : fast.wrong ? fast.wrong : "nothing retired");
    *instructions += told.at;
    es_machine_free(told.machine);
    es_machine_free(fast.machine);
    es_symbols_close(symbols);
    free(heard.retired);
    return good;
}

int main(int argc, char **argv)
{
    const char *wanted = getenv("EARSHOT_RETIRED");
    size_t most = wanted ? strtoul(wanted, NULL, 0) : 100000, instructions = 0, interrupts = 0;
    int passed = 0;
    for (int i = 1; i < argc; i++)
        passed += follows(argv[i], most, &instructions, &interrupts);
    printf("%zu instructions, %zu traps\n", instructions, interrupts);
    printf("%d passed, %d failed\n", passed, argc - 1 - passed);
    return passed != argc - 1;
}
