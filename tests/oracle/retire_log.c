/* retire-log PROGRAM.elf OUT [--seed N] [--max-cycles N] [--at ADDRESS]... [--read ADDRESS]... [--reads] [--sram N]
 *
 * Runs a program on the reference target alone, with no probe beside it (--sram: on that of ES_SIM_SRAM with a ratio of N, whose probe does
 * nothing), and writes down what the oracle (oracle.py) needs to know about the instructions that retired. Nothing of the host is used here: the
 * ELF is read through libelf, the target's processor itself says what it did. That the probe sees the same cycle numbers shows that it does not
 * disturb the target.
 *
 * Log: little-endian records of 36 bytes, layout `struct record`, in the order of retirement; the last one is an END.
 */
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe_defs.h"
#include "sim.h"

enum record_kind {
    RECORD_STORE, /* a = word address, b = bytes in their lanes, lanes = mask; time = of the access */
    RECORD_JUMP, /* jal, jalr and their like of 16 bits: a = place jumped to, b = instruction, c = stack pointer; time = fetch of the next one */
    /* pc = start of the handler, a = place interrupted, b = the instruction retired before, c = stack pointer; time = its fetch */
    RECORD_TRAP,
    RECORD_MRET, /* a = place returned to, b = instruction, c = stack pointer; time = fetch of the next instruction */
    RECORD_LOAD, /* of a word neither in the program file nor accessed as a whole before: a = word address, lanes */
    RECORD_END,  /* a = exit code; time = bus clocks in all */
    RECORD_AT,   /* an instruction that was asked for; time = its fetch. Before what else there is of it */
    RECORD_READ, /* a load of a word that was asked for: a = word address, lanes; time = of the access */
};

/* Packed by hand into RECORD_SIZE bytes: kind, lanes, two zero bytes, pc, a, b, c, time, fetch. */
#define RECORD_SIZE 36

struct record {
    uint8_t kind, lanes;
    uint32_t pc, a, b, c;
    uint64_t time;
    uint64_t fetch; /* bus clock in which the instruction itself was fetched */
};

#define INSN_MRET 0x30200073u
#define OPCODE_JAL 0x6fu
#define OPCODE_JALR 0x67u
#define OPCODE_LOAD 0x03u
#define OPCODE_LOAD_FP 0x07u
#define OPCODE_AMO 0x2fu
#define REGISTER_SP 2

struct logger {
    FILE *out;
    uint32_t sp;
    uint32_t registers[32];    /* as the instructions before have left them */
    uint32_t last_pc, next_pc; /* of the instruction before, and after it */
    bool pending;              /* `jump` waits for the fetch of the instruction after it */
    struct record jump;
    uint8_t *whole;      /* one byte per word of ROM and RAM: in the file, or accessed in all its lanes */
    uint8_t *asked_at;   /* one byte per half a word: the instruction there is to be logged */
    uint8_t *asked_read; /* one byte per word: loads of it are */
};

#define WHOLE_WORDS ((ES_TARGET_RAM_BASE + ES_TARGET_RAM_SIZE) / 4)

static void put(uint8_t *out, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> (8 * i));
}

static void write_record(struct logger *log, const struct record *record)
{
    uint8_t bytes[RECORD_SIZE] = {record->kind, record->lanes};

    put(bytes + 4, record->pc, 4);
    put(bytes + 8, record->a, 4);
    put(bytes + 12, record->b, 4);
    put(bytes + 16, record->c, 4);
    put(bytes + 20, record->time, 8);
    put(bytes + 28, record->fetch, 8);
    fwrite(bytes, sizeof bytes, 1, log->out);
}

/* Notes an access; returns whether the word had been accessed as a whole before. Devices count as if they had. */
static bool touch(struct logger *log, uint32_t address, uint8_t lanes)
{
    uint32_t word = address / 4;
    bool before = word >= WHOLE_WORDS || log->whole[word];

    if (word < WHOLE_WORDS && lanes == 15)
        log->whole[word] = 1;
    return before;
}

/* The bytes that an instruction reads. Retire ports of some processors say only that it reads, or say that of every
 * instruction: those of loads of 32 bits follow from the instruction and its registers. */
