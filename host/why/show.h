/* Slices as text, JSON and a page. */
#ifndef ES_WHY_SHOW_H
#define ES_WHY_SHOW_H

#include "base/text.h"
#include "why/lines.h"

/* As a tree, indented; each line once, where it is first used; at most `deep` levels and `most` lines. */
void es_why_text(es_text_buffer *out, const es_why_lines *lines, unsigned deep, size_t most);

/* One JSON object: earshot-why(1) has its keys. */
void es_why_json(es_text_buffer *out, const es_why_lines *lines);

/* A page by itself: the tree beside the source files. title: what was asked. */
void es_why_html(es_text_buffer *out, const es_why_lines *lines, const char *title);

#endif
