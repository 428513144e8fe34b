/* What NP points to, in the image: nodes, and the moves that calls make between them. */
#ifndef ES_IMAGE_TABLES_NODES_H
#define ES_IMAGE_TABLES_NODES_H

#include "image/tables/layout.h"

/* Writes them and the code of frames whose place their path fixes, and notes the columns in b->control_of. *root: the
 * address of the node before the first call; 0: the plan needs no nodes. Fails with ES_USAGE when there are too many
 * columns. */
bool es_nodes_write(image_builder *b, uint16_t *root);

#endif
