/* Snapshots: the code that asks whether what they show exists, and that sends them. */
#ifndef ES_IMAGE_LOWER_SNAPSHOT_H
#define ES_IMAGE_LOWER_SNAPSHOT_H

#include "image/lower/generator.h"

/* Code: jumps to `no` while an activation does not exist whose local is to be shown. */
void es_snapshot_exists(generator *g, unsigned no);

/* Code, before actions change counters: finds where elements with a variable index are. */
void es_snapshot_find(generator *g);

/* Code: sends all snapshots of the statement. The caller ends the frame. */
void es_snapshot_send(generator *g);

#endif
