/* The page with its data: deflated, in base64. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "export/html/html.h"
#include "export/html/page.h"
#include "export/html/private.h"

#define PAGE_MAX ((uint64_t)300 << 20) /* browsers hold no text that is much longer in one piece */
#define LEVEL 6                        /* of nine: more takes much longer for little */
#define DEFLATED_PIECE 49152u          /* bytes, three of which make four characters */

/* What is deflated goes out in pieces, whole groups of three bytes but for the last one. */
typedef struct packing {
    FILE *out;
    z_stream z;
    uint64_t written;
    uint8_t piece[DEFLATED_PIECE];
    char text[DEFLATED_PIECE / 3 * 4];
} packing;

/* In base64: characters for whole groups of three bytes; the last ones are padded. */
static void put_piece(packing *p)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *bytes = p->piece;
    size_t length = 0, size = sizeof p->piece - p->z.avail_out;
    char *text = p->text;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t word = (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) |
                        (i + 2 < size ? bytes[i + 2] : 0);
        text[length++] = digits[word >> 18];
        text[length++] = digits[word >> 12 & 63];
        text[length++] = i + 1 < size ? digits[word >> 6 & 63] : '=';
        text[length++] = i + 2 < size ? digits[word & 63] : '=';
    }
    fwrite(text, 1, length, p->out);
    p->written += length;
    p->z.next_out = p->piece;
    p->z.avail_out = sizeof p->piece;
}

static void pack(packing *p, const void *bytes, size_t size, bool last)
{
    const uint8_t *at = bytes;
    int state;
    do {
        p->z.next_in = (uint8_t *)(uintptr_t)at;
        p->z.avail_in = size > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uInt)size;
        size_t given = p->z.avail_in;
        state = deflate(&p->z, last && given == size ? Z_FINISH : Z_NO_FLUSH);
        at += given - p->z.avail_in;
        size -= given - p->z.avail_in;
        if (!p->z.avail_out)
            put_piece(p);
    } while (size || (last && state != Z_STREAM_END));
    if (last)
        put_piece(p);
}

static uint64_t put_data(const es_text_buffer *head, const es_text_buffer *data, FILE *out)
{
    packing *p = es_malloc(sizeof *p);
    uint8_t length[4];
    memset(p, 0, sizeof *p);
    p->out = out;
    if (deflateInit(&p->z, LEVEL) != Z_OK)
        abort(); /* it has no memory, as where es_malloc has none */
    p->z.next_out = p->piece;
    p->z.avail_out = sizeof p->piece;
    for (unsigned i = 0; i < 4; i++)
        length[i] = (uint8_t)(head->length >> 8 * i);
    pack(p, length, sizeof length, false);
    pack(p, head->text, head->length, false);
    pack(p, data->text, data->length, true);
    deflateEnd(&p->z);
    uint64_t written = p->written;
    free(p);
    return written;
}

static bool is_too_much(const es_html *html, es_error *err)
{
    if (html->beyond)
        es_fail(err, ES_USAGE,
                "its times are beyond 2^52 clocks, which browsers cannot tell apart: use `earshot export` instead");
    else if (html->full)
        es_fail(err, ES_USAGE,
                "more than %" PRIu64 " hits do not fit a page: choose a part of it with --from, --to, "
                "--statement, --task",
                html->hits);
    return html->beyond || html->full;
}

bool es_html_write(es_html *html, const es_html_about *about, FILE *out, es_error *err)
{
    es_text_buffer head = {0}, data = {0};
    if (is_too_much(html, err))
        return false;
    es_text_add(&data, "", 0);
    es_page_head(html, about, &head, &data);
    errno = 0;
    fwrite(es_page_before, 1, es_page_before_size, out);
    uint64_t size = put_data(&head, &data, out);
    fwrite(es_page_after, 1, es_page_after_size, out);
    es_text_free(&head);
    es_text_free(&data);
    if (fflush(out) != 0 || ferror(out))
        return es_fail(err, ES_OUTPUT, "the page cannot be written: %s", strerror(errno));
    if (size > PAGE_MAX)
        return es_fail(err, ES_USAGE,
                       "the page would be larger than browsers read (%" PRIu64
                       " MiB); choose a part of the trace with --from, --to, --statement, --task",
                       size >> 20);
    return true;
}
