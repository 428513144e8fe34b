/* Casts to pointers: what they lead to. */
#include <string.h>

#include "check_main.h"
#include "show.h"

static const struct {
    const char *text, *shown;
} cases[] = {
    {"((struct plant *)anything)->temp > 3",
     "(> @200ec:4->0:4s 3) | print ((struct plant*)anything)->temp=@200ec:4->0:4s"},
    {"(*(struct plant *)anything).temp > 3",
     "(> @200ec:4->0:4s 3) | print (*(struct plant*)anything).temp=@200ec:4->0:4s"},
    {"*(int *)anything > 3", "(> @200ec:4->0:4s 3) | print *(int*)anything=@200ec:4->0:4s"},
    {"*(const uint8_t *)p == 3", "(== @20028:4->0:1 3) | print *(const uint8_t*)p=@20028:4->0:1"},
    {"((struct node *)anything)->next->value == 3",
     "(== @200ec:4->0:4->4:2s 3) | print ((struct node*)anything)->next->value=@200ec:4->0:4->4:2s"},
    {"((struct plant *)level)->array[1] == 3",
     "(== @20004:4->16:4s 3) | print ((struct plant*)level)->array[1]=@20004:4->16:4s"},
    {"((struct plant *)node->next)[2].b == 3",
     "(== @200e4:4->0:4->72:2.3+7 3) | print ((struct plant*)node->next)[2].b=@200e4:4->0:4->72:2.3+7"},
    {"write(((struct plant *)anything)->temp)",
     "write:@200ec:4->0:4s | print ((struct plant*)anything)->temp=@200ec:4->0:4s"},
    {"old(*(int *)anything) == 3", "(== old:@200ec:4->0:4s 3) | print old(*(int*)anything)=old:@200ec:4->0:4s"},
    {"(struct plant *)anything == p", "(==u @200ec:4 @20028:4) | print (struct plant*)anything=@200ec:4 p=@20028:4"},
    {"((struct plant **)anything)[1]->temp == 1",
     "(== @200ec:4->4:4->0:4s 1) | print ((struct plant**)anything)[1]->temp=@200ec:4->4:4->0:4s"},
    {"*(unsigned short *)anything == 1", "(== @200ec:4->0:2 1) | print *(unsigned short*)anything=@200ec:4->0:2"},
    {"when temp { print ((struct plant *)anything)->temp; snapshot *(struct plant *)anything }",
     "@20000:4s | print ((struct plant*)anything)->temp=@200ec:4->0:4s | snapshot *(struct "
     "plant*)anything=@200ec:4->0:0+32"},
};

START_TEST(casts)
{
    const char *got = show(cases[_i].text);
    ck_assert_msg(strcmp(got, cases[_i].shown) == 0, "    {\"%s\",\n     \"%s\"},", cases[_i].text, got);
}
END_TEST

START_TEST(refused)
{
    ck_assert_str_eq(show("((struct nobody *)anything)->x"),
                     "-e:1:3: error: there is no type 'struct nobody' that a variable of the program has\n"
                     "  ((struct nobody *)anything)->x\n    ^~~~~~~~~~~~~\n"
                     "hint: as the program has it: (struct msg *)q, (msg_t *)q, (uint16_t *)q");
    ck_assert_str_eq(show("((state_t *)anything)->x"),
                     "-e:1:3: error: 'state_t' is ambiguous: files of the program have different types of this name\n"
                     "  ((state_t *)anything)->x\n    ^~~~~~~");
    ck_assert_str_eq(show("*(int *)delta16 == 3"), "-e:1:9: error: delta16 is no pointer but short int\n"
                                                   "  *(int *)delta16 == 3\n          ^~~~~~~");
    ck_assert_ptr_nonnull(strstr(show("((void *)p)->temp"), "points to void, which cannot be watched"));
    ck_assert_ptr_nonnull(strstr(show("((struct plant *)anything)->missing"), "struct plant has no member 'missing'"));
    ck_assert_ptr_nonnull(strstr(show("((struct plant *)(p + 1))->temp"), ": error: "));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("casts to pointers");
    TCase *tcase = tcase_create("casts");
    tcase_add_loop_test(tcase, casts, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(tcase, refused);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
