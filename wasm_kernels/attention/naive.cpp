// Attention as in its definition: all scores, then the softmax of each row, then the weighted
// means. The n × n scores cross the memory four times.
#include "problem.hpp"

namespace kernels {
namespace {

using attention::Head;
using attention::Result;

Head lay_out(const Args& args, Arena& arena, float** scores) {
  const Head head = attention::lay_out(args, arena);
  *scores = arena.take<float>(std::size_t(head.shape.n) * head.shape.n);
  return head;
}

int last_stage(const Args& args) { return int(args.value[2]); }

// region: naive
void softmax(float* row, int n) {
  const float most = attention::largest(row, n, row[0]);
  const float total = attention::exponentials(row, n, most);
  attention::multiply(row, n, 1 / total);
}

void attend(const Head& head, float* scores, int stages) {
  const auto [n, d] = head.shape;
  attention::pack(head);
  strips::multiply({n, n, d}, {head.q, d}, head.keys, {scores, n}, false, {.factor = head.scale});
  if (stages >= 2)
    for (int i = 0; i < n; ++i) softmax(scores + std::ptrdiff_t(i) * n, n);
  if (stages >= 3) strips::multiply({n, d, n}, {scores, n}, head.values, {head.o, d}, false, {});
}
// end region: naive

double flops(const Args& args) {
  const auto [n, d] = attention::shape_of(args);
  return (last_stage(args) == 3 ? 4.0 : 2.0) * n * n * d;
}

double bytes(const Args& args) {
  const auto [n, d] = attention::shape_of(args);
  const double scores[] = {1, 3, 4}, vectors[] = {2, 2, 4};
  const int stage = last_stage(args) - 1;
  return sizeof(float) * (scores[stage] * n * n + vectors[stage] * n * d);
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  float* scores;
  lay_out(args, arena, &scores);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  float* scores;
  const Head head = lay_out(args, arena, &scores);
  attention::prepare(head);
  for (std::size_t i = 0; i < std::size_t(head.shape.n) * head.shape.n; ++i) scores[i] = 100;
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  float* scores;
  const Head head = lay_out(args, arena, &scores);
  for (int rep = 0; rep < reps; ++rep) attend(head, scores, last_stage(args));
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  float* scores;
  const Head head = lay_out(args, arena, &scores);
  return attention::verify(head, Result(last_stage(args) - 1), scores, tolerance);
}

}  // namespace

const Kernel attention_naive = {
    .id = "attention.naive",
    .title = "Attention with all scores in memory",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/attention/naive.cpp#naive",
    .bytes_count =
        "Q, K and V read and O written once; each of the n * n scores written, read and "
        "written again by the softmax, and read; memory holds all scores",
    .params = {attention::n_param,
               attention::d_param,
               {.name = "stages",
                .doc = "1: stop after the scores; 2: after their softmax; 3: go through to the end",
                .default_value = 3,
                .min = 1,
                .max = 3}},
    .flops = flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
