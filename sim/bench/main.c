/* The figures of `make bench`: simulation speed, work of the soft core, time to the first hit and to the link.
 *
 * usage: sim-bench EARSHOT PROGRAM.elf STATEMENTS ISOLATED.elf FIGURES.json COMPUTING.elf
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define TEXT_MAX (1 << 16)

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, TEXT_MAX);
    if (!file || !text || !fread(text, 1, TEXT_MAX - 1, file)) {
        fprintf(stderr, "sim-bench: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: sim-bench EARSHOT PROGRAM.elf STATEMENTS ISOLATED.elf FIGURES.json COMPUTING.elf\n");
        return 2;
    }
    bench busy, isolated;
    es_text statements = {argv[3], read_text(argv[3])};
    es_text isolated_statement = {"isolated", "when signal == 1 { print signal }"};
    bench_open(&busy, argv[2], &statements);
    bench_open(&isolated, argv[4], &isolated_statement);
    bench_speed(&busy);
    bench_core(&busy);
    bench_machine(argv[6]);
    bench_statements(&busy);
    bench_first_hit(argv[1], argv[2], argv[3]);
    bench_latency(&isolated, &busy);
    bench_close(&busy);
    bench_close(&isolated);
    free((void *)statements.text);
    if (bench_write_json(argv[5]))
        return 0;
    fprintf(stderr, "sim-bench: cannot write %s\n", argv[5]);
    return 1;
}
