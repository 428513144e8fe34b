/* shared-run [OPTIONS] PROGRAM.elf: a program on the target with shared memory (docs/target.md), and a line of JSON
 * about the run. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/shared_run.h"
#include "sim_options.h"

static const char usage[] =
    "usage: shared-run [OPTIONS] PROGRAM.elf\n"
    "Runs a program on the simulated target with shared memory, without a probe, and prints a line of JSON: exit "
    "code,\n"
    "clocks of the first fetch of main and of the exit, and the makespan between them.\n\n"
    "  -t, --target OPTIONS  cores=N,ports=each|data|one,wait=N as for --probe sim:OPTIONS (default: cores=1)\n"
    "  -s, --seed N          of the random numbers (default 1)\n"
    "  -c, --clocks N        give up after N (default 1000000000)\n"
    "  -l, --log FILE        each retired instruction: core, clock in which its fetch ended, clock in which it ended,\n"
    "                        address (hexadecimal); with \"-\" to the standard output\n"
    "      --stores          in the log, of a store also: word's address, lanes, the word with the bytes in their "
    "lanes\n"
    "      --sets          in the log, of an instruction that sets a register also: x and its number, the value\n"
    "  -q, --quiet           without what the program prints\n"
    "      --help\n";

typedef struct output {
    FILE *log;
    bool quiet, stores, sets;
} output;

static void on_console(void *context, const char *bytes, size_t size)
{
    const output *out = context;
    if (!out->quiet)
        fwrite(bytes, 1, size, stderr);
}

static void on_retired(void *context, const es_retired *retired)
{
    const output *out = context;
    fprintf(out->log, "%u %" PRIu64 " %" PRIu64 " %08x", retired->core, retired->fetch_cycle, retired->cycle,
            retired->pc);
    if (out->stores && retired->mem_wmask)
        fprintf(out->log, " %08x %x %08x", retired->mem_addr, retired->mem_wmask, retired->mem_wdata);
    if (out->sets && retired->rd)
        fprintf(out->log, " x%u %08x", retired->rd, retired->rd_value);
    fputc('\n', out->log);
}

static bool number(const char *name, const char *text, uint64_t most, uint64_t *value, es_error *err)
{
    char *end;
    unsigned long long given = *text >= '0' && *text <= '9' ? strtoull(text, &end, 0) : ~0ull;
    if (given > most || *end)
        return es_fail(err, ES_USAGE, "%s takes a number up to %llu, not '%s'", name, (unsigned long long)most, text);
    *value = given;
    return true;
}

static bool open_log(const char *path, FILE **log, es_error *err)
{
    *log = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    return *log || es_fail(err, ES_USAGE, "%s cannot be written", path);
}

int main(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"target", required_argument, NULL, 't'},
        {"seed", required_argument, NULL, 's'},
        {"clocks", required_argument, NULL, 'c'},
        {"log", required_argument, NULL, 'l'},
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {"stores", no_argument, NULL, 'w'},
        {"sets", no_argument, NULL, 'r'},
        {NULL, 0, NULL, 0},
    };
    es_error err = {0};
    uint64_t seed = 1, clocks = 0;
    es_sim_shared target = {.cores = 1};
    output out = {0};
    bool good = true;
    for (int option; good && (option = getopt_long(argc, argv, "t:s:c:l:q", long_options, NULL)) != -1;) {
        switch (option) {
        case 't': good = es_sim_options_parse(optarg, &target, &err); break;
        case 's': good = number("--seed", optarg, UINT32_MAX, &seed, &err); break;
        case 'c': good = number("--clocks", optarg, INT64_MAX, &clocks, &err); break;
        case 'l': good = open_log(optarg, &out.log, &err); break;
        case 'q': out.quiet = true; break;
        case 'w': out.stores = true; break;
        case 'r': out.sets = true; break;
        case 'h': fputs(usage, stdout); return 0;
        default: fputs(usage, stderr); return 2;
        }
    }
    if (good && optind + 1 != argc)
        good = es_fail(&err, ES_USAGE, "which program? shared-run --target cores=4 PROGRAM.elf");
    if (!target.cores)
        target.cores = 1;
    es_shared_options options = {.program = argv[optind],
                                 .target = target,
                                 .seed = (uint32_t)seed,
                                 .clocks = clocks,
                                 .on_console = on_console,
                                 .on_retired = out.log ? on_retired : NULL,
                                 .context = &out};
    es_shared_result result;
    good = good && es_shared_run(&options, &result, &err);
    if (out.log && (ferror(out.log) | fclose(out.log)) && good)
        good = es_fail(&err, ES_USAGE, "the log could not be written");
    if (!good) {
        fprintf(stderr, "shared-run: %s\n", err.text);
        return (int)err.code;
    }
    if (out.log != stdout)
        printf("{\"exit_code\": %d, \"core\": %u, \"begin\": %" PRIu64 ", \"end\": %" PRIu64 ", \"makespan\": %" PRIu64
               ", \"instructions\": %" PRIu64 "}\n",
               result.exit_code, result.core, result.begin, result.end, result.end - result.begin, result.instructions);
    return 0;
}
