/* Collects what an overview needs of each stretch and loss, and draws the first stretches one below the other. */
#include "cli/infer/picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/infer/picture_stretch.h"
#include "cli/infer/private.h"

#define LINES_Y 70 /* of the summary: two */
#define OVERVIEW_Y 96
#define ROW 14
#define COLUMNS 1000 /* pieces of the overview's axis */

/* What lies in each piece of the trace's time. */
enum { PIECE_LOSS = 1, PIECE_UNCERTAIN = 2, PIECE_INCONSISTENT = 4 };

struct es_infer_picture {
    const es_infer_model *model;
    const es_infer_contents *contents;
    const char *trace;
    int64_t begin, end;
    uint8_t losses[COLUMNS];
    uint8_t (*machines)[COLUMNS];
    es_text_buffer drawn; /* the stretches so far */
    uint32_t count;       /* of them */
    uint64_t left_out;
    int64_t height;
    es_arena *arena;
};

es_infer_picture *es_infer_picture_new(const es_infer_model *model, const es_infer_contents *contents,
                                       const char *trace, int64_t begin, int64_t end)
{
    es_arena *arena = es_arena_new();
    es_infer_picture *p = es_arena_alloc(arena, sizeof *p);
    *p = (es_infer_picture){.model = model,
                            .contents = contents,
                            .trace = trace,
                            .begin = begin,
                            .end = end > begin ? end : begin + 1,
                            .arena = arena};
    p->machines = es_arena_alloc(arena, (model->machine_count + 1) * sizeof *p->machines);
    p->height = OVERVIEW_Y + (int64_t)(model->machine_count + 1) * ROW + 40;
    return p;
}

void es_infer_picture_free(es_infer_picture *picture)
{
    if (!picture)
        return;
    es_text_free(&picture->drawn);
    es_arena_free(picture->arena);
}

static uint32_t column_of(const es_infer_picture *p, int64_t time)
{
    if (time <= p->begin)
        return 0;
    if (time >= p->end)
        return COLUMNS - 1;
    return (uint32_t)(((__int128)time - p->begin) * COLUMNS / ((__int128)p->end - p->begin + 1));
}

static void mark(const es_infer_picture *p, uint8_t *row, int64_t begin, int64_t end, uint8_t what)
{
    uint32_t last = column_of(p, end);
    for (uint32_t i = column_of(p, begin); i <= last; i++)
        row[i] |= what;
}

void es_infer_picture_gap(es_infer_picture *picture, int64_t begin, int64_t end)
{
    mark(picture, picture->losses, begin, end, PIECE_LOSS);
}

void es_infer_picture_add(es_infer_picture *p, const es_infer_result *r)
{
    mark(p, p->machines[r->machine_number], r->begin, r->end, r->told ? PIECE_UNCERTAIN : PIECE_INCONSISTENT);
    if (p->count == ES_INFER_PICTURE_STRETCHES) {
        p->left_out++;
        return;
    }
    p->count++;
    p->height += es_infer_picture_stretch(&p->drawn, p->model, p->contents, r, p->height);
}

/* --- the whole ----------------------------------------------------------------------------------------------- */

static void put_row(es_text_buffer *out, const uint8_t *row, uint8_t what, const char *style, int64_t y)
{
    for (uint32_t i = 0, end; i < COLUMNS; i = end + 1) {
        for (end = i; end < COLUMNS && row[end] & what; end++)
            ;
        if (end > i)
            es_text_format(out, "<rect class=\"%s\" x=\"%u\" y=\"%" PRId64 "\" width=\"%u\" height=\"%d\"/>", style,
                           ES_INFER_PICTURE_LEFT + i, y, end - i, ROW - 4);
    }
    es_text_format(out, "\n");
}

static void put_legend(es_text_buffer *out)
{
    static const struct {
        const char *shape, *text;
        int width;
    } entries[] = {
        {"<circle class=\"seen\" cx=\"6\" cy=\"44\" r=\"4.5\"/>", "observed", 90},
        {"<circle class=\"odd\" cx=\"6\" cy=\"44\" r=\"4.5\"/>", "inconsistent: it did not fit", 190},
        {"<path class=\"lost\" d=\"M6 38l6 6l-6 6l-6 -6z\"/>", "inferred, with nine times of ten", 226},
        {"<rect class=\"certain\" x=\"0\" y=\"38\" width=\"14\" height=\"12\"/>", "certain state", 112},
        {"<rect class=\"maybe\" x=\"0\" y=\"38\" width=\"14\" height=\"12\"/>", "inferred state", 118},
        {"<rect class=\"told\" x=\"0\" y=\"38\" width=\"14\" height=\"12\"/>", "loss that the trace tells", 170},
    };
    int x = ES_INFER_PICTURE_LEFT;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        es_text_format(out, "<g transform=\"translate(%d)\">%s<text x=\"20\" y=\"48\">%s</text></g>", x,
                       entries[i].shape, entries[i].text);
        x += entries[i].width;
    }
    es_text_format(out, "\n");
}

