/* Counts which procedure of a program of this machine calls which, by what -finstrument-functions adds to it: says
 * "CALLER CALLEE TIMES" by their addresses, CALLER 0 for the first one. */
#include <stdio.h>

#define LEFT_OUT __attribute__((no_instrument_function))
#define MOST 4096

static struct edge {
    void *caller, *callee;
    unsigned long times;
} edges[MOST];
static void *stack[MOST];
static unsigned depth, count;

LEFT_OUT void __cyg_profile_func_enter(void *procedure, void *site);
LEFT_OUT void __cyg_profile_func_exit(void *procedure, void *site);

LEFT_OUT void __cyg_profile_func_enter(void *procedure, void *site)
{
    void *caller = depth ? stack[depth - 1] : NULL;
    unsigned i = 0;
    (void)site;
    while (i < count && (edges[i].caller != caller || edges[i].callee != procedure))
        i++;
    if (i == count)
        edges[count++] = (struct edge){caller, procedure, 0};
    edges[i].times++;
    stack[depth++] = procedure;
}

LEFT_OUT void __cyg_profile_func_exit(void *procedure, void *site)
{
    (void)procedure, (void)site;
    depth--;
}

LEFT_OUT __attribute__((destructor)) static void say(void)
{
    for (unsigned i = 0; i < count; i++)
        printf("%lx %lx %lu\n", (unsigned long)edges[i].caller, (unsigned long)edges[i].callee, edges[i].times);
}
