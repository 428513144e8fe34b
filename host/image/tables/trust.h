/* What makes statements certain again after a loss (host/image/planner/trust.h): the tables. */
#ifndef ES_IMAGE_TABLES_TRUST_H
#define ES_IMAGE_TABLES_TRUST_H

#include "image/tables/layout.h"

/* Writes the tables, and the header's fields about them. They are left out where tasks are told apart, and where there
 * is no room for them: then all hits after a loss are uncertain. */
void es_trust_write(image_builder *b, const plane_arm *data, size_t data_count, const plane_arm *fetch,
                    size_t fetch_count, struct es_mi_header *header);

#endif
