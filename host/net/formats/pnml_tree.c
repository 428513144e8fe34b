#include "net/formats/pnml_tree.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <libxml/parser.h>

#include "base/text.h"

#define DEPTH_MAX 64u /* pages within pages; the deepest element of a page is six further in */

struct builder {
    xmlParserCtxtPtr parser;
    es_arena *arena;
    es_pnml_tree *tree;
    es_pnml_node *open[DEPTH_MAX];  /* from the root to the innermost open element */
    es_pnml_node **tail[DEPTH_MAX]; /* where the next child goes */
    unsigned depth, skipped;        /* open elements; open elements that are left out */
    uint32_t elements;
    es_text_buffer text; /* since the last tag */
    es_error *err;
    bool failed;
};

static bool fail_at(es_error *err, const char *file, unsigned line, unsigned column, const char *format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    return es_fail(err, ES_USAGE, "%s:%u:%u: error: %s", file, line, column, text);
}

bool es_pnml_fail(const es_pnml_tree *tree, const es_pnml_node *node, es_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail_at(err, tree->file, node->line, node->column, format, args);
    va_end(args);
    return false;
}

/* Ends the parsing with the first message. */
__attribute__((format(printf, 2, 3))) static void stop(struct builder *b, const char *format, ...)
{
    const xmlParserInput *input = b->parser->input;
    va_list args;
    va_start(args, format);
    if (!b->failed)
        fail_at(b->err, b->tree->file, input ? (unsigned)input->line : 1, input ? (unsigned)input->col : 1, format,
                args);
    va_end(args);
    b->failed = true;
    xmlStopParser(b->parser);
}

/* The parser stands at the end of a start tag: where did the tag begin? Its '<' is the last one read, for values hold
 * none. */
static void place_of_tag(const struct builder *b, es_pnml_node *node)
{
    const xmlParserInput *input = b->parser->input;
    const xmlChar *tag = input->cur;
    int lines = 0;
    while (tag > input->base && *tag != '<')
        lines += *tag-- == '\n';
    ptrdiff_t column = input->col - (input->cur - tag);
    if (lines) { /* only one such tag begins in a line: all these loops together are no longer than the file */
        const xmlChar *start = tag;
        while (start > input->base && start[-1] != '\n')
            start--;
        column = tag - start + 1;
    }
    node->line = (uint32_t)(input->line > lines ? input->line - lines : 1);
    node->column = column > 0 ? (uint32_t)column : 1;
}

static char *copy(struct builder *b, const xmlChar *text)
{
    return es_arena_copy(b->arena, (const char *)text, strlen((const char *)text));
}

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
                     const xmlChar **namespaces, int attribute_count, int defaulted, const xmlChar **attributes)
{
    (void)prefix, (void)uri, (void)namespace_count, (void)namespaces, (void)defaulted;
    struct builder *b = user;
    bool skip = b->skipped || strcmp((const char *)name, "graphics") == 0;
    if (!skip && strcmp((const char *)name, "toolspecific") == 0) {
        skip = true;
        for (int i = 0; i < attribute_count; i++) {
            const xmlChar **a = attributes + (ptrdiff_t)i * 5; /* name, prefix, URI, value, end of the value */
            if (strcmp((const char *)a[0], "tool") == 0 && a[4] - a[3] == 7 && memcmp(a[3], "earshot", 7) == 0)
                skip = false;
        }
    }
    if (skip) {
        b->skipped++;
        return;
    }
    if (b->depth == DEPTH_MAX) {
        stop(b, "elements are nested deeper than %u", DEPTH_MAX);
        return;
    }
    if (++b->elements > ES_PNML_ELEMENTS_MAX) {
        stop(b, "more than %u elements", ES_PNML_ELEMENTS_MAX);
        return;
    }
    es_pnml_node *node = es_arena_alloc(b->arena, sizeof *node);
    node->name = copy(b, name);
    node->text = "";
    place_of_tag(b, node);
    if (attribute_count > 0) {
        es_pnml_attribute *list = es_arena_alloc(b->arena, (size_t)attribute_count * sizeof *list);
        for (int i = 0; i < attribute_count; i++) {
            const xmlChar **a = attributes + (ptrdiff_t)i * 5;
            list[i].name = copy(b, a[0]);
            list[i].value = es_arena_copy(b->arena, (const char *)a[3], (size_t)(a[4] - a[3]));
        }
        node->attributes = list;
        node->attribute_count = (uint32_t)attribute_count;
    }
    if (b->depth) {
        *b->tail[b->depth - 1] = node;
        b->tail[b->depth - 1] = &node->next;
    } else {
        b->tree->root = node;
    }
    b->open[b->depth] = node;
    b->tail[b->depth++] = &node->children;
    es_text_clear(&b->text);
}

