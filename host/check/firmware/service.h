/* What the target's events cost the soft core: the firmware and an image's code, run at worst for each kind of event.
 *
 * It is assumed that nothing was lost before: then calls and returns match, the path is known, and nothing is owed to
 * the host. A verdict of "guaranteed" is what makes the assumption true. */
#ifndef ES_CHECK_SERVICE_H
#define ES_CHECK_SERVICE_H

#include "base/arena.h"
#include "check/firmware/word.h"
#include "check/terms.h"
#include "image/image.h"
#include "isa/isa.h"

/* The state of the probe in which an event is looked at. */
typedef struct es_check_situation {
    uint32_t depth; /* activations on the shadow stack when it happens, at most ES_MI_STACK_DEPTH */
    bool path_sent; /* the host knows the path; else all of it has to be sent before a hit */
    uint32_t site;  /* RETURN, OTHER: where the innermost activation was called; 0: anywhere */
    bool to_do;     /* RETURN: it has something to do when it is left */
    /* WRITE, WRITE_PART, READ: a bit for each es_mi_slot that may lie there, too. With address 0 nothing else does */
    uint64_t slots;
    bool interrupt;       /* the innermost activation is an interrupt's */
    uint32_t inside;      /* RETURN, OTHER: entry of the innermost activation's procedure; 0: any */
    es_check_word stored; /* WRITE, WRITE_PART: the word after it, as far as that is known */
    uint32_t node;        /* NP: address of an es_mi_node; 0: any */
    uint64_t to_do_below; /* bit i: entry i of the shadow stack may have something to do when it is left */
    uint32_t from, word;  /* OTHER: the instruction fetched before; from 0: any */
    /* OTHER, word that of mret: what had been fetched before the interrupt. resume_known: bits of resume_word that are
     * known, 0: nothing is. resume_from 0: anywhere */
    uint32_t resume_from, resume_word, resume_known;
    bool switching; /* with tasks: the target may go on with another one */
    bool begins;    /* with tasks: one may begin here */
    /* CALL, RETURN, OTHER: start-up code runs, whose writes are no events. es_checker_cost_at: it may */
    bool hushed;
    bool no_handler; /* none of the activations is an interrupt's */
} es_check_situation;

/* The service belongs to the arena, and refers to the image; target: the instruction set of the program. */
es_check_service *es_check_service_new(es_arena *arena, const es_image *image, const es_isa *target);

/* Worst case in soft core clocks, from the hit at the queue's head to the look for the next one; with `words`: the
 * words of packets that it puts into the event queue. The address must be armed in the plane that the kind asks for
 * (READ: fetches'). Fails with what stands in the way of a bound. */
bool es_check_service_cost(es_check_service *service, bool words, enum es_check_event_kind kind, uint32_t address,
                           const es_check_situation *situation, uint32_t *cost, es_error *err);

/* The path surely stays as it was: a jump to a place where no procedure begins. */
bool es_check_service_stays(const es_check_service *service, enum es_check_event_kind kind, uint32_t address,
                            const es_check_situation *situation);

/* The words that are armed in the fetch plane from the start on, and whether they are armed for data reads, too: a
 * variable that some statement reads(). False: there are no more than i. */
bool es_check_service_armed(const es_check_service *service, size_t i, uint32_t *address, bool *read);

/* NP before the first call; 0: there are no nodes. And NP after the procedure with that entry was called at a site (0:
 * by an interrupt) with NP `node`; not 0. An entry that is not armed changes nothing. */
uint32_t es_check_service_root_node(const es_check_service *service);
uint32_t es_check_service_next_node(const es_check_service *service, uint32_t node, uint32_t entry, uint32_t site);

/* With tasks, of the image: how many activations are kept of one that does not run, and how many tasks; 0: there are
 * none. */
uint32_t es_check_service_places(const es_check_service *service);
uint32_t es_check_service_tasks(const es_check_service *service);
/* Makes a service ready for a check that begins, as if it were new; the costs that it has found so far stay known. */
void es_check_service_begin(es_check_service *service);

/* No task is left with more activations than so many. Before the first question for costs. */
void es_check_service_set_deepest(es_check_service *service, uint32_t depth);

/* Of a word for which the probe's tracker has a filter: how many bytes its variable has; 0: there is none. */
unsigned es_check_service_filtered(const es_check_service *service, uint32_t address);

/* The program may write such a variable in part: then the tracker may leave any of them to the soft core. Before the
 * first question for costs. */
void es_check_service_set_partly(es_check_service *service, bool partly);

/* The address lies in the memory that the probe watches. */
bool es_check_service_sees(const es_check_service *service, uint32_t address);

/* A bit for each es_mi_slot: words whose address moves. */
uint64_t es_check_service_slots(const es_check_service *service);

/* Those of them that are armed for data reads; the others are for writes. */
uint64_t es_check_service_read_slots(const es_check_service *service);

/* Where the words of an es_mi_slot begin and end, in bytes from what it stands at (the value of its pointer, with 3
 * bytes before for what begins anywhere in a word; the CFA). False: it has none. */
bool es_check_service_slot(const es_check_service *service, size_t number, int32_t *low, int32_t *high);

/* How many writes to a slot's words start-up code can make at most, when it writes each word once. */
double es_check_service_start_moves(const es_check_service *service, size_t number);

/* What start-up code writes is no event. */
bool es_check_service_hushes(const es_check_service *service);

/* Data reads of armed words are hits. */
bool es_check_service_reads(const es_check_service *service);

/* Whether a procedure's activation has something to do when it is left: code for a leave event or its frame. */
bool es_check_service_leaves(const es_check_service *service, uint32_t entry);

#endif
