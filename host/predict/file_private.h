/* What writer and reader share. */
#ifndef ES_PREDICT_FILE_PRIVATE_H
#define ES_PREDICT_FILE_PRIVATE_H

#include "predict/file.h"

#define ES_PREDICT_MAGIC "EARSHOP4"
enum {
    ES_PREDICT_SINGLE_SECTIONS = 11 + 2 * ES_PREDICT_NEXTS + ES_PREDICT_ARRIVALS + 2,
    ES_PREDICT_SINGLE_NUMBERS = 30 + ES_PREDICT_ARRIVALS
};

/* Costs that are there once, in the order of the file: to the arrays, or from them. */
void es_predict_single_costs(es_predict_costs *costs, es_predict_section *sections, uint32_t *numbers, bool from);

#endif
