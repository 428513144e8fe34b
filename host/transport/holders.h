/* Who has a device open. */
#ifndef ES_TRANSPORT_HOLDERS_H
#define ES_TRANSPORT_HOLDERS_H

#include <stddef.h>

#define ES_HOLDERS_TEXT 256

/* The other processes that have the device file open, as far as this user may see them: "earshot (process 4711), cu
 * (process 4712)". "" for none. */
void es_holders(const char *path, char text[ES_HOLDERS_TEXT]);

#endif
