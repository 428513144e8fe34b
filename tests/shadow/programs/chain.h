/* What chain.c has from another file. */
#define OWN __attribute__((noipa))

int leaf(int n);

static inline __attribute__((always_inline)) int through(int n)
{
    return leaf(n + 100) + 5;
}
