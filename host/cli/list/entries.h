/* What of a program can be watched, gathered: the names as statements write them. */
#ifndef ES_CLI_LIST_ENTRIES_H
#define ES_CLI_LIST_ENTRIES_H

#include "base/arena.h"
#include "symbols/symbols.h"

enum es_entry_kind { ES_ENTRY_VARIABLE, ES_ENTRY_LOCAL, ES_ENTRY_PROCEDURE };

typedef struct es_entry {
    enum es_entry_kind kind;
    const char *name;              /* as a statement writes it: "temp", "other.c\\state", "clamp\\lo" */
    const es_variable *variable;   /* VARIABLE, LOCAL */
    bool replay;                   /* of these: it is not in memory, and the replay has values for it */
    const es_procedure *procedure; /* PROCEDURE */
    const es_procedure *clone_of;  /* PROCEDURE: it is a copy that the compiler made of this one; NULL: it is none */
} es_entry;

/* Ordered by kind, then by name. */
typedef struct es_entries {
    es_entry *items;
    size_t count;
} es_entries;

/* Those whose name matches the pattern: with * ? or [ as a shell's, of the whole name; else names that contain it.
 * NULL: all. `libraries`: also what is not the program's own. All of it is the arena's. */
es_entries es_entries_gather(const es_symbols *symbols, const char *pattern, bool libraries, es_arena *arena);

#endif
