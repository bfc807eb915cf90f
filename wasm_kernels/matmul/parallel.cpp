// The packed matmul on several threads. Split by rows of C, every thread reads all of B, which the
// team packs together. Split by columns, every thread reads all of A but only its own part of B,
// which suits a few rows of activations and a large matrix of weights.
#include "../barrier.hpp"
#include "packed.hpp"

namespace kernels::matmul {
namespace {

bool prepacked(const Args& args) { return args.value[3] != 0; }
bool by_columns(const Args& args) { return args.value[4] != 0; }
const Tile& tile_of(const Args& args) { return matmul::tile_of(args.value[5]); }

// The packed B is all of B if it was packed in advance. Otherwise it is two depth blocks: while
// some threads still read one, others pack the next.
struct Layout {
  Matrices matrices;
  Barrier* barrier;
  float* packed_b;
  std::size_t block_of_b;  // floats of one depth block
  int blocks_of_b;
};

[[gnu::noinline]] Layout layout(const Args& args, Arena& arena) {
  Layout l{};
  l.matrices = lay_out(args, arena);
  const Shape s = l.matrices.shape;
  l.barrier = arena.take<Barrier>(1);
  l.block_of_b = std::size_t(round_up(s.n, tile_of(args).columns)) * smaller(depth_block, s.k);
  l.blocks_of_b = prepacked(args) ? blocks_in(s.k, depth_block) : 2;
  l.packed_b = arena.take<float>(l.block_of_b * l.blocks_of_b);
  return l;
}

[[gnu::noinline]] Scratch scratch_of(int thread, const Args& args, Arena& arena) {
  Scratch scratch{};
  for (int i = 0; i <= thread; ++i) scratch = take_scratch(tile_of(args), arena);
  return scratch;
}

std::size_t parallel_memory(const Args& args) {
  Arena arena(nullptr);
  layout(args, arena);
  scratch_of(args.threads - 1, args, arena);
  return arena.used();
}

void parallel_prepare(const Args& args, void* base) {
  matmul::prepare(args, base);
  Arena arena(base);
  const Layout l = layout(args, arena);
  *l.barrier = {};
  clear(l.packed_b, l.block_of_b * l.blocks_of_b);
  for (int i = 0; i < args.threads; ++i)
    clear_scratch(tile_of(args), take_scratch(tile_of(args), arena));
  if (prepacked(args)) pack_all_of_b(tile_of(args), l.matrices.shape, l.matrices.b, l.packed_b);
}

// One thread's part.
bool run_part(const Args& args, void* base, int reps, int thread) {
  Arena arena(base);
  const Layout l = layout(args, arena);
  const auto& [s, a, b, c, check] = l.matrices;
  const Tile& tile = tile_of(args);
  const Scratch scratch = scratch_of(thread, args, arena);
  const Range all_rows{0, s.m}, all_columns{0, s.n};
  const Range own_columns = share(all_columns, tile.columns, thread, args.threads);
  const Range own_rows = share(all_rows, tile.rows, thread, args.threads);
  const Range rows = by_columns(args) ? all_rows : own_rows;
  const Range columns = by_columns(args) ? own_columns : all_columns;
  const int deep = blocks_in(s.k, depth_block), wide = blocks_in(columns.count, column_block);

  int turn = 0;
  for (int rep = 0; rep < reps; ++rep) {
    // region: part
    // All threads pack each depth block of B together, and no thread may read it until the last one
    // has packed its share. Then each thread multiplies on its own.
    for (int p = 0; p < deep; ++p, ++turn) {
      const Range depth = share({0, s.k}, 1, p, deep);
      float* block_of_b = l.packed_b;  // where column 0 of the block is or would be
      if (prepacked(args)) block_of_b += depth.first * round_up(s.n, tile.columns);
      else if (!by_columns(args)) block_of_b += turn % 2 * l.block_of_b;
      else block_of_b += own_columns.first * (smaller(depth_block, s.k) - depth.count);
      if (!prepacked(args))
        tile.pack_b(s, own_columns, depth, b, block_of_b + own_columns.first * depth.count);
      if (!prepacked(args) && !by_columns(args) && !meet(*l.barrier, args.threads)) return false;

      for (int j = 0; j < wide; ++j) {
        const Range part = share(columns, tile.columns, j, wide);
        multiply_block(tile, s, rows, part, depth, a, block_of_b + part.first * depth.count, c,
                       scratch);
      }
    }
    // end region: part
  }
  return true;
}

void run_alone(const Args& args, void* base, int reps) { run_part(args, base, reps, 0); }

constexpr double splits[] = {0, 1};

}  // namespace
}  // namespace kernels::matmul

namespace kernels {

const Kernel matmul_parallel = {
    .id = "matmul.parallel",
    .title = "Packed, on several cores",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/matmul/parallel.cpp#part",
    .bytes_count = matmul::bytes_count,
    .params = {matmul::n_param,
               matmul::m_param,
               matmul::k_param,
               matmul::prepacked_param,
               {.name = "split",
                .doc = "what the threads divide: 0 the rows of C (m), 1 its columns (n)",
                .default_value = 0,
                .min = 0,
                .max = 1,
                .choices = matmul::splits,
                .choice_count = 2},
               matmul::tile_param},
    .flops = matmul::flops,
    .bytes = matmul::bytes,
    .memory = matmul::parallel_memory,
    .prepare = matmul::parallel_prepare,
    .run = matmul::run_alone,
    .verify = matmul::verify,
    .team = 1,
    .run_part = matmul::run_part};

}  // namespace kernels
