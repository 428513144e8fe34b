/* Frame tables that name a register far beyond all that there are: DW_CFA_offset_extended of number 139665489. */
volatile int sink;

static int twice(int value)
{
    int doubled = value + value;
    __asm__ volatile(".cfi_escape 0x05, 0xd1, 0xc0, 0xcc, 0x42, 0x04");
    sink = doubled;
    return doubled;
}

int main(void)
{
    int result = twice(3);
    return result - 6;
}
