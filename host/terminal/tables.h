/* Statistics on the whole screen, made again from time to time: what `earshot stats` shows on a terminal. */
#ifndef ES_TERMINAL_TABLES_H
#define ES_TERMINAL_TABLES_H

#include "record/record.h"
#include "report/report.h"

typedef struct es_tables es_tables;

/* Takes over the terminal, until es_full_close. NULL: it cannot be used so (no such TERM). */
es_tables *es_tables_new(const char *title, bool color, bool utf8);
void es_tables_free(es_tables *tables);

/* From any thread. */
void es_tables_take(es_tables *tables, const es_record *record);
void es_tables_end(es_tables *tables);

/* Makes the tables again, if it is time; the report is used by nobody else meanwhile. */
void es_tables_look(es_tables *tables, es_report *report);

/* Draws and waits for keys for at most `ms`. False: it is over, or the user wants the run to end. */
bool es_tables_step(es_tables *tables, int ms);

#endif
