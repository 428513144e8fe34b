/* How often a loss shows: the check again, of the same trace with some events left out. As many events more that do not
 * fit are by these losses, and so it is known how many were lost of which the trace does not tell. */
#ifndef ES_INFER_THINNED_H
#define ES_INFER_THINNED_H

#include "infer/check.h"

typedef struct es_infer_thinned es_infer_thinned;

/* `hidden` and `scenarios_max` are as for the check itself; the model must outlive it. */
es_infer_thinned *es_infer_thinned_new(const es_infer_model *model, bool hidden, uint32_t scenarios_max);
void es_infer_thinned_free(es_infer_thinned *thinned); /* NULL is fine */

/* What the check itself gets, after it has, with its totals then. */
void es_infer_thinned_event(es_infer_thinned *thinned, const es_infer_event *event, const es_infer_totals *whole);
void es_infer_thinned_loss(es_infer_thinned *thinned, const es_infer_loss *loss);

/* Of all steps of scenarios, before which part something was lost that the trace does not tell; 0.00001 to 0.3. `whole`
 * are the check's totals at the end. */
double es_infer_thinned_rate(const es_infer_thinned *thinned, const es_infer_totals *whole);

#endif
