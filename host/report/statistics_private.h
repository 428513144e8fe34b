/* Inside of the statistics for people: what tables and bars have in common. */
#ifndef ES_REPORT_STATISTICS_PRIVATE_H
#define ES_REPORT_STATISTICS_PRIVATE_H

#include "report/statistics.h"

#define ES_TABLE_INDENT 2

void es_table_text(es_text_buffer *out, const char *text);
void es_table_blanks(es_text_buffer *out, size_t count);

/* A number that may be no value but a bound of one or a mean. */
void es_table_number(es_text_buffer *out, const es_statistic_table *table, double number, bool utf8);
void es_table_value(es_text_buffer *out, const es_statistic_table *table, es_stats_value value, bool utf8);

/* What a group is called. */
const char *es_table_key(const es_stats_group *group);

/* A text in the room that the screen leaves it; 0: any. */
void es_table_short(es_text_buffer *out, const char *key, size_t room, bool utf8);

/* Bars: of one group's ranges, of groups. */
void es_table_hist(es_text_buffer *out, const es_statistic_table *table, const es_stats_group *group, size_t width,
                   bool utf8);
void es_table_counts(es_text_buffer *out, const es_stats_group **groups, size_t count, size_t width, bool utf8);

#endif
