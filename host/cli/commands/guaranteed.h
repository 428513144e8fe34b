/* --guaranteed: the side that is sure to miss nothing of the statements, proven before the run (check/sides.h). */
#ifndef ES_CLI_COMMANDS_GUARANTEED_H
#define ES_CLI_COMMANDS_GUARANTEED_H

#include "access/open.h"
#include "session/session.h"

/* Sets session->side, and says on stderr which it is and why, unless `quiet`. `board` is the probe's name as of
 * `earshot check --board`; NULL: the simulated one. Fails with ES_USAGE where that cannot be asked of the probe, and
 * with ES_EXPECTATION where no side, or not the one that the user has named, guarantees all statements. */
bool es_guaranteed_choose(es_session_options *session, const es_access *access, const char *board, bool quiet,
                          es_error *err);

#endif
