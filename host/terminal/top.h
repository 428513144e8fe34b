/* The full screen of `earshot top`, and its figures as JSON. */
#ifndef ES_TERMINAL_TOP_H
#define ES_TERMINAL_TOP_H

#include "terminal/model.h"

typedef struct es_top es_top;

/* Takes over the terminal, until es_full_close. NULL: it cannot be used so (no such TERM). */
es_top *es_top_new(const char *title, bool color, bool utf8);
void es_top_free(es_top *top);

/* Draws what there is and waits for keys for at most `ms`. False: the user wants the run to end. */
bool es_top_step(es_top *top, es_model *model, int ms);

/* Adds the figures as one line of JSON with its end. */
void es_top_json(es_text_buffer *out, const es_top_view *view);

#endif
