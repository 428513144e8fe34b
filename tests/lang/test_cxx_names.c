/* C++'s names: where they end, their normal form, which one is meant. */
#include <string.h>

#include "base/cxx_name.h"
#include "check_main.h"

static const struct {
    const char *text;
    size_t scoped; /* bytes up to the parameters */
    const char *normal;
} names[] = {
    {"control", 7, "control"},
    {"app::Clamp::feed(int)", 16, "app::Clamp::feed(int)"},
    {"Ring<int, 4>::push(const int &)", 18, "Ring<int,4>::push(int const&)"},
    {"Ring<Ring<char, 8u>, (1 > 2)>::pop", 34, "Ring<Ring<char,8>,(1>2)>::pop"},
    {"::total", 7, "::total"},
    {"X::~X()", 5, "X::~X()"},
    {"~X", 2, "~X"},
    {"Vec::operator+=(Vec)", 15, "Vec::operator+=(Vec)"},
    {"Vec::operator()(int) const", 15, "Vec::operator()(int) const"},
    {"operator unsigned long int", 26, "operator unsigned long"},
    {"operator new[](unsigned)", 14, "operator new[](unsigned int)"},
    {"operator<<<int>(A, B)", 15, "operator<<<int>(A,B)"},
    {"operator char const*", 20, "operator char const*"},
    {"(anonymous namespace)::f(void)", 24, "f()"},
    {"f(int)::{lambda(int)#1}::operator()(int)", 35, "f(int)::{lambda(int)#1}::operator()(int)"},
    {"g(long unsigned int, struct msg *, short int)", 1, "g(unsigned long,msg*,short)"},
    {"g(const app::Vec *const, volatile signed char&)", 1, "g(app::Vec const* const,signed char volatile&)"},
    {"9x", 0, "9x"},
    {"x(", 1, "x("},
    {"x<", 1, "x<"},
};

START_TEST(forms)
{
    es_text_buffer out = {0};
    es_cxx_normal(&out, names[_i].text, strlen(names[_i].text));
    ck_assert_str_eq(out.text, names[_i].normal);
    ck_assert_msg(es_cxx_scoped(names[_i].text) == names[_i].scoped, "%s: %zu", names[_i].text,
                  es_cxx_scoped(names[_i].text));
    /* the normal form is its own */
    es_text_buffer again = {0};
    es_cxx_normal(&again, out.text, out.length);
    ck_assert_str_eq(again.text, out.text);
    es_text_free(&again);
    es_text_free(&out);
}
END_TEST

START_TEST(meanings)
{
    static const struct {
        const char *wanted, *name;
        enum es_cxx_match match;
    } cases[] = {
        {"feed", "app::Clamp::feed", ES_CXX_PART},
        {"Clamp::feed", "app::Clamp::feed", ES_CXX_PART},
        {"app::Clamp::feed", "app::Clamp::feed", ES_CXX_WHOLE},
        {"::feed", "app::Clamp::feed", ES_CXX_NOT},
        {"::feed", "feed", ES_CXX_WHOLE},
        {"amp::feed", "app::Clamp::feed", ES_CXX_NOT},
        {"app::feed", "app::Clamp::feed", ES_CXX_NOT},
        {"Ring::push", "Ring<int,4>::push", ES_CXX_WHOLE},
        {"Ring<int,5>::push", "Ring<int,4>::push", ES_CXX_NOT},
        {"larger", "larger<int>", ES_CXX_WHOLE},
        {"X", "X::~X", ES_CXX_NOT},
        {"~X", "X::~X", ES_CXX_PART},
        {"operator<", "A::operator<<", ES_CXX_NOT},
        {"operator()", "f(int)::{lambda(int)#1}::operator()", ES_CXX_PART},
        {"f::X::g", "f(int)::X::g", ES_CXX_WHOLE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(es_cxx_means(cases[i].wanted, cases[i].name) == cases[i].match, "%s of %s", cases[i].wanted,
                      cases[i].name);
    ck_assert(es_cxx_same_parameters("(int)", "(int) const"));
    ck_assert(es_cxx_same_parameters("(int) const", "(int) const"));
    ck_assert(!es_cxx_same_parameters("(int) const", "(int)"));
    ck_assert(!es_cxx_same_parameters("(int)", "(int,int)"));
    ck_assert_str_eq(es_cxx_last("a::B<c::d>::operator()"), "operator()");
    ck_assert_str_eq(es_cxx_last("main"), "main");
}
END_TEST

/* Brackets inside each other must be refused at some depth, and what has no end in its line. */
START_TEST(depth_is_bounded)
{
    char text[200000] = "f";
    memset(text + 1, '<', sizeof text - 2);
    ck_assert_uint_eq(es_cxx_scoped(text), 1);
    memset(text + 1, '(', sizeof text - 2);
    es_text_buffer out = {0};
    es_cxx_normal(&out, text, strlen(text));
    es_text_free(&out);
    ck_assert_uint_eq(es_cxx_group("(a\n)"), 0);
    ck_assert_uint_eq(es_cxx_group("(a)"), 3);
    ck_assert_uint_eq(es_cxx_group("a"), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("names of C++");
    TCase *tcase = tcase_create("names");
    tcase_add_loop_test(tcase, forms, 0, (int)(sizeof names / sizeof *names));
    tcase_add_test(tcase, meanings);
    tcase_add_test(tcase, depth_is_bounded);
    suite_add_tcase(suite, tcase);
    return check_main(suite);
}
