// The places of the values of a JSON file: the same tree that a YAML file gives, so that one walk
// finds what a message is about in either.
#pragma once

#include "generator/formats/yaml.hpp"

namespace primer {

// `source` must hold valid JSON that nests at most 64 deep. A string is a scalar that is not plain;
// keys that are there twice are there twice.
Yaml json_tree(const Source& source);

// The first key that one object holds twice, if any.
const Yaml* repeated_key(const Yaml& tree);

}  // namespace primer
