/* Pointers whose objects are freed while they wait: by an inner activation, through another pointer, while nothing needs
 * them. At each store to `told` the program itself says whether what the pointer leads to is an object, and what is in
 * it. */
#include <stdlib.h>

struct node {
    int v;
    int w;
    struct node *next;
};

volatile int told, alive, holds;
volatile int in = 3;
struct node nodes[2] = {{.v = 41}, {.v = 51}};
struct node *victim;

#define KEEP(p) __asm__ volatile("" : : "r"(p))
#define TELL(number, is_alive, value) (alive = (is_alive), holds = (value), told = (number))

__attribute__((noinline)) struct node *made(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    return n;
}

/* how: 0 goes down; 1 frees its own, 2 the victim, 3 nothing; 4 frees its own and gives what it gets instead. */
__attribute__((noinline)) void walk(struct node *t, int depth, int how, int lives)
{
    TELL(depth, 1, t->v);
    if (depth > 0) {
        walk(t->next ? t->next : t, depth - 1, how, lives);
        TELL(100 + depth, lives, lives ? t->v : 0);
    } else if (how == 1) {
        free(t);
        TELL(200, 0, 0);
    } else if (how == 2) {
        free(victim);
        TELL(201, t != victim, t != victim ? t->v : 0);
    } else if (how == 4) {
        free(t);
        struct node *again = made(71); /* at the same place */
        TELL(202, 0, 0);
        walk(again, 0, 3, 1);
        TELL(203, 0, 0);
    }
    KEEP(t);
    if (how == 3) {
        t = &nodes[1];
        TELL(300, 1, 51);
    }
    KEEP(t);
}

/* In one activation: p is not needed, and its register is another's, for a while. */
__attribute__((noinline)) void gap(int v)
{
    struct node *p = made(v);
    TELL(400, 1, v);
    free(p);
    TELL(401, 0, 0);
    p = made(v + 1);
    TELL(402, 1, v + 1);
    free(p);
    TELL(403, 0, 0);
    KEEP(p);
}

int main(void)
{
    struct node *a = made(11), *b = made(21), *c = made(31);
    walk(a, in - 1, 1, 0); /* the same object three times, freed by the innermost */
    b->next = c;
    walk(b, in - 2, 1, 1); /* the next one is freed: this one lives */
    victim = b;
    c = made(32);
    b->next = c;
    walk(b, in - 2, 2, 0); /* freed where another pointer is meant */
    walk(c, in - 2, 3, 1);
    walk(made(61), in - 3, 4, 0);
    walk(nodes, in - 2, 3, 1);
    gap(81);
    gap(83);
    return 0;
}
