#include "generator/tools/import/links.hpp"

#include <algorithm>
#include <cctype>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/node_tools.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

constexpr std::string_view image_endings[] = {".svg", ".png", ".jpg", ".jpeg", ".webp"};

bool has_scheme(std::string_view target) {
  const auto end = target.find_first_of(":/?#");
  return end != target.npos && end > 0 && target[end] == ':';
}

bool is_web(std::string_view target) {
  return target.starts_with("https://") || target.starts_with("http://");
}

// Without what leads out of the book. The new book's check reports the dead link.
std::string inside_book(std::string_view path) {
  while (path.starts_with("../") || path.starts_with("./") || path.starts_with('/'))
    path.remove_prefix(path.find('/') + 1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path.empty() || path == ".." || path == "." ? "no-page" : std::string(path);
}

}  // namespace

Links::Links(const FileSystem& files, NewPlaces& places, const ForeignBook& book,
             const ForeignChapter& chapter, ImportReport& report)
    : files_(files), places_(places), book_(book), chapter_(chapter), report_(report) {}

std::string Links::chapter_at(const std::string& path) const {
  const auto address = [&](std::optional<std::string> at) -> std::string {
    if (at && at->ends_with(".html")) at->resize(at->size() - 5);
    if (at && (at->ends_with("/index") || *at == "index"))
      at->resize(at->size() - std::min<std::size_t>(at->size(), 6));
    const auto found = at ? places_.addresses.find(*at) : places_.addresses.end();
    return found == places_.addresses.end() ? "" : found->second;
  };
  if (path.starts_with('/')) {
    const auto plain = normal_path(path.substr(1));
    return plain && places_.files.contains(*plain) ? *plain : address(plain);
  }
  const auto here = resolve_path(chapter_.file, path);
  std::string bare = here.value_or("");
  if (bare.ends_with(".html")) bare.resize(bare.size() - 5);
  for (const char* ending : {"", ".md", ".qmd", ".Rmd", ".rst", ".tex", ".markdown", ".ipynb",
                             ".html", "/index.md", "/_index.md", "/README.md"}) {
    if (here && places_.files.contains(bare + ending)) return bare + ending;
  }
  if (here && here->ends_with("index.html")) {
    const std::string readme = here->substr(0, here->size() - 10) + "README.md";
    if (places_.files.contains(readme)) return readme;
  }
  // "../other" of a page whose address is a directory; its own root is the book's.
  if (path == ".." || path == "../")
    return address(chapter_.address.substr(0, chapter_.address.rfind('/')));
  const std::string found = address(resolve_path(chapter_.address + "/index", path));
  return found.empty() ? address(here) : found;
}

std::string Links::file_at(const std::string& path) const {
  std::vector<std::optional<std::string>> places;
  if (path.starts_with('/')) {
    for (const char* root : {"", "static/", "assets/"})
      places.push_back(normal_path(root + path.substr(1)));
    places.push_back(normal_path(book_.content + path.substr(1)));
  } else {
    places.push_back(resolve_path(chapter_.file, path));
    places.push_back(resolve_path(book_.content + chapter_.address + "/index", path));
    places.push_back(resolve_path(book_.content + "index", path));
    places.push_back(normal_path(path));
    places.push_back(normal_path("assets/" + path));
    places.push_back(normal_path("static/" + path));
  }
  for (const auto& place : places) {
    if (place && place->find('.') != place->npos && files_.read(*place)) return *place;
  }
  // LaTeX finds images by names without their ending.
  for (const char* ending : {".svg", ".png", ".jpg", ".jpeg", ".pdf"}) {
    const auto image =
        book_.tool == Tool::latex ? normal_path(book_.content + path + ending) : std::nullopt;
    if (image && files_.read(*image)) return *image;
  }
  return {};
}

std::string Links::copied(const std::string& file, const std::string& folder) {
  std::string name;
  for (const char c : lower_case(file)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '/';
    name += plain ? c : '-';
  }
  std::string path = "chapters/" + folder + '/' + name;
  for (int i = 2; places_.copies.contains(path) && places_.copies.at(path) != file; ++i)
    path = "chapters/" + folder + '/' + std::to_string(i) + '-' + name;
  places_.copies[path] = file;
  return "../" + path.substr(std::string_view("chapters/").size());
}

