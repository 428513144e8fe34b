/* What the firmware does at calls and returns: a record for each procedure, with the code that leads to it. */
#ifndef ES_IMAGE_TABLES_PROCEDURES_H
#define ES_IMAGE_TABLES_PROCEDURES_H

#include "image/tables/layout.h"

/* Finds where stacks are switched by hand (b->switches): each place in the probe's window. What is elsewhere cannot be
 * seen, nor what runs on those stacks. */
void es_procedures_switches(image_builder *b);

/* es_mi_header.switches */
uint16_t es_procedures_switches_header(const image_builder *b);

/* Writes the code of statements that name a procedure's entry or exit. */
void es_procedures_controls(image_builder *b);

/* Writes the records themselves, at b->procedures_at: after all that fills in b->control_of. */
void es_procedures_write(image_builder *b);

#endif
