/* Deadlines among events (host/image/times/order.h): the code that tells those that have passed, the earliest first. */
#ifndef ES_IMAGE_TABLES_ORDER_H
#define ES_IMAGE_TABLES_ORDER_H

#include "image/tables/layout.h"

/* Writes the code that tells deadlines in their order: plan->ordered_at, settle_at. Those who ask for one deadline
 * alone are there. */
void es_order_write(image_builder *b);

#endif
