/* Memory that is freed all at once. Allocation never fails: the process ends with a message when memory runs out. */
#ifndef ES_BASE_ARENA_H
#define ES_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct es_arena es_arena;

es_arena *es_arena_new(void);
void es_arena_free(es_arena *arena); /* NULL is fine */

/* Zeroed memory, aligned for any object. */
void *es_arena_alloc(es_arena *arena, size_t size);

/* Copies of text, NUL terminated. */
char *es_arena_copy(es_arena *arena, const char *text, size_t length);
char *es_arena_format(es_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for one more element in an array that grows by doubling: `items` holds `count` elements of `size` bytes, all of
 * them made by this function (NULL when count is 0). Returns the array, moved when it had to grow; the new element is
 * zeroed. */
void *es_arena_grow(es_arena *arena, void *items, size_t count, size_t size);

/* malloc and realloc that end the process when memory runs out. */
void *es_malloc(size_t size);
void *es_realloc(void *old, size_t size);

#endif
