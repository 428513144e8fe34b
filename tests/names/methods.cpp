// What C++ calls by more than a plain name. Compiled for the target it runs without a word; compiled for this machine with -DTELL it prints
// each call with what it is about, one a line: NAME value. names.py compares.
#include <stdint.h>

#include "kinds.hpp"

#ifdef TELL
#include <stdio.h>
#include <stdlib.h>
#define TOLD(name, value) printf("%s %d\n", name, (int)(value))
#else
static volatile int told; // keeps the compiler from leaving calls out
#define TOLD(name, value) (void)(told = (int)(value))
#endif

namespace app {

int total; // there is a second one, in parts.c

class Clamp {
public:
    explicit Clamp(int lo, int hi) : lo(lo), hi(hi) { count++; TOLD("Clamp::Clamp", lo); }
    ~Clamp() { count--; TOLD("app::Clamp::~Clamp", hi); }
    int feed(int v)
    {
        last = v < lo ? lo : v > hi ? hi : v;
        total += last;
        TOLD("Clamp::feed", v);
        return last;
    }
    int peek() const { TOLD("peek", last); return last; }
    static int count;

protected:
    int lo, hi;
    int last = 0;
};

int Clamp::count;

struct Vec {
    int x, y;
    Vec &operator+=(const Vec &other)
    {
        x += other.x;
        y += other.y;
        TOLD("Vec::operator+=", other.y);
        return *this;
    }
    int operator()(int k) const { TOLD("Vec::operator()", k); return k * x; }
    int operator[](int k) const { TOLD("Vec::operator[]", k); return k ? y : x; }
    operator int() const { TOLD("Vec::operator int", x); return x + y; }
    bool operator<(const Vec &other) const { TOLD("Vec::operator<", other.x); return x < other.x; }
};

/* What it returns stands before its name where the linker has it. */
template <class T> struct Box {
    T held;
    template <class U> Vec opened(U by)
    {
        TOLD("Box<int>::opened<short>", by);
        return Vec{held, by};
    }
};

/* Overloads */
int sum(int a, int b) { TOLD("app::sum(int, int)", b); return a + b; }
int sum(unsigned char a) { TOLD("sum(unsigned char)", a); return a; }
int sum(const Vec *v) { TOLD("sum(app::Vec const*)", v->x); return v->x + v->y; }

} // namespace app

template <class T, int N> class Ring {
public:
    void push(T const &value)
    {
        items[head++ % N] = value;
        TOLD(sizeof(T) == 4 ? "Ring<int, 4>::push(int const&)" : "Ring<char, 8>::push", value);
    }
    T pop()
    {
        T value = items[tail++ % N];
        TOLD(sizeof(T) == 4 ? "Ring<int,4>::pop" : "Ring<char,8>::pop", value);
        return value;
    }
    static int made;

private:
    T items[N] = {};
    unsigned head = 0, tail = 0;
};
template <class T, int N> int Ring<T, N>::made;

template <class T> T larger(T a, T b)
{
    TOLD("larger<int>", b);
    return a < b ? b : a;
}

// One of a template's name that is none itself: only the other one has an argument to be told by.
template <class T> T doubled(int n)
{
    TOLD("doubled<char>", n);
    return (T)(2 * n);
}
int doubled(int n)
{
    TOLD("doubled", n);
    return doubled<char>(n) + 1;
}

namespace {
int hidden;
int conceal(int v)
{
    hidden = v;
    TOLD("conceal", v);
    return v + 1;
}
} // namespace

/* A virtual base: complete and base object constructors are two procedures. */
struct Base {
    int rank;
    explicit Base(int rank) : rank(rank) { TOLD("Base::Base", rank); }
    virtual int level(int by) { TOLD("Base::level", by); return rank + by; }
    virtual ~Base() { TOLD("Base::~Base", rank); }
};
struct Middle : virtual Base {
    int width;
    explicit Middle(int width) : Base(1), width(width) { TOLD("Middle::Middle", width); }
};
struct Tall : Middle {
    explicit Tall(int width) : Base(2), Middle(width) { TOLD("Tall::Tall", width); }
    int level(int by) override { width += by; TOLD("Tall::level", by); return width; }
};
struct Wide : app::Clamp {
    Wide() : Clamp(-5, 5) {}
    int widen(int by) { lo -= by; hi += by; TOLD("Wide::widen", by); return hi; }
};

static void *place[64];
void *operator new(decltype(sizeof 0), int) { return place; }
void operator delete(void *, int) {}
#ifndef TELL
void operator delete(void *) {}
void operator delete(void *, decltype(sizeof 0)) {}
#endif

extern "C" int parts(int);
extern "C" int work(int v)
{
    auto twice = [](int w) { TOLD("work::{lambda(int)#1}::operator()", w); return 2 * w; };
    return twice(v) + twice(v + 1);
}

static int by_reference(app::Vec &v, int &n)
{
    n += v.x;
    TOLD("by_reference", n);
    return n;
}

app::Clamp clamp(0, 100);
Ring<int, 4> numbers;
Ring<char, 8> letters;
app::Vec position = {1, 2};
Middle *middle;
Tall *tall;
volatile int done;

static void run()
{
    app::Clamp local(-3, 3);
    for (int i = -5; i < 6; i++)
        local.feed(i) ? clamp.feed(40 * i) : local.peek();
    for (int i = 0; i < 7; i++) {
        numbers.push(i * i);
        letters.push((char)('a' + i));
    }
    position += app::Vec{3, 4};
    position += app::Vec{numbers.pop(), numbers.pop()};
    done = position(2) + position[1] + (int)position + (position < app::Vec{9, 9});
    done = app::sum(done, 3) + app::sum((unsigned char)7) + app::sum(&position) + app::sum(&position);
    done = larger(done, 5) + larger(2, 3) + letters.pop();
    doubled(done & 7);
    doubled(9);
    app::Box<int>{3}.opened((short)(position.x & 15));
    Kind<int>::make();
    Kind<char>::make();
    more_kinds();
    for (int i = 0; i < 3; i++)
        done = conceal(done);
    {
        Middle one(10);
        Tall two(20);
        middle = &one;
        tall = &two;
        done = middle->level(3) + tall->level(4) + tall->level(5);
    }
    Wide wide;
    for (int i = 1; i < 4; i++)
        done = wide.widen(i) + wide.feed(20 * i);
    int n = 5;
    for (int i = 0; i < 4; i++)
        done = by_reference(position, n);
    done = work(6) + parts(4);
    Ring<int, 4>::made = app::Clamp::count;
}

int main()
{
    run();
#ifdef TELL
    fflush(stdout);
    _Exit(0); // the target does not destroy what is static
#endif
    return 0;
}
