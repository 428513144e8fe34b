/* Inside of a source of marks: what its files share. */
#ifndef ES_CLI_MARK_SOURCE_INSIDE_H
#define ES_CLI_MARK_SOURCE_INSIDE_H

#include "cli/net/mark_source.h"
#include "multi/calibration_run.h"
#include "net/program/table.h"
#include "probe/boot.h"

/* One ELF file: its table of marks, by the address of the store, which is each mark's last instruction. */
typedef struct mark_table {
    es_net_mark_place *places;
    size_t count;
    uint32_t *order; /* sites by `end` */
    es_calibration measured;
    const es_net_cost *costs;
    size_t cost_count;
} mark_table;

struct es_mark_source {
    es_mark_source_options options;
    mark_table tables[ES_MULTI_CORES];
    es_recorder *recorder;   /* SIM */
    es_transport *transport; /* all but `taps` */
    es_link *link;           /* all but FILE and `taps` */
    es_decoder *decoder;     /* FILE */
    es_symbols *symbols;
    es_image image;
    bool built, hello, done, faulted, exited, lost;
    uint32_t checksum, fault, fault_detail;
    uint64_t seen, clocks;
    bool failed;
    es_error err; /* of what came */
};

/* mark_source_take.c */

/* Takes an event of the probe; `context` is the source. What is wrong with it is kept in `failed` and `err`. */
void es_mark_source_take(void *context, const es_event *event);

/* mark_source_wait.c */

/* Fails with ES_PROBE once the probe's firmware has stopped. */
bool es_mark_source_check_fault(const es_mark_source *s, es_error *err);

/* Takes what comes until it sets the flag, for at most so many milliseconds. Fails with ES_PROBE when the connection
 * ends or the firmware stops; that the flag is not set after that time is no error. */
bool es_mark_source_wait_for(es_mark_source *s, const bool *flag, int ms, es_error *err);

#endif
