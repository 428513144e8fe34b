/* Reference model of the recorder, in plain C, written from docs/replay.md: it reads the recorder's bytes and follows
 * them over the records that the pipeline has executed. Each token has to be the one that the next record needs, and no
 * record may need one that does not come. What hangs on clocks and room alone it takes as it comes: where a heartbeat
 * that was asked for stands, and which record found no room. */
#ifndef CORE_RECORDER_MODEL_H
#define CORE_RECORDER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A record as executed. */
struct recorded {
    uint32_t time; /* low 32 bits */
    uint32_t addr; /* word aligned; of a fetch from the middle of a word 2 more */
    uint32_t data; /* of the lanes, others 0 */
    uint32_t all;  /* of all lanes */
    uint32_t old;  /* phantom memory's word before */
    bool known, inside;
    uint8_t kind, lanes; /* MARK: MARK_* in the lanes */
};

struct recorder_model;

struct recorder_model *recorder_model_new(uint32_t address_mask);
void recorder_model_free(struct recorder_model *model);

void recorder_model_write(struct recorder_model *model, uint32_t offset, uint32_t value); /* REG_REC_* but CTRL */
/* It begins to record. Returns NULL, or what is wrong: what was recorded before has not ended. */
const char *recorder_model_begin(struct recorder_model *model);
void recorder_model_ask(struct recorder_model *model, bool stop); /* while it records */
void recorder_model_record(struct recorder_model *model, const struct recorded *record);

/* The stream's next byte. Returns NULL, or what is wrong. */
const char *recorder_model_byte(struct recorder_model *model, uint8_t byte);

bool recorder_model_ended(const struct recorder_model *model);      /* END has come */
unsigned recorder_model_reason(const struct recorder_model *model); /* of END */
bool recorder_model_settled(const struct recorder_model *model); /* all records are told, the last token a heartbeat */

/* Tokens so far, of all recordings: by kind; RUN: how many inputs, too. Ends by reason. */
unsigned long recorder_model_tokens(const struct recorder_model *model, unsigned kind);
unsigned long recorder_model_predicted(const struct recorder_model *model);
unsigned long recorder_model_ends(const struct recorder_model *model, unsigned reason);

#endif