static void put_overview(const es_infer_picture *p, es_text_buffer *out)
{
    es_text_format(out, "<text class=\"track\" x=\"%d\" y=\"%d\">", ES_INFER_PICTURE_LEFT - 8, OVERVIEW_Y + 9);
    es_text_format(out, "losses told</text><rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>",
                   ES_INFER_PICTURE_LEFT, OVERVIEW_Y, COLUMNS, ROW - 4);
    put_row(out, p->losses, PIECE_LOSS, "told", OVERVIEW_Y);
    for (uint32_t m = 0; m < p->model->machine_count; m++) {
        int64_t y = OVERVIEW_Y + (int64_t)(m + 1) * ROW;
        es_text_format(out, "<text class=\"track\" x=\"%d\" y=\"%" PRId64 "\">", ES_INFER_PICTURE_LEFT - 8, y + 9);
        es_text_xml_string(out, p->model->machines[m].name);
        es_text_format(out, "</text><rect class=\"frame\" x=\"%d\" y=\"%" PRId64 "\" width=\"%d\" height=\"%d\"/>",
                       ES_INFER_PICTURE_LEFT, y, COLUMNS, ROW - 4);
        put_row(out, p->machines[m], PIECE_UNCERTAIN, "uncertain", y);
        put_row(out, p->machines[m], PIECE_INCONSISTENT, "inconsistent", y);
    }
    int64_t y = OVERVIEW_Y + (int64_t)(p->model->machine_count + 1) * ROW + 8;
    es_text_format(out, "<text class=\"axis\" x=\"%d\" y=\"%" PRId64 "\">", ES_INFER_PICTURE_LEFT, y);
    es_infer_add_time(out, p->begin);
    es_text_format(out, "</text><text class=\"axis end\" x=\"%d\" y=\"%" PRId64 "\">", ES_INFER_PICTURE_LEFT + COLUMNS,
                   y);
    es_infer_add_time(out, p->end);
    es_text_format(out, "</text>\n");
}

/* Each line of the summary. */
static void put_lines(es_text_buffer *out, const char *text)
{
    for (int y = LINES_Y; *text; y += 15) {
        size_t length = strcspn(text, "\n");
        es_text_format(out, "<text x=\"%d\" y=\"%d\">%.*s</text>\n", ES_INFER_PICTURE_LEFT, y, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

void es_infer_picture_svg(es_infer_picture *p, const char *summary, es_text_buffer *out)
{
    int width = ES_INFER_PICTURE_LEFT + COLUMNS + 30;
    int64_t height = p->height + (p->left_out ? 30 : 10);
    es_text_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%" PRId64 "\" viewBox=\"0 0 %d %" PRId64
        "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\" fill=\"#1b2733\">\n",
        width, height, width, height);
    es_text_format(out,
                   "<style>.title{font-size:16px;font-weight:bold}.head{font-weight:bold}.track,.axis{font-size:11px;"
                   "fill:#55626e}.track{text-anchor:end}.end{text-anchor:end}.name{font-size:10px;fill:#1b2733;"
                   "text-anchor:middle}.state{font-size:10.5px}.frame{fill:#f4f6f8;stroke:#d5dade;stroke-width:.6}"
                   ".seen{fill:#1b2733}.odd{fill:#d32f2f}.lost{fill:#fff;stroke:#6a3d9a;stroke-width:1.6}"
                   ".span{stroke:#6a3d9a;stroke-width:1.2;fill:none}.told{fill:#c9ced3}.uncertain{fill:#f0a030}"
                   ".inconsistent{fill:#d32f2f}.certain{fill:#a6c8e4;stroke:#44525e;stroke-width:.6}"
                   ".maybe{fill:url(#maybe);stroke:#6a3d9a;stroke-width:.6;stroke-dasharray:3 2}"
                   ".share{fill:#6a3d9a}.rest{fill:#e7e0f0}</style>\n"
                   "<defs><pattern id=\"maybe\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
                   "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#f3ecfa\"/>"
                   "<rect width=\"2\" height=\"6\" fill=\"#d3c0e6\"/></pattern></defs>\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text class=\"title\" x=\"14\" y=\"22\">");
    es_text_xml_string(out, p->trace);
    es_text_format(out, ": what was lost</text>\n");
    put_legend(out);
    put_lines(out, summary);
    put_overview(p, out);
    if (p->drawn.length)
        es_text_add(out, p->drawn.text, p->drawn.length);
    if (p->left_out)
        es_text_format(out, "<text x=\"14\" y=\"%" PRId64 "\">%" PRIu64 " more %s in the overview only</text>\n",
                       p->height + 14, p->left_out, es_plural(p->left_out, "stretch is", "stretches are"));
    es_text_format(out, "</svg>\n");
}

void es_infer_picture_html(es_infer_picture *p, const char *summary, es_text_buffer *out)
{
    es_text_format(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    es_text_xml_string(out, p->trace);
    es_text_format(
        out, ": what was lost</title><style>body{margin:0;overflow-x:auto;background:#fff}</style></head><body>\n");
    es_infer_picture_svg(p, summary, out);
    es_text_format(out, "</body></html>\n");
}