const char *es_pnml_trimmed(es_arena *arena, const char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    return es_arena_copy(arena, text, length);
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)name, (void)prefix, (void)uri;
    struct builder *b = user;
    if (b->skipped) {
        b->skipped--;
        return;
    }
    es_pnml_node *node = b->open[--b->depth];
    if (!node->children && b->text.length)
        node->text = es_pnml_trimmed(b->arena, b->text.text);
    es_text_clear(&b->text);
}

static void on_text(void *user, const xmlChar *text, int length)
{
    struct builder *b = user;
    if (!b->skipped)
        es_text_add(&b->text, (const char *)text, (size_t)length);
}

static void on_entity(void *user, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id,
                      xmlChar *content) /* NOLINT(readability-non-const-parameter) */
{
    (void)type, (void)public_id, (void)system_id, (void)content;
    stop(user, "declares the entity '%.60s'; replace it by its text, as entities could grow without bound",
         (const char *)name);
}

static void on_attribute_list(void *user, const xmlChar *element, const xmlChar *name, int type, int def,
                              const xmlChar *value, xmlEnumerationPtr tree)
{
    (void)type, (void)def, (void)value;
    xmlFreeEnumeration(tree);
    stop(user, "declares the attribute '%.60s' of '%.60s'; write it out, as such declarations could grow without bound",
         (const char *)name, (const char *)element);
}

static void on_error(void *user, xmlErrorPtr error)
{
    struct builder *b = user;
    if (b->failed || error->level != XML_ERR_FATAL)
        return;
    const char *text = error->message ? error->message : "not well-formed";
    int length = (int)strcspn(text, "\n");
    es_fail(b->err, ES_USAGE, "%s:%d:%d: error: this is not XML: %.*s", b->tree->file,
            error->line > 0 ? error->line : 1, error->int2 > 0 ? error->int2 : 1, length < 400 ? length : 400, text);
    b->failed = true;
}

/* The bytes are UTF-8 (es_text_read_file has converted them), and the first line may still say what the file was. */
static bool says_utf16(const char *bytes, size_t size)
{
    const char *end = memchr(bytes, '>', size < 200 ? size : 200);
    for (const char *at = bytes; end && at + 6 <= end; at++)
        if (strncasecmp(at, "UTF-16", 6) == 0)
            return true;
    return false;
}

bool es_pnml_parse(const char *file, const char *bytes, size_t size, es_arena *arena, es_pnml_tree *tree, es_error *err)
{
    *tree = (es_pnml_tree){.file = file};
    if (size > ES_PNML_SIZE_MAX)
        return es_fail(err, ES_USAGE, "%s: is larger than %u bytes", file, ES_PNML_SIZE_MAX);
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    if (!parser)
        return es_fail(err, ES_USAGE, "%s: libxml2 could not start", file);
    struct builder b = {.parser = parser, .arena = arena, .tree = tree, .err = err};
    *parser->sax = (xmlSAXHandler){
        .initialized = XML_SAX2_MAGIC,
        .startElementNs = on_start,
        .endElementNs = on_end,
        .characters = on_text,
        .cdataBlock = on_text,
        .entityDecl = on_entity,
        .attributeDecl = on_attribute_list,
        .serror = on_error,
    };
    parser->userData = &b;
    /* NOENT: without it, &amp; comes out of attributes as &#38;. Only XML's own entities are left to replace, for
     * on_entity ends the parsing at the first declaration. */
    bool was_utf16 = says_utf16(bytes, size);
    xmlDocPtr document = xmlCtxtReadMemory(parser, bytes, (int)size, NULL, was_utf16 ? "UTF-8" : NULL,
                                           XML_PARSE_NONET | XML_PARSE_BIG_LINES | XML_PARSE_NOENT |
                                               (was_utf16 ? XML_PARSE_IGNORE_ENC : 0));
    bool good = parser->wellFormed && !b.failed && tree->root;
    if (!good && !b.failed)
        es_fail(err, ES_USAGE, "%s:1:1: error: this is not XML", file);
    if (document)
        xmlFreeDoc(document);
    xmlFreeParserCtxt(parser);
    es_text_free(&b.text);
    return good;
}

const es_pnml_node *es_pnml_child(const es_pnml_node *node, const char *name)
{
    if (!node)
        return NULL;
    const es_pnml_node *child = node->children;
    while (child && strcmp(child->name, name) != 0)
        child = child->next;
    return child;
}

const es_pnml_node *es_pnml_next(const es_pnml_node *child)
{
    const es_pnml_node *next = child->next;
    while (next && strcmp(next->name, child->name) != 0)
        next = next->next;
    return next;
}

const char *es_pnml_attribute_of(const es_pnml_node *node, const char *name)
{
    for (uint32_t i = 0; node && i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, name) == 0)
            return node->attributes[i].value;
    return NULL;
}
