/* What the subcommands of `earshot net` share. */
#ifndef ES_CLI_NET_PRIVATE_H
#define ES_CLI_NET_PRIVATE_H

#include <stdint.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/number.h"
#include "net/analysis/analysis.h"
#include "net/analysis/conditions.h"
#include "net/model/net.h"

extern const es_command es_net_command_check, es_net_command_simulate, es_net_command_recover, es_net_command_show,
    es_net_command_convert, es_net_command_from_program, es_net_command_record, es_net_command_calibrate,
    es_net_command_watch;

/* The one operand that is left, or NULL with an ES_USAGE error that says `what` is needed or what does not fit. */
const char *es_net_operand(int argc, char **argv, const char *what, es_error *err);

/* --- check ----------------------------------------------------------------------------------------------- */

typedef struct es_net_report {
    const es_net *net;
    es_arena *arena;
    size_t limit;
    es_net_findings findings;
    es_net_invariants places, transitions;
    bool explored; /* `states` is filled in: the net is ordinary */
    es_net_states states;
    bool covered; /* `bounds` is filled in */
    es_net_bounds bounds;
    enum es_net_answer safe;
    enum { ES_NET_BY_NONE, ES_NET_BY_INVARIANTS, ES_NET_BY_PROOF, ES_NET_BY_STATES, ES_NET_BY_COVER } safe_by;
    es_net_safety proof; /* when `explored` */
    bool fulfilled;      /* all requirements */
} es_net_report;

void es_net_report_text(const es_net_report *report, es_text_buffer *out);
void es_net_report_json(const es_net_report *report, es_text_buffer *out);

#endif
