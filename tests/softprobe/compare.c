/* compare PROGRAM STATEMENTS [SEED [CLOCKS]]: whether the probe in software sends what the RTL sends, frame by frame.
 *
 * Statements that are refused are left out. Prints "ACCESSES accesses, HITS hits, FRAMES frames, REFUSED refused". Exit
 * code 0: the same; 1: not; 2: what was asked cannot be done; 3: no statement was left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sides.h"

#define SHOWN 8u /* words around the first difference */
#define REFUSED_MOST 64

/* Makes the line spaces that the message names. False: it names none. */
static bool leave_out(char *text, const char *message)
{
    const char *at = strchr(message, ':');
    long line = at ? strtol(at + 1, NULL, 10) : 0;
    if (line < 1)
        return false;
    for (; line > 1 && text; line--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text || *text == ' ' || *text == '\n' || !*text)
        return false;
    memset(text, ' ', strcspn(text, "\n"));
    return true;
}

static void show(const frame_log *a, const frame_log *b, size_t at)
{
    size_t from = at > SHOWN ? at - SHOWN : 0;
    printf("word %zu differs: RTL, software\n", at);
    for (size_t i = from; i < at + SHOWN; i++)
        printf("  %zu %08x %08x\n", i, i < a->count ? (unsigned)a->words[i] : 0,
               i < b->count ? (unsigned)b->words[i] : 0);
}

static int compare(run_options *options, char *text)
{
    es_error err = {0};
    unsigned refused = 0;
    frame_log rtl = {0}, software = {0};
    bus_log traffic = {0};
    while (!run_on_rtl(options, &rtl, &traffic, &err)) {
        if (err.code != ES_USAGE || refused++ == REFUSED_MOST || !leave_out(text, err.text)) {
            printf("%s\n", err.text);
            return err.code == ES_USAGE && refused ? 3 : 2;
        }
    }
    if (!run_on_software(options, &traffic, &software, &err)) {
        printf("%s\n", err.text);
        return 2;
    }
    size_t differ = frames_differ(&rtl, &software);
    printf("%zu accesses, %zu hits, %zu frames, %u refused\n", traffic.count, rtl.hits,
           rtl.hits + rtl.paths + rtl.others, refused);
    if (differ != SIZE_MAX)
        show(&rtl, &software, differ);
    frames_free(&rtl);
    frames_free(&software);
    traffic_free(&traffic);
    return differ != SIZE_MAX;
}

int main(int argc, char **argv)
{
    es_error err;
    es_text_buffer text = {0};
    if (argc < 3 || !es_text_read_file(&text, argv[2], 1 << 20, &err)) {
        fprintf(stderr, "compare PROGRAM STATEMENTS [SEED [CLOCKS]]\n");
        return 2;
    }
    es_text source = {"statements", text.text};
    run_options options = {.program = argv[1],
                           .texts = &source,
                           .text_count = 1,
                           .seed = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 0) : 1,
                           .clocks_most = argc > 4 ? strtoull(argv[4], NULL, 0) : 0};
    int code = compare(&options, text.text);
    es_text_free(&text);
    return code;
}
