// All-reduce in rounds: who sends which chunks to whom, and what everybody then has.
//
// The vector is cut into as many chunks as there are ranks. A chunk on a rank is the set of ranks
// whose contribution it holds, so that nothing can be added twice or lost unseen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace figures::models {

enum class Algorithm { ring, tree, halving, hierarchical };

struct Message {
  int from = 0, to = 0;
  std::vector<int> chunks;
  bool reduces = false;  // added to what is there; else it replaces it
};

struct Round {
  std::vector<Message> messages;
  bool outside = false;  // over the links between groups
};

// `ranks` 2 to 16 (a power of two for halving), `group` a divisor of it.
std::vector<Round> rounds_of(Algorithm algorithm, int ranks, int group);

class Collective {
 public:
  explicit Collective(int ranks);
  // Everybody sends what they had before the round.
  void play(const Round& round);
  std::uint32_t holds(int rank, int chunk) const {
    return state_[static_cast<std::size_t>(rank * ranks_ + chunk)];
  }
  bool complete(int rank, int chunk) const { return holds(rank, chunk) == everybody_; }
  bool all_complete() const;
  int ranks() const { return ranks_; }
  long long chunks_sent(int rank) const { return sent_[static_cast<std::size_t>(rank)]; }
  const std::string& broken() const { return broken_; }

 private:
  int ranks_;
  std::uint32_t everybody_;
  std::vector<std::uint32_t> state_;
  std::vector<long long> sent_;
  std::string broken_;
};

}  // namespace figures::models
