// The machines whose results a book publishes: the profiles of figures/profiles/, of which there may be thousands.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "generator/base/cache.hpp"
#include "generator/base/digest.hpp"
#include "generator/base/pack.hpp"
#include "generator/base/tasks.hpp"
#include "generator/load/values.hpp"

namespace primer {

// What lists say of a profile: its text is read again only to be published.
struct RecordedMachine {
  std::string label, browser, os, created, note;
  std::string brief;                          // its name and roofs as JSON; empty without roofs
  int cores = 0;                              // that a page could use; 0: not known
  double arithmetic = 0, memory = 0;          // FLOP/s and B/s of one core; 0: the roof is missing
  double gpu_arithmetic = 0, gpu_memory = 0;  // the same of its GPU, in fp32
  Digest text = absent;                       // of the file
  Digest numbers = absent;  // of what was measured, whatever the machine is called
};
void pack(Packer& packer, const RecordedMachine& machine);
void unpack(Unpacker& unpacker, RecordedMachine& machine);

// By the name of the profile's file, without ".json".
using Gallery = std::map<std::string, RecordedMachine>;

// Reports every file that is not a valid profile (profile_validation.hpp) or whose name is not an address, and
// warns of measurements that are there twice: such a one is not in the gallery. The reference profile has been
// reported with the values. Of machines that are `known` no file is read.
Gallery load_gallery(const FileSystem& files, const std::string& reference, const Values& values,
                     Diagnostics& diagnostics, Cache* cache, const Tasks& tasks,
                     Gallery known = {});

std::string profile_path(const std::string& name);
// Nothing for a path that is none of a profile.
std::optional<std::string> profile_name(std::string_view path);

// Under which a cache keeps that a text is a valid profile.
std::string valid_profile_key(std::string_view text);

}  // namespace primer
