#include "generator/tools/search/word_lists.hpp"

#include <zlib.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "generator/core/base/checksum.hpp"
#include "generator/tools/search/indexed_text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;
using nlohmann::json;

constexpr std::string_view mark = "pagefind_dcd";
constexpr int gzip_window = 15 + 16;  // tells zlib to use gzip

std::optional<std::string> unzipped(const std::string& bytes) {
  constexpr std::size_t most = 64 << 20;
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string plain;
  int status = Z_OK;
  while (status == Z_OK && plain.size() < most) {
    char part[16 * 1024];
    stream.next_out = reinterpret_cast<Bytef*>(part);
    stream.avail_out = sizeof part;
    status = inflate(&stream, Z_NO_FLUSH);
    plain.append(part, sizeof part - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) return std::nullopt;
  return plain;
}

std::string zipped(const std::string& plain) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY);
  std::string bytes(deflateBound(&stream, static_cast<uLong>(plain.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

// The list in a .pf_meta or .pf_index file.
std::optional<json> opened(const std::string& bytes) {
  const auto plain = unzipped(bytes);
  if (!plain || !plain->starts_with(mark)) return std::nullopt;
  auto value = json::from_cbor(plain->begin() + mark.size(), plain->end(), true, false);
  if (!value.is_array()) return std::nullopt;
  return value;
}

std::string cbor(const json& value) {
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

std::string shut(const json& value) { return zipped(std::string(mark) + cbor(value)); }

// Splits words into lists of about `size` bytes before compression.
std::vector<json> cut(const std::vector<json>& words, std::size_t size) {
  std::vector<json> lists;
  std::size_t room = 0;
  for (const auto& word : words) {
    const std::size_t bytes = cbor(word).size();
    if (room < bytes || lists.empty()) {
      lists.push_back(json::array());
      room = size;
    }
    lists.back().push_back(word);
    room -= std::min(bytes, room);
  }
  return lists;
}

std::size_t character_end(const std::string& text, std::size_t at) {
  do ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u);
  return std::min(at, text.size());
}

// The letters that tell the last word of a list from the first word of the next.
std::pair<std::string, std::string> boundary(const std::string& last, const std::string& first) {
  std::size_t same = 0;
  while (same < last.size() && same < first.size()) {
    const auto end = character_end(last, same);
    if (last.substr(same, end - same) != first.substr(same, character_end(first, same) - same))
      break;
    same = end;
  }
  return {last.substr(0, character_end(last, same)), first.substr(0, character_end(first, same))};
}

// The language in "pagefind.en_5f2c1ab.pf_meta": "en".
std::string language_of_meta(const std::string& path) {
  const auto end = path.rfind('_', path.rfind('.'));
  const auto dot = path.rfind('.', end);
  if (end == path.npos || dot == path.npos || end < dot) return {};
  return path.substr(dot + 1, end - dot - 1);
}

using ByPath = std::map<std::string, std::string>;

// Checks the form [word, [[page, [place, …]], …]].
bool is_word_entry(const json& word) {
  if (!word.is_array() || word.size() != 2 || !word[0].is_string() || !word[1].is_array())
    return false;
  return std::ranges::all_of(word[1], [](const json& page) {
    return page.is_array() && page.size() == 2 && page[0].is_number_unsigned() &&
           page[1].is_array() && std::ranges::all_of(page[1], &json::is_number_integer);
  });
}

// All words of the files that a .pf_meta names. No value if one of them is missing or has another
// format.
std::optional<std::vector<json>> words_of(const json& meta, const ByPath& files) {
  std::vector<json> words;
  for (const auto& chunk : meta[2]) {
    if (!chunk.is_array() || chunk.size() != 3 || !chunk[2].is_string()) return std::nullopt;
    const auto file = files.find("index/" + chunk[2].get<std::string>() + ".pf_index");
    const auto list = file == files.end() ? std::nullopt : opened(file->second);
    if (!list || list->empty() || !list->front().is_array()) return std::nullopt;
    for (const auto& word : list->front()) {
      if (!is_word_entry(word)) return std::nullopt;
      words.push_back(word);
    }
  }
  return words;
}

// Appends a list of places. Negative numbers set the weight of the places after them.
void append_places(json& places, const json& more) {
  constexpr int usual_weight = 25;  // Pagefind's weight at the beginning of a list
  int weight = usual_weight;
  for (const auto& place : places) {
    if (place.get<int>() < 0) weight = -place.get<int>() - 1;
  }
  if (weight != usual_weight) places.push_back(-usual_weight - 1);
  for (const auto& place : more) places.push_back(place);
}

// Merges the pages of a word: [[number, places], …].
void merge_pages(json& pages, const json& more) {
  auto& all = pages.get_ref<json::array_t&>();
  for (const auto& page : more) {
    const auto same = std::ranges::find_if(all, [&](const json& one) { return one[0] == page[0]; });
    if (same == all.end()) all.push_back(page);
    else append_places((*same)[1], page[1]);
  }
  std::ranges::sort(all, {}, [](const json& page) { return page[0].get<std::size_t>(); });
}

// Adds every word with accents again without them, as readers type it.
std::vector<json> with_plain_words(std::vector<json> words) {
  std::map<std::string, json> plain;
  for (const auto& word : words) {
    const auto& accented = word[0].get_ref<const std::string&>();
    std::string typed = without_accents(accented);
    if (typed == accented || typed.empty()) continue;
    merge_pages(plain.emplace(std::move(typed), json::array()).first->second, word[1]);
  }
  for (auto& word : words) {
    const auto same = plain.find(word[0].get_ref<const std::string&>());
    if (same == plain.end()) continue;
    merge_pages(word[1], same->second);
    plain.erase(same);
  }
  for (auto& [word, pages] : plain) words.push_back(json::array({word, std::move(pages)}));
  std::ranges::sort(words, {}, [](const json& word) -> const std::string& {
    return word[0].get_ref<const std::string&>();
  });
  return words;
}

// Splits the words of a language: its .pf_meta and the files that it names.
std::optional<std::vector<SearchFile>> cut_language(const SearchFile& meta_file,
                                                    const ByPath& files, std::size_t size) {
  auto meta = opened(meta_file.content);
  if (!meta || meta->size() < 3 || !(*meta)[2].is_array()) return std::nullopt;
  const auto words = words_of(*meta, files);
  if (!words) return std::nullopt;
  const std::vector<json> all = with_plain_words(*words);
  const std::string language = language_of_meta(meta_file.path);
  std::vector<SearchFile> made;
  json table = json::array();
  for (const auto& list : cut(all, size)) {
    std::string content = shut(json::array({list}));
    const std::string name = language + "_" + sha256(content).substr(0, 7);
    table.push_back({list.front()[0], list.back()[0], name});
    made.push_back({"index/" + name + ".pf_index", std::move(content)});
  }
  for (std::size_t i = 1; i < table.size(); ++i) {
    const auto [last, first] =
        boundary(table[i - 1][1].get<std::string>(), table[i][0].get<std::string>());
    table[i - 1][1] = last;
    table[i][0] = first;
  }
  (*meta)[2] = std::move(table);
  made.push_back({meta_file.path, shut(*meta)});
  return made;
}

}  // namespace

Result<std::vector<SearchFile>> with_small_lists(std::vector<SearchFile> files, std::size_t size) {
  ByPath by_path;
  for (const auto& file : files) by_path[file.path] = file.content;
  std::vector<SearchFile> all;
  for (auto& file : files) {
    if (file.path.ends_with(".pf_index")) continue;
    if (!file.path.ends_with(".pf_meta")) {
      all.push_back(std::move(file));
      continue;
    }
    auto anew = cut_language(file, by_path, size);
    if (!anew) return Error{file.path + " is not a file of Pagefind 1.4"};
    std::ranges::move(*anew, std::back_inserter(all));
  }
  return all;
}

}  // namespace primer
