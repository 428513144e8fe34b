/* Deadlines among events (host/image/times/order.h): code in statements' routines and notes where the order matters. */
#ifndef ES_IMAGE_LOWER_ORDER_H
#define ES_IMAGE_LOWER_ORDER_H

#include "image/lower/generator.h"

/* Code: deadlines that have passed by the event are told. Keeps a0, ra and the monitor's state. */
void es_order_settle(generator *g);

/* Code: something begins to last at the event, whose time's low half is in rs. */
void es_order_begun(generator *g, unsigned rs);

#endif
