/* Pointers in registers: parameters, which are there without an event; those of outer activations, which come back when
 * inner ones return; and those of which nothing is known for a while. */
struct node {
    int v;
    struct node *left, *right;
};

struct node nodes[7];
struct node *first;
volatile int sink;

__attribute__((noinline)) void walk(struct node *t)
{
    if (t->left)
        walk(t->left);
    sink = t->v;
    struct node *q = t->right;
    if (q) {
        walk(q);
        sink = q->v + 100;
    }
    sink = -t->v;
}

__attribute__((noinline)) int look(int i)
{
    struct node *w;
    if (i & 1) {
        w = &nodes[i % 7];
        sink = w->v;
        sink = w->v + 1;
        return w->v;
    }
    sink = i;
    sink = i * i;
    return i;
}

__attribute__((noinline)) int beyond(int k)
{
    sink = k;
    sink = first[k].v;
    return first[k].v * 3;
}

int main(void)
{
    first = nodes;
    for (int i = 0; i < 7; i++)
        nodes[i].v = i + 1;
    for (int i = 0; i < 3; i++) {
        nodes[i].left = &nodes[2 * i + 1];
        nodes[i].right = &nodes[2 * i + 2];
    }
    walk(nodes);
    for (int i = 0; i < 8; i++)
        look(i);
    for (int i = 6; i >= 0; i -= 2)
        nodes[i].v += beyond(i);
    return 0;
}