std::string Links::destination(const std::string& target, int line) {
  const auto hash = target.find('#');
  std::string path = percent_decoded(target.substr(0, std::min(hash, target.find('?'))));
  std::string fragment = hash == target.npos ? "" : percent_decoded(target.substr(hash + 1));
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  const std::string file = path.empty() ? chapter_.file : chapter_at(path);
  if (file.empty()) {
    const std::string other = file_at(path);
    if (!other.empty() && !other.ends_with(".md") && !other.ends_with(".html"))
      return copied(other, "files");
    report_.changed("link to no chapter: " + target, "left; it is dead", chapter_.file, line);
    return inside_book(path) + (fragment.empty() ? "" : '#' + fragment);
  }
  if (const auto ids = places_.ids.find(file);
      ids != places_.ids.end() && ids->second.contains(fragment)) {
    fragment = ids->second.at(fragment);
  } else if (path.empty()) {
    // Labels of LaTeX, Quarto, Sphinx and MyST are those of the whole book.
    for (const auto& [other, labels] : places_.ids) {
      const auto label = labels.find(fragment);
      if (label == labels.end()) continue;
      return places_.files.at(other) + (label->second.empty() ? "" : '#' + label->second);
    }
  }
  const std::string end = fragment.empty() ? "" : '#' + fragment;
  return path.empty() && !end.empty() ? end : places_.files.at(file) + end;
}

// The book replaces a kind by the number. Sections and chapters may have none, so their titles name
// them.
std::string Links::name_of(const std::string& url) const {
  const auto hash = std::min(url.find('#'), url.size());
  const std::string id = hash < url.size() ? url.substr(hash + 1) : "";
  for (const auto& [front, kind] :
       {std::pair("fig-", "Figure"), std::pair("tbl-", "Table"), std::pair("eq-", "Equation")})
    if (id.starts_with(front)) return kind;
  const auto chapter =
      places_.titles.find(hash == 0 ? places_.files.at(chapter_.file) : url.substr(0, hash));
  const std::string last = url.substr(url.rfind('/') + 1);
  if (chapter == places_.titles.end()) return last;
  const auto title = chapter->second.find(id);
  return title == chapter->second.end() ? last : replace_all(title->second, "`", "");
}

std::vector<Node> Links::link(Node node, int line) {
  std::string target(trim(node.url));
  if (target.starts_with("//")) target = "https:" + target;
  if (target == "/" && !places_.addresses.contains("")) target = "index";
  const auto keep_text = [&](const std::string& why) {
    report_.changed(why, "its text", chapter_.file, line);
    return std::move(node.children);
  };
  if (target.empty()) return keep_text("link without an address");
  if (is_web(target) || target.starts_with("mailto:")) {
    node.url = replace_all(target, " ", "%20");
  } else if (has_scheme(target)) {
    return keep_text("link with the scheme of " + target);
  } else {
    node.url = destination(target, line);
  }
  // A link needs a text.
  if (trim(plain_text(node)).empty() && std::ranges::none_of(node.children, [](const Node& one) {
        return one.kind == NodeKind::image;
      }))
    node.children.push_back(text_node(is_web(target) ? target : name_of(node.url)));
  std::vector<Node> one;
  one.push_back(std::move(node));
  return one;
}

Node Links::image(Node node, int line) {
  std::string target(trim(node.url));
  if (target.starts_with("//")) target = "https:" + target;
  const auto as_link = [&](const std::string& url) {
    Node link = parent_node(NodeKind::link, {});
    const std::string alt = plain_text(node);
    link.url = url;
    link.children.push_back(text_node(alt.empty() ? node.title.empty() ? url : node.title : alt));
    return link;
  };
  if (target.starts_with("new-file:")) {  // of a notebook
    node.url = "../images/" + target.substr(std::string_view("new-file:").size());
    return node;
  }
  if (is_web(target)) {
    report_.changed("image of another site", "a link; copy the file into the book to show it",
                    chapter_.file, line);
    return as_link(replace_all(target, " ", "%20"));
  }
  if (has_scheme(target)) {
    report_.lost("image in its own address (" + target.substr(0, target.find(',')) + ')',
                 chapter_.file, line);
    return text_node(plain_text(node));
  }
  const std::string file = file_at(percent_decoded(target.substr(0, target.find_first_of("?#"))));
  if (trim(plain_text(node)).empty()) {
    const auto slash = target.rfind('/') + 1;
    const std::string name = title_of_slug(as_id(target.substr(slash, target.rfind('.') - slash)));
    node.children = {text_node(node.title.empty() ? name : node.title)};
    report_.changed("image without alternative text", "described by its name", chapter_.file, line);
  }
  if (file.empty()) {
    report_.lost("image " + target + ": the file is missing", chapter_.file, line);
    node.url = inside_book(target);
    return node;
  }
  const std::string lower = lower_case(file);
  const bool usable =
      std::ranges::any_of(image_endings, [&](auto ending) { return lower.ends_with(ending); });
  if (!usable) {
    report_.changed("image in a format other than SVG, PNG, JPEG and WebP",
                    "a link to the file; convert it", chapter_.file, line);
    return as_link(copied(file, "files"));
  }
  node.url = copied(file, "images");
  return node;
}

}  // namespace primer
