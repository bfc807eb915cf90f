#include "figures/models/many/plan_search.hpp"

#include <algorithm>

namespace figures::models {
namespace {

constexpr double link_share = 0.8, message = 5e-6;
constexpr int box = 8;          // chips that share the fast links
constexpr double gradient = 2;  // bytes, as in chapter 6 and in the ZeRO paper

// Bytes that a chip sends to its copies per step, and the time that can hide them. Whole gradients
// are reduced once, during the last backward pass. Divided gradients are sent after each
// microbatch, because no chip stores a whole sum; with the gathered weights at the end these are m
// + 1 numbers per weight. Divided weights are also gathered in both passes of each microbatch.
struct Copying {
  double sent = 0, behind = 0;
};
Copying copying(const Run& run, const Plan& plan) {
  const double d = plan.copies, m = plan.microbatches, others = (d - 1) / d;
  const double held = run.parameters / (plan.tensor * plan.stages);
  const double backward = 2.0 / 3 * plan.compute;
  if (plan.zero == 3) return {3 * m * others * gradient * held, plan.compute};
  if (plan.zero == 2) return {(m + 1) * others * gradient * held, backward};
  return {2 * others * gradient * held, backward / m};
}

// The plan with its memory and its time.
Plan weighed(const Run& run, Plan plan) {
  const double t = plan.tensor, p = plan.stages, d = plan.copies, m = plan.microbatches;
  const double held = run.parameters / (t * p), deep = run.layers / p;
  plan.weights = 2 * held;
  if (plan.zero == 3) plan.weights = 2 * held / d + 2 * 2 * run.parameters / run.layers / t;
  plan.gradients = gradient * held / (plan.zero >= 2 ? d : 1);
  plan.optimiser = 12 * held / (plan.zero >= 1 ? d : 1);
  const double flight = std::min(m, p) * (plan.chunks > 1 ? 1 + (p - 1) / (p * plan.chunks) : 1);
  const double layer = run.context * plan.sequences * run.width / t;
  plan.activations = (plan.again ? 2 * flight * deep + run.kept : run.kept * flight * deep) * layer;
  plan.compute = run.flops() * (plan.again ? 4.0 / 3 : 1) / (run.chips * run.achieved);
  const double inside = link_share * run.inside, outside = link_share * run.outside;
  const double vector = 2 * plan.sequences * run.context * run.width;
  plan.tensor_time = 4 * deep * m * (2 * (t - 1) / t * vector / inside + 2 * (t - 1) * message) *
                     (plan.again ? 1.5 : 1);
  const double link = run.chips <= box ? inside : outside;
  const Copying copies = copying(run, plan);
  plan.exposed = std::max(0.0, copies.sent / link - copies.behind);
  plan.bubble = (plan.compute + plan.tensor_time) * (p - 1) / (plan.chunks * m);
  plan.seconds = plan.compute + plan.tensor_time + plan.bubble + plan.exposed;
  return plan;
}

// Adds `plan` with each stage of ZeRO, with stored and with recomputed activations. `depth`: layers
// per stage.
void add_variants(const Run& run, Plan plan, int depth, std::vector<Plan>& plans) {
  const int microbatches = run.batch / (plan.copies * plan.sequences);
  plan.microbatches = microbatches;
  if (plan.chunks > 1 &&
      (plan.stages == 1 || depth % plan.chunks != 0 || microbatches % plan.stages != 0))
    return;
  for (plan.zero = 0; plan.zero <= (plan.stages == 1 ? 3 : 2); ++plan.zero)
    for (const bool again : {false, true}) {
      plan.again = again;
      const Plan whole = weighed(run, plan);
      if (whole.held() <= run.capacity) plans.push_back(whole);
    }
}

}  // namespace

double Run::flops() const {
  return (6 * read + 6 * layers * context * heads * head_width) * batch * context;
}

std::vector<Plan> plans_that_fit(const Run& run) {
  std::vector<Plan> plans;
  const int layers = static_cast<int>(run.layers);
  for (int tensor = 1; tensor <= box; tensor *= 2)
    for (int stages = 1; stages <= 128 && tensor * stages <= run.chips; ++stages) {
      // Embedding and output may count as one layer each.
      const int depth = layers % stages == 0 ? layers : layers + 2;
      if (depth % stages != 0 || run.chips % (tensor * stages) != 0) continue;
      const int copies = run.chips / (tensor * stages);
      for (int sequences = 1; sequences <= 4; sequences *= 2)
        if (run.batch % (copies * sequences) == 0)
          for (int chunks = 1; chunks <= std::min(depth / stages, run.most_chunks); ++chunks)
            add_variants(run, {tensor, stages, copies, sequences, chunks}, depth / stages, plans);
    }
  std::stable_sort(plans.begin(), plans.end(), [](const Plan& a, const Plan& b) {
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.held() < b.held();
  });
  return plans;
}

}  // namespace figures::models
