/* Says what a program of this machine enters ("+ ADDRESS") and leaves ("- ADDRESS"), in its order, by what
 * -finstrument-functions adds to it. */
#include <stdio.h>

#define LEFT_OUT __attribute__((no_instrument_function))

LEFT_OUT void __cyg_profile_func_enter(void *procedure, void *site);
LEFT_OUT void __cyg_profile_func_exit(void *procedure, void *site);

LEFT_OUT void __cyg_profile_func_enter(void *procedure, void *site)
{
    (void)site;
    printf("+ %lx\n", (unsigned long)procedure);
}

LEFT_OUT void __cyg_profile_func_exit(void *procedure, void *site)
{
    (void)site;
    printf("- %lx\n", (unsigned long)procedure);
}
