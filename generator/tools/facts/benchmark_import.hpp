// `primer facts import`: facts from the results of Google Benchmark (--benchmark_format=json).
//
//   "context"     --> a reference (what ran where and when) and the title of the machine
//   "benchmarks"  --> per benchmark MACHINE.NAME.time, and .bandwidth (bytes_per_second) and .rate
//                     (items_per_second) if it reports them; the median of its repetitions
//
// Values have three digits, because later ones differ from run to run. A second import changes the
// facts of the first, and everything derived from them. Other counters are left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/tools/facts/fact_edit.hpp"

namespace primer {

struct BenchmarkImport {
  std::string machine;  // id; empty: from the host name
  std::string url;      // where the results can be read
};

struct ImportedBenchmarks {
  std::map<std::string, std::string> files;  // changed files by path
  std::vector<EditedFacts::Change> changes;  // `before` is empty for a new fact
  std::vector<std::string> left_out;         // and why: "BM_Copy/8: failed: out of memory"
};

// `files` needs only chapters/facts/, not a book. No value after an error.
std::optional<ImportedBenchmarks> import_benchmarks(const FileSystem& files, const Source& results,
                                                    const BenchmarkImport& how,
                                                    Diagnostics& diagnostics);

}  // namespace primer
