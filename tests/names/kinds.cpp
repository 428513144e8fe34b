// A second unit with the same classes of a template.
#include "kinds.hpp"

int more_kinds() { return Kind<char>::make() + Kind<int>::make() + Kind<char>::make(); }
