#include "generator/translate/block_pairs.hpp"

#include "generator/base/text.hpp"
#include "generator/translate/translated_page.hpp"

namespace primer {
namespace {

BlockPair::Lines lines_of(const BlockText& page, std::size_t block) {
  const Source& source = page.source;
  const int first = page.blocks[block].line;
  int end = source.line_count() + 1;
  if (block + 1 < page.blocks.size()) {
    const TextBlock& next = page.blocks[block + 1];
    end = next.mark_line > 0 ? next.mark_line : next.line;
  }
  while (end > first + 1 && trim(source.line(end - 1)).empty()) --end;
  const std::size_t begin = source.line_start(first);
  const std::size_t stop = source.line_start(end - 1) + source.line(end - 1).size();
  return {first, end, std::string(source.text().substr(begin, stop - begin))};
}

BlockPair::State state_of(const TextBlock& block, bool paired, bool current) {
  if (current) return BlockPair::State::current;
  if (!paired) return BlockPair::State::extra;
  return block.hash.empty() ? BlockPair::State::unmarked : BlockPair::State::stale;
}

}  // namespace

std::optional<std::vector<BlockPair>> block_pairs(const FileSystem& files, const std::string& file,
                                                  Diagnostics& diagnostics) {
  const auto book = load_book(files, diagnostics);
  if (!book) return std::nullopt;
  const auto page = read_translated_page(files, *book, file, diagnostics);
  if (!page) return std::nullopt;
  const auto& [here, there] = *page;
  const Pairing pairing = pair_blocks(here.blocks, there.blocks);
  std::vector<BlockPair> pairs;
  for (std::size_t i = 0; i < here.blocks.size(); ++i) {
    const int original = pairing.original[i];
    BlockPair pair{state_of(here.blocks[i], original >= 0, pairing.current[i]),
                   here.blocks[i].kind,
                   lines_of(here, i),
                   {}};
    if (original >= 0) pair.there = lines_of(there, static_cast<std::size_t>(original));
    pairs.push_back(std::move(pair));
  }
  // Above the first block that translates a later one.
  for (const int index : pairing.missing) {
    const auto block = static_cast<std::size_t>(index);
    BlockPair pair{BlockPair::State::missing, there.blocks[block].kind, {}, lines_of(there, block)};
    auto at = pairs.begin();
    while (at != pairs.end() && at->there.first <= pair.there.first) ++at;
    pairs.insert(at, std::move(pair));
  }
  return pairs;
}

}  // namespace primer
