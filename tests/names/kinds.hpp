#ifndef KINDS_HPP
#define KINDS_HPP

// Static members of a template's classes: each unit that uses them has them, and describes them.
template <class T> struct Kind {
    static int made;
    static int make() { return ++made; }
};
template <class T> int Kind<T>::made;

int more_kinds();

#endif
