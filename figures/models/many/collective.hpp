// All-reduce in rounds: who sends which chunks to whom, and which chunks each rank then has.
//
// The vector is divided into one chunk per rank. A chunk on a rank is represented by the set of
// ranks whose contributions it contains, so that a test notices a contribution that is added twice
// or lost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace figures::models {

enum class Algorithm { ring, tree, halving, hierarchical };

struct Message {
  int from = 0, to = 0;
  std::vector<int> chunks;
  bool reduces = false;  // true: added to the chunk; false: replaces it
};

struct Round {
  std::vector<Message> messages;
  bool outside = false;  // over the links between groups
};

// `ranks` is 2 to 16 (a power of two for halving); `group` divides it.
std::vector<Round> rounds_of(Algorithm algorithm, int ranks, int group);

class Collective {
 public:
  explicit Collective(int ranks);
  // Plays one round. All ranks send the chunks that they had before the round.
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
