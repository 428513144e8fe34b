/* What the files of a replay share. */
#ifndef ES_REPLAY_PRIVATE_H
#define ES_REPLAY_PRIVATE_H

#include "replay/replay.h"

typedef struct es_heartbeat {
    uint64_t fetches, time;
    uint32_t sum, sums;
    size_t tokens;   /* so many of es_replay.tokens came before it */
    size_t anchors;  /* so many of es_replay.anchors, its own with them */
    uint64_t offset; /* of the stream after it */
    bool whole;      /* no token has begun there */
} es_heartbeat;

/* A decision, with what is needed to make another one. */
typedef struct es_decision {
    es_choice choice;
    es_alternatives alternatives;
    uint8_t chosen;
    uint16_t refuted;              /* alternatives, a bit each */
    es_machine_hash hash;          /* before it */
    bool found;                    /* it was told apart from all others */
    size_t heartbeats;             /* so many were passed before it */
    es_execution_state state;      /* before it, with the snapshot */
    es_machine_snapshot *snapshot; /* NULL: there is but one alternative */
} es_decision;

/* From the base, a snapshot, on: what is not settled. */
struct es_replay {
    es_replay_program program;
    es_replay_listener listener;
    es_stream_token_reader reader;
    es_execution run;
    es_stream_token *tokens;
    size_t token_count, token_room;
    es_heartbeat *heartbeats;
    size_t heartbeat_count, heartbeat_room;
    es_replay_anchor *anchors;
    size_t anchor_count, anchor_room;
    es_machine_snapshot *asked; /* of the machine, before the instruction that will ask for a decision; or NULL */
    es_decision *decisions;
    size_t decision_count, decision_room, decision_at;
    size_t passed; /* heartbeats that the machine has reached */
    es_machine_snapshot *base;
    es_replay_place base_place;
    uint64_t base_fetches;
    uint64_t told;                    /* moment up to which it was told */
    size_t told_tokens;               /* of which so many tokens were before that */
    bool held;                        /* it may have been in another way: nobody is told yet */
    bool unheard;                     /* heartbeats have agreed, and it was not told */
    uint64_t last_fetches, last_time; /* of the last heartbeat that came */
    bool trial;                       /* decisions are made as before, and none is added */
    bool eager;                       /* new decisions are for what is most likely, not for what is unknown */
    bool anew;                        /* decisions are made as before, and saved before anew */
    bool zeros;                       /* since the base, what is unknown and stored is taken to be 0 */
    bool stored_unknown;              /* what is unknown was stored; else the way depends on it */
    bool began;
    bool ended, failed;
    char why[1024];
    es_replay_summary summary;
};

/* es_execution.choose and .asks. The context is the replay. */
es_choice es_replay_choose(void *context, const es_alternatives *alternatives, uint64_t fetches);
void es_replay_asks(void *context);

es_choice es_replay_choice_of(const es_alternatives *alternatives, unsigned which, uint64_t fetches);

/* Executes up to the last heartbeat, and tries alternatives where it has to. BAD: none agrees; run.why says what was
 * wrong with the first one. HELD: several agree, and the next heartbeats may tell them apart; the machine is at the
 * end of
 * one of them. */
enum es_search { ES_SEARCH_GOOD, ES_SEARCH_HELD, ES_SEARCH_BAD };
enum es_search es_replay_search(es_replay *replay);

/* All that was executed since the base is settled: the machine's state, at the last heartbeat, is the new base. */
void es_replay_settle(es_replay *replay);
/* Settles all but the last `left` heartbeats, fewer than there are: what is open of these may still be what the way on
 * depends on. */
void es_replay_settle_most(es_replay *replay, size_t left);

/* Executes up to the next heartbeat that was not passed yet: UNTIL when its sums agree. */
enum es_execution_end es_replay_reach(es_replay *replay);

/* Goes back to the base; the decisions stay. */
void es_replay_back_to_base(es_replay *replay);
void es_replay_drop_decisions(es_replay *replay, size_t from);

#endif
