// What a page may contain in addition to text: the elements, attributes and addresses that the emitter
// writes.
#pragma once

#include <string>

// The first forbidden thing in a page made from a contributor's text: markup that is not
// well-formed, an element that loads or runs something, an event handler, a style, or an address
// whose scheme is not on the list. Empty: the page is clean.
std::string dirt_in(const std::string& html);
