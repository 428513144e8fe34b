/* Linked with --gc-sections: the debug information of what is removed says address 0. */
int used_value = 3;
int unused_value = 4;
int unused(int a);
int unused(int a)
{
    static int unused_static;
    int unused_local = a + unused_value;
    return unused_local + unused_static++;
}
int main(void)
{
    return used_value;
}