static uint8_t bytes_read(const struct logger *log, const es_retired *retired)
{
    uint32_t insn = retired->insn, opcode = insn & 0x7f;

    if ((insn & 3) != 3) { /* c.lw and its like, in quadrants 0 and 2 */
        unsigned kind = insn >> 13 & 7;
        bool reads = (insn & 1) == 0 && ((kind >= 1 && kind <= 3) || (kind == 4 && (insn & 3) == 0));
        return !reads ? 0 : kind == 2 ? 15 : retired->mem_rmask;
    }
    if (opcode == OPCODE_AMO || opcode == OPCODE_LOAD_FP)
        return retired->mem_rmask;
    if (opcode != OPCODE_LOAD || !retired->mem_rmask)
        return 0;
    uint32_t address = log->registers[insn >> 15 & 31] + (uint32_t)((int32_t)insn >> 20);
    unsigned size = 1u << (insn >> 12 & 3);

    return (uint8_t)(((1u << size) - 1) << (address & 3) & 15);
}

/* jal, jalr, c.j, c.jal, c.jr, c.jalr. */
static bool is_jump(uint32_t insn)
{
    uint32_t opcode = insn & 0x7f, form = insn & 0xe003;

    if ((insn & 3) == 3)
        return opcode == OPCODE_JAL || opcode == OPCODE_JALR;
    return form == 0x2001 || form == 0xa001 || ((insn & 0xe07f) == 0x8002 && (insn >> 7 & 31) != 0);
}

static void on_retired(void *context, const es_retired *port)
{
    struct logger *log = context;
    es_retired told = *port, *retired = &told;

    told.mem_rmask = bytes_read(log, port);

    if (log->pending) {
        log->jump.time = retired->fetch_cycle;
        write_record(log, &log->jump);
        log->pending = false;
    }
    struct record record = {.pc = retired->pc, .c = log->sp, .time = retired->fetch_cycle};

    record.fetch = record.time;
    if (retired->interrupt) {
        record.kind = RECORD_TRAP;
        record.a = log->next_pc;
        record.b = log->last_pc;
        write_record(log, &record);
    }
    if (retired->pc / 4 < WHOLE_WORDS && log->asked_at[retired->pc / 2]) {
        record.kind = RECORD_AT;
        write_record(log, &record);
    }
    record.a = retired->mem_addr;
    record.b = retired->mem_wdata;
    record.time = retired->cycle;
    if (retired->mem_rmask) { /* before the write of an atomic instruction */
        record.lanes = retired->mem_rmask;
        record.kind = RECORD_LOAD;
        if (!touch(log, retired->mem_addr, retired->mem_rmask))
            write_record(log, &record);
        record.kind = RECORD_READ;
        if (retired->mem_addr / 4 < WHOLE_WORDS && log->asked_read[retired->mem_addr / 4])
            write_record(log, &record);
    }
    if (retired->mem_wmask) {
        touch(log, retired->mem_addr, retired->mem_wmask);
        record.kind = RECORD_STORE;
        record.lanes = retired->mem_wmask;
        write_record(log, &record);
    }
    if (retired->rd)
        log->registers[retired->rd & 31] = retired->rd_value;
    if (retired->rd == REGISTER_SP)
        log->sp = retired->rd_value;
    log->next_pc = retired->next_pc;
    log->last_pc = retired->pc;
    if (is_jump(retired->insn) || retired->insn == INSN_MRET) {
        log->pending = true;
        record.kind = retired->insn == INSN_MRET ? RECORD_MRET : RECORD_JUMP;
        record.a = retired->next_pc;
        record.b = (retired->insn & 3) == 3 ? retired->insn : retired->insn & 0xffff;
        record.c = log->sp;
        log->jump = record;
    }
}

static void on_console(void *context, const char *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
}

/* Loads the file's PT_LOAD contents into the target. Returns NULL or what went wrong. */
static const char *load(struct logger *log, es_sim *sim, const char *path)
{
    const char *wrong = NULL;
    Elf *elf = NULL;
    size_t count, size;
    const uint8_t *bytes;
    int fd = open(path, O_RDONLY);

    if (fd < 0)
        return "cannot be opened";
    elf_version(EV_CURRENT);
    elf = elf_begin(fd, ELF_C_READ, NULL);
    bytes = elf ? (const uint8_t *)elf_rawfile(elf, &size) : NULL;
    if (!bytes || elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &count) != 0) {
        wrong = "is not an ELF file";
        goto done;
    }
    for (size_t i = 0; i < count && !wrong; i++) {
        GElf_Phdr header;

        if (!gelf_getphdr(elf, (int)i, &header))
            wrong = "has damaged program headers";
        else if (header.p_type != PT_LOAD || header.p_filesz == 0)
            continue;
        else if (header.p_offset > size || header.p_filesz > size - header.p_offset)
            wrong = "is cut short";
        else if (!es_sim_load(sim, (uint32_t)header.p_vaddr, bytes + header.p_offset, header.p_filesz))
            wrong = "does not fit into the target's memory";
        else
            for (uint64_t at = header.p_vaddr & ~3ull; at < header.p_vaddr + header.p_filesz; at += 4)
                touch(log, (uint32_t)at, 15);
    }
