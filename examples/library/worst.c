/* Tells of statements whether a probe keeps up with them, and how long it takes at worst. To build and run it:
 *     cc worst.c $(pkg-config --cflags --libs earshot) -o worst
 *     ./worst PROGRAM.elf 'plant.temp > 80' */
#include <earshot/check.h>
#include <earshot/statements.h>
#include <earshot/symbols.h>
#include <inttypes.h>
#include <stdio.h>

static bool judge(const es_symbols *symbols, const char *statement, es_error *err)
{
    const es_check_board *board = es_check_board_named("sim");
    es_program program;
    es_image image;
    es_check_report report;
    bool parsed = es_program_parse(symbols, &(es_text){"argument", statement}, 1, &program, err);
    bool built = parsed && es_image_build(symbols, &program, &board->limits, &image, err);
    bool judged = built && es_check_run(symbols, &program, &image, &board->limits, &board->options, &report, err);
    if (judged) {
        uint32_t worst = 0;
        for (size_t i = 0; i < report.event_count; i++)
            if (report.events[i].clocks > worst)
                worst = report.events[i].clocks;
        printf("%s: at most %" PRIu32 " clocks for an event, %zu bytes, %s\n", statement, worst, image.size,
               report.guaranteed ? "guaranteed" : report.why);
        es_check_report_free(&report);
    }
    if (built)
        es_image_free(&image);
    if (parsed)
        es_program_free(&program);
    return judged;
}

int main(int argc, char **argv)
{
    es_error err = {ES_USAGE, "usage: worst PROGRAM.elf STATEMENT..."};
    es_symbols *symbols = argc > 2 ? es_symbols_open(argv[1], &err) : NULL;
    bool good = symbols != NULL;
    for (int i = 2; good && i < argc; i++)
        good = judge(symbols, argv[i], &err);
    if (!good)
        fprintf(stderr, "%s\n", err.text);
    es_symbols_close(symbols);
    return (int)err.code * !good;
}
