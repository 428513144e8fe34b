/* Pointers among the locals of a recursive procedure: each activation has its own, and what they point to is shared. */
struct node {
    int v;
    struct node *next;
} n[6];
int total;

int walk(struct node *p)
{
    struct node *q = p;
    if (!p)
        return 0;
    int r = p->v;
    p->v += 10;
    r += walk(p->next);
    q->v++;
    total = r;
    return r;
}

int main(void)
{
    for (int i = 0; i < 6; i++) {
        n[i].v = i;
        n[i].next = i < 5 ? &n[i + 1] : 0;
    }
    walk(n);
    n[2].v = 77;
    walk(&n[2]);
    return 0;
}