done:
    elf_end(elf);
    close(fd);
    return wrong;
}

static bool number(const char *text, uint64_t *value)
{
    char *end;

    *value = strtoull(text, &end, 0);
    return *text && !*end;
}

int main(int argc, char **argv)
{
    const char *program = NULL, *out = NULL, *wrong;
    uint64_t seed = 1, max_cycles = 200000000, at = 0, read = 0, sram = 0;
    struct logger log = {
        .whole = calloc(WHOLE_WORDS, 1), .asked_at = calloc(2 * WHOLE_WORDS, 1), .asked_read = calloc(WHOLE_WORDS, 1)};
    es_sim_config config = {.world = ES_SIM_BARE, .on_console = on_console, .on_retired = on_retired, .context = &log};
    enum es_sim_state state = ES_SIM_RUNNING;
    es_error err = {0};
    es_sim *sim;

    for (int i = 1; i < argc; i++) {
        uint64_t *value = !strcmp(argv[i], "--seed")         ? &seed
                          : !strcmp(argv[i], "--max-cycles") ? &max_cycles
                          : !strcmp(argv[i], "--at")         ? &at
                          : !strcmp(argv[i], "--read")       ? &read
                          : !strcmp(argv[i], "--sram")       ? &sram
                                                             : NULL;

        if (!strcmp(argv[i], "--reads")) { /* of all of memory */
            for (uint32_t word = 0; word < WHOLE_WORDS && log.asked_read; word++)
                log.asked_read[word] = 1;
            continue;
        }
        if (value ? ++i < argc && number(argv[i], value) : argv[i][0] != '-' && !(program && out)) {
            if (!value)
                *(program ? &out : &program) = argv[i];
            else if (value == &sram)
                config.world = ES_SIM_SRAM, config.ratio = (unsigned)sram;
            else if (value == &at && at / 4 < WHOLE_WORDS && log.asked_at)
                log.asked_at[at / 2] = 1;
            else if (value == &read && read / 4 < WHOLE_WORDS && log.asked_read)
                log.asked_read[read / 4] = 1;
            continue;
        }
        program = NULL;
        break;
    }
    if (!program || !out) {
        fprintf(stderr, "usage: retire-log PROGRAM.elf OUT [--seed N] [--max-cycles N] [--at ADDRESS]... [--read "
                        "ADDRESS]... [--reads] "
                        "[--sram N]\n");
        return 2;
    }
    config.seed = (uint32_t)seed;
    log.out = fopen(out, "wb");
    if (!log.whole || !log.asked_at || !log.asked_read || !log.out) {
        perror(out);
        return 2;
    }
    sim = es_sim_new(&config, &err);
    if (!sim) {
        fprintf(stderr, "retire-log: %s\n", err.text);
        return 3;
    }
    wrong = load(&log, sim, program);
    if (wrong) {
        fprintf(stderr, "retire-log: %s %s\n", program, wrong);
        es_sim_free(sim);
        free(log.whole);
        free(log.asked_at);
        free(log.asked_read);
        fclose(log.out);
        return 2;
    }
    es_sim_start_target(sim);
    while (state == ES_SIM_RUNNING && es_sim_cycles(sim) < max_cycles)
        state = es_sim_step(sim, max_cycles - es_sim_cycles(sim), 0);
    write_record(&log, &(struct record){.kind = RECORD_END,
                                        .pc = es_sim_pc(sim),
                                        .a = (uint32_t)es_sim_exit_code(sim),
                                        .b = state,
                                        .time = es_sim_cycles(sim)});
    es_sim_free(sim);
    free(log.whole);
    free(log.asked_at);
    free(log.asked_read);
    if (ferror(log.out) | fclose(log.out)) {
        perror(out);
        return 2;
    }
    if (state != ES_SIM_EXITED) {
        fprintf(stderr, "retire-log: %s %s\n", program,
                state == ES_SIM_TRAPPED ? "stopped on a trap" : "did not end in time");
        return 3;
    }
    return 0;
}
