#include "figures/models/many/collective.hpp"

#include <algorithm>

namespace figures::models {
namespace {

// A ring over `members`. Chunk `c` stands for all chunks in pieces[c].
void add_ring(std::vector<Round>& rounds, std::size_t first, const std::vector<int>& members,
              const std::vector<std::vector<int>>& pieces, bool scatter, bool gather) {
  const int n = static_cast<int>(members.size());
  std::size_t at = first;
  const auto pass = [&](int shift, bool reduces) {
    for (int round = 0; round < n - 1; ++round, ++at) {
      if (at == rounds.size()) rounds.emplace_back();
      for (int i = 0; i < n; ++i) {
        const int piece = ((i + shift - round) % n + n) % n;
        rounds[at].messages.push_back({members[static_cast<std::size_t>(i)],
                                       members[static_cast<std::size_t>((i + 1) % n)],
                                       pieces[static_cast<std::size_t>(piece)], reduces});
      }
    }
  };
  if (scatter) pass(0, true);
  if (gather) pass(1, false);
}

std::vector<int> counted(int from, int count, int step = 1) {
  std::vector<int> out;
  for (int i = 0; i < count; ++i) out.push_back(from + i * step);
  return out;
}

std::vector<std::vector<int>> singles(int n) {
  std::vector<std::vector<int>> out;
  for (int i = 0; i < n; ++i) out.push_back({i});
  return out;
}

std::vector<Round> tree(int n) {
  std::vector<Round> down;
  const std::vector<int> all = counted(0, n);
  for (int d = 1; d < n; d *= 2) {
    Round round;
    for (int i = d; i < n; i += 2 * d) round.messages.push_back({i, i - d, all, true});
    down.push_back(round);
  }
  std::vector<Round> rounds = down;
  for (auto round = down.rbegin(); round != down.rend(); ++round) {
    for (Message& message : round->messages) {
      std::swap(message.from, message.to);
      message.reduces = false;
    }
    rounds.push_back(*round);
  }
  return rounds;
}

std::vector<Round> halving(int n) {
  std::vector<Round> rounds;
  // After each round, a rank holds the chunks that agree with it in every bit decided so far.
  for (int d = n / 2; d >= 1; d /= 2) {
    Round round;
    for (int i = 0; i < n; ++i) {
      const int to = i ^ d;
      round.messages.push_back({i, to, counted(to / d * d, d), true});
    }
    rounds.push_back(round);
  }
  for (int d = 1; d < n; d *= 2) {
    Round round;
    for (int i = 0; i < n; ++i) round.messages.push_back({i, i ^ d, counted(i / d * d, d), false});
    rounds.push_back(round);
  }
  return rounds;
}

// Reduce-scatter in each group, all-reduce of every share across groups, all-gather in each group.
std::vector<Round> hierarchical(int n, int group) {
  const int groups = n / group;
  std::vector<std::vector<int>> shares;  // per member of a group
  for (int i = 0; i < group; ++i) shares.push_back(counted(i * groups, groups));
  std::vector<Round> rounds;
  for (int g = 0; g < groups; ++g)
    add_ring(rounds, 0, counted(g * group, group), shares, true, false);
  const std::size_t across = rounds.size();
  for (int i = 0; i < group; ++i) {
    // After the reduce-scatter, member i of a group has share i + 1.
    std::vector<std::vector<int>> pieces;
    for (const int chunk : shares[static_cast<std::size_t>((i + 1) % group)])
      pieces.push_back({chunk});
    add_ring(rounds, across, counted(i, groups, group), pieces, true, true);
  }
  const std::size_t inside = rounds.size();
  for (std::size_t at = across; at < inside; ++at) rounds[at].outside = true;
  for (int g = 0; g < groups; ++g)
    add_ring(rounds, inside, counted(g * group, group), shares, false, true);
  return rounds;
}

}  // namespace

std::vector<Round> rounds_of(Algorithm algorithm, int ranks, int group) {
  if (algorithm == Algorithm::tree) return tree(ranks);
  if (algorithm == Algorithm::halving) return halving(ranks);
  if (algorithm == Algorithm::hierarchical) return hierarchical(ranks, group);
  std::vector<Round> rounds;
  add_ring(rounds, 0, counted(0, ranks), singles(ranks), true, true);
  return rounds;
}

Collective::Collective(int ranks) : ranks_(ranks), everybody_((1u << ranks) - 1) {
  for (int rank = 0; rank < ranks; ++rank)
    state_.insert(state_.end(), static_cast<std::size_t>(ranks), 1u << rank);
  sent_.assign(static_cast<std::size_t>(ranks), 0);
}

void Collective::play(const Round& round) {
  const std::vector<std::uint32_t> before = state_;
  for (const Message& message : round.messages) {
    sent_[static_cast<std::size_t>(message.from)] += static_cast<long long>(message.chunks.size());
    for (const int chunk : message.chunks) {
      const std::uint32_t arrives = before[static_cast<std::size_t>(message.from * ranks_ + chunk)];
      std::uint32_t& there = state_[static_cast<std::size_t>(message.to * ranks_ + chunk)];
      if (message.reduces && (there & arrives) != 0) broken_ = "a contribution was added twice";
      if (!message.reduces && arrives != everybody_) broken_ = "an unfinished chunk was passed on";
      there = message.reduces ? there | arrives : arrives;
    }
  }
}

bool Collective::all_complete() const {
  return std::all_of(state_.begin(), state_.end(),
                     [&](std::uint32_t chunk) { return chunk == everybody_; });
}

}  // namespace figures::models
