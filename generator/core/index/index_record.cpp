#include "generator/core/index/index_record.hpp"

namespace primer {
namespace {

void unpack(Unpacker& unpacker, SectionNote& section) {
  auto& [id, mark, minutes, invite, former] = section;
  unpacker.take(id);
  unpacker.take(mark);
  std::uint64_t whole = 0;
  unpacker.take(whole);
  minutes = static_cast<int>(whole);
  unpacker.take(invite);
  unpacker.take(former);
}

void unpack(Unpacker& unpacker, FrontMatter& front) {
  auto& [title, heading, summary, mental_model, outcomes, takeaway, figure, aliases, sections,
         prerequisites, d2l, from, is_pending, body_line] = front;
  for (std::string* text : {&title, &heading, &summary, &mental_model, &figure, &from}) {
    unpacker.take(*text);
  }
  unpacker.take(outcomes);
  unpacker.take(takeaway);
  unpacker.take(aliases);
  unpacker.take_each([&, &list = sections] { unpack(unpacker, list.emplace_back()); });
  unpacker.take(prerequisites);
  unpacker.take(d2l);
  std::uint64_t line = 0, pending = 0;
  unpacker.take(pending);
  is_pending = pending != 0;
  unpacker.take(line);
  body_line = static_cast<int>(line);
}

void unpack(Unpacker& unpacker, TextBlock& block) {
  auto& [offset, line, hash, mark_line, kind, references] = block;
  std::uint64_t place = 0, line_number = 0, mark_number = 0;
  unpacker.take(place);
  unpacker.take(line_number);
  unpacker.take(hash);
  unpacker.take(mark_number);
  unpacker.take(kind);
  unpacker.take(references);
  offset = place;
  line = static_cast<int>(line_number);
  mark_line = static_cast<int>(mark_number);
}

void unpack(Unpacker& unpacker, Anchor& anchor) {
  auto& [kind, id, number, title, level, offset] = anchor;
  std::uint64_t kind_number = 0, level_number = 0, place = 0;
  unpacker.take(kind_number);
  for (std::string* text : {&id, &number, &title}) unpacker.take(*text);
  unpacker.take(level_number);
  unpacker.take(place);
  kind = static_cast<AnchorKind>(kind_number);
  level = static_cast<int>(level_number);
  offset = place;
}

}  // namespace

void pack(Packer& packer, const Entry& entry) {
  const auto& [kind, slug, number, file, url, language, original, pending, translated, label, part,
               depth, has_subpages, appendix] = entry;
  packer.add(static_cast<std::uint64_t>(kind));
  packer.add(slug);
  packer.add(number);
  packer.add(file);
  packer.add(url);
  packer.add(language);
  packer.add(original);
  packer.add(pending);
  packer.add(std::uint64_t{translated});
  packer.add(label);
  packer.add(part);
  packer.add(static_cast<std::uint64_t>(depth));
  packer.add(std::uint64_t{has_subpages});
  packer.add(std::uint64_t{appendix});
}

void pack(Packer& packer, const TextBlock& block) {
  const auto& [offset, line, hash, mark_line, kind, references] = block;
  packer.add(std::uint64_t{offset});
  packer.add(static_cast<std::uint64_t>(line));
  packer.add(hash);
  packer.add(static_cast<std::uint64_t>(mark_line));
  packer.add(kind);
  packer.add(references);
}

void pack(Packer& packer, const FrontMatter& front) {
  const auto& [title, heading, summary, mental_model, outcomes, takeaway, figure, aliases, sections,
               prerequisites, d2l, from, is_pending, body_line] = front;
  for (const std::string* text : {&title, &heading, &summary, &mental_model, &figure, &from}) {
    packer.add(*text);
  }
  packer.add(outcomes);
  packer.add(takeaway);
  packer.add(aliases);
  packer.add(std::uint64_t{sections.size()});
  for (const auto& [id, mark, minutes, invite, former] : sections) {
    packer.add(id);
    packer.add(mark);
    packer.add(static_cast<std::uint64_t>(minutes));
    packer.add(invite);
    packer.add(former);
  }
  packer.add(prerequisites);
  packer.add(d2l);
  packer.add(std::uint64_t{is_pending});
  packer.add(static_cast<std::uint64_t>(body_line));
}

void pack(Packer& packer, const Anchor& anchor) {
  const auto& [kind, id, number, title, level, offset] = anchor;
  packer.add(static_cast<std::uint64_t>(kind));
  for (const std::string* text : {&id, &number, &title}) packer.add(*text);
  packer.add(static_cast<std::uint64_t>(level));
  packer.add(std::uint64_t{offset});
}

std::string pack(const ChapterIndex& index) {
  // Notices and untranslated blocks are computed from both texts in every build.
  const auto& [entry, front, anchors, terms, has_formulas, whole, blocks, notices, untranslated] =
      index;
  Packer packer;
  pack(packer, front);
  packer.add(std::uint64_t{anchors.size()});
  for (const auto& anchor : anchors) pack(packer, anchor);
  packer.add(terms);
  packer.add(std::uint64_t{has_formulas});
  packer.add(std::uint64_t{whole});
  packer.add(std::uint64_t{blocks.size()});
  for (const auto& block : blocks) pack(packer, block);
  return std::move(packer.bytes);
}

bool unpack(std::string_view bytes, ChapterIndex& index, Blocks wanted) {
  auto& [entry, front, anchors, terms, has_formulas, whole, blocks, notices, untranslated] = index;
  Unpacker unpacker(bytes);
  unpack(unpacker, front);
  unpacker.take_each([&, &list = anchors] { unpack(unpacker, list.emplace_back()); });
  unpacker.take(terms);
  std::uint64_t formulas = 0, complete = 0;
  unpacker.take(formulas);
  unpacker.take(complete);
  has_formulas = formulas != 0;
  whole = complete != 0;
  if (wanted == Blocks::left_out) return unpacker.good();
  unpacker.take_each([&, &list = blocks] { unpack(unpacker, list.emplace_back()); });
  return unpacker.whole();
}

void pack_settings(Packer& packer, const Book& book) {
  // `review` does not affect pages, and `severities` need not be packed, because a page with a
  // mistake is never cached.
  const auto& [title, subtitle, language, root, source_language, reference, reference_gpu, as_of,
               repository, numbering, license, authors, base_url, review, sources, kernels,
               public_files, code, severities, drafts, chapters, pages, locales] = book;
  for (const std::string* text : {&title, &subtitle, &language, &root, &source_language, &reference,
                                  &reference_gpu, &as_of, &repository.address, &repository.branch,
                                  &repository.folder, &repository.host, &license, &base_url}) {
    packer.add(*text);
  }
  packer.add(authors);
  packer.add(sources);
  packer.add(kernels);
  packer.add(public_files);
  for (const auto& language : code) language.pack(packer);
  packer.add(drafts);
}

}  // namespace primer
