// What a page may hold beside text: the elements, attributes and addresses that the emitter writes.
#pragma once

#include <string>

// The first thing in a page that must never come out of a contributor's text: markup that is not
// well-formed, an element that loads or runs something, an event handler, a style, an address with
// a scheme that is not on the list. Empty: the page is clean.
std::string dirt_in(const std::string& html);
