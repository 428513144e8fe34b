/* What a snapshot consists of. For the files of this room only. */
#ifndef ES_MACHINE_SNAPSHOT_H
#define ES_MACHINE_SNAPSHOT_H

#include "machine/private.h"

typedef struct machine_kept_chunk {
    unsigned at;
    machine_chunk *chunk;
} machine_kept_chunk;

struct es_machine_snapshot {
    es_machine_registers registers;
    bool hash_unknown, zeros, has_assumed, user, reserved;
    uint32_t hash_sum, hash_sums, reservation;
    uint32_t fcsr, fcsr_unknown;
    uint64_t fetches;
    uint32_t control[CONTROLS], control_unknown[CONTROLS];
    unsigned count;              /* of chunks that there are */
    machine_kept_chunk chunks[]; /* in the order of `at` */
};

#endif
