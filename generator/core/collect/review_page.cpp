#include "generator/core/collect/review_page.hpp"

#include <array>

#include "figures/models/render.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/load/profile_validation.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/render/drawing.hpp"

namespace primer {
namespace {

namespace models = figures::models;
using figures::Layout;
using figures::Rendering;

constexpr std::string_view root_url = "figures/review/";
constexpr std::string_view specs = "figures/specs/";
constexpr std::string_view not_drawn = "Not drawn: ";

struct Machine {
  const figures::Profile* reference;  // null: nothing is measured
  const figures::Profile* reader;     // null: no reader's machine
  std::string label;
  Digest profiles;  // digest of both files
};

// A drawing for one machine. Its colors are CSS variables.
struct Look {
  std::string wide, narrow;  // why it was not drawn; empty: it was
  std::string error;         // title, description and table of the wide one
  Rendering words;           // of the wide one
  std::vector<std::string> notes = {};
};

std::string slug_of(std::string_view path) {
  return std::string(path.substr(specs.size(), path.size() - specs.size() - 5));
}

// The drawing in the colors of a theme, on its paper and with separate ids, so that both themes
// can be on one page.
std::string in_theme(const std::string& svg, figures::Theme theme, const std::string& prefix) {
  constexpr std::string_view first_prefix = "review-";
  const auto variables = figures::colours_of(figures::palette(figures::Theme::css));
  const figures::Palette& palette = figures::palette(theme);
  const auto colours = figures::colours_of(palette);
  std::string out = svg;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    out = replace_all(out, std::string(variables[i]), std::string(colours[i]));
  }
  out = replace_all(out, '"' + std::string(first_prefix), '"' + prefix);
  const std::string paper =
      "</desc><rect width=\"100%\" height=\"100%\" fill=\"" + std::string(palette.paper) + "\"/>";
  return replace_all(out, "</desc>", paper);
}

class Body {
 public:
  Html& out() { return out_; }

  void add(const std::string& title, const Look& look) {
    const bool again =
        drawn_ && look.error.empty() && look.wide == last_.wide && look.narrow == last_.narrow;
    out_.element("h2", {}, title).line();
    if (!look.error.empty()) {
      out_.element("p", {}, std::string(not_drawn) + look.error).line();
    } else if (again) {
      out_.element("p", {}, "As above.").line();
    } else {
      draw(look);
    }
    if (look.error.empty()) last_ = look, drawn_ = true;
    ++count_;
  }

 private:
  void draw(const Look& look) {
    const std::string id = 'r' + std::to_string(count_) + '-';
    for (const auto& [layout, svg] : {std::pair("w", &look.wide), std::pair("n", &look.narrow)}) {
      out_.open("div", {{"class", "review-pair"}});
      out_.raw(in_theme(*svg, figures::Theme::light, id + layout + "l-"));
      out_.raw(in_theme(*svg, figures::Theme::dark, id + layout + "d-"));
      out_.close().line();
    }
    out_.element("p", {}, look.words.description).line();
    for (const auto& label : look.words.omitted) {
      out_.element("p", {}, "Without a place: " + label).line();
    }
    for (const auto& note : look.notes) out_.element("p", {}, note).line();
    emit_data_table(out_, look.words.table, Messages(), look.words.title, "");
  }

  Html out_;
  Look last_;
  bool drawn_ = false;
  int count_ = 0;
};

// The machines for which the drawings are shown: the reference, the readers in book.yaml, and none.
class Machines {
 public:
  Machines(const FileSystem& files, const Book& book, const Values& values,
           Diagnostics& diagnostics) {
    const auto paths = book.review.value_or(std::vector<std::string>());
    const figures::Profile* reference = values.reference.get();
    readers_.reserve(paths.size());
    machines_.push_back({reference, nullptr, "Reference machine", values.reference.version()});
    for (const auto& path : paths) {
      const auto file = read_json(files, path, diagnostics);
      if (!file) continue;
      auto profile = validate_profile(*file, values.catalogue, diagnostics, values.latest);
      if (!profile) continue;
      const figures::Profile& reader = readers_.emplace_back(std::move(*profile));
      machines_.push_back({reference, &reader, "Reader: " + reader.label(),
                           digest(pack(values.reference.version(), digest(file->source.text())))});
    }
    machines_.push_back({nullptr, nullptr, "Nothing measured", absent});
  }

  const std::vector<Machine>& all() const { return machines_; }

 private:
  std::vector<figures::Profile> readers_;
  std::vector<Machine> machines_;
};

class Review {
 public:
  Review(const FileSystem& files, const Values& values, Cache* cache, const Machines& machines)
      : files_(files), values_(values), cache_(cache), machines_(machines) {}

  ReviewPage figure(const std::string& path, Diagnostics& diagnostics) const {
    ReviewPage page{std::string(root_url) + slug_of(path) + '/', slug_of(path), path, ""};
    const auto spec = read_json(files_, path, diagnostics);
    if (!spec) return page;
    Body body;
    for (const auto& machine : machines_.all()) {
      const Look look = look_at(spec->value, machine);
      body.add(machine.label, look);
      if (!look.words.title.empty()) page.heading = look.words.title;
    }
    page.body = body.out().take();
    return page;
  }

  ReviewPage model(std::string_view name) const {
    const std::string id(name);
    const auto model = models::make_model(name);
    ReviewPage page{std::string(root_url) + "model-" + id + '/', std::string(model->title()),
                    "The model " + id + " with its usual settings.", ""};
    Body body;
    for (const auto& machine : machines_.all()) {
      const Look first = look_at(*model, machine, models::first_step);
      body.add(machine.label, first);
      if (&machine == &machines_.all().front()) {
        body.add("For paper", look_at(*model, machine, models::paper_step));
      }
    }
    page.body = body.out().take();
    return page;
  }

 private:
  static figures::Options options(Layout layout) { return {.width = layout}; }

  Look look_at(const nlohmann::json& spec, const Machine& machine) const {
    const figures::Inputs inputs{&values_.facts, machine.reference, machine.reader,
                                 &values_.catalogue};
    const auto drawn = [&](Layout layout) {
      return primer::draw(cache_, machine.profiles, spec, inputs, options(layout), Messages());
    };
    return look_of(drawn(Layout::wide), drawn(Layout::narrow));
  }

  Look look_at(const models::Model& model, const Machine& machine, int step) const {
    const auto numbers =
        models::numbers_for(model, values_.facts, machine.reference, machine.reader);
    if (!numbers) return {"", "", numbers.error().message, {}};
    std::vector<std::string> notes;
    const auto drawn = [&](Layout layout) -> figures::Result<Rendering> {
      auto frame = models::render_model(model.name(), nlohmann::json::object(), step, *numbers,
                                        options(layout));
      if (!frame) return frame.error();
      notes.clear();
      for (const auto& notice : frame->notices) notes.push_back(notice.text);
      return std::move(frame->rendering);
    };
    Look look = look_of(drawn(Layout::wide), drawn(Layout::narrow));
    look.notes = notes;
    return look;
  }

  static Look look_of(figures::Result<Rendering> wide, figures::Result<Rendering> narrow) {
    if (!wide) return {"", "", wide.error().message, {}};
    if (!narrow) return {"", "", narrow.error().message, {}};
    return {wide->svg, narrow->svg, "", std::move(*wide)};
  }

  const FileSystem& files_;
  const Values& values_;
  Cache* cache_;
  const Machines& machines_;
};

std::string contents_of(const std::vector<ReviewPage>& pages) {
  Html out;
  out.open("ul");
  for (const auto& page : pages) {
    if (page.url.empty()) continue;
    const std::string name = page.url.substr(root_url.size());
    out.open("li").element("a", {{"href", name}}, page.heading);
    out.text(" " + name.substr(0, name.size() - 1)).close().line();
  }
  out.close();
  return out.take();
}

}  // namespace

std::vector<ReviewPage> review_pages(const FileSystem& files, const Book& book,
                                     const Values& values, Cache* cache, const Tasks& tasks,
                                     Diagnostics& diagnostics) {
  const Machines machines(files, book, values, diagnostics);
  std::vector<std::string> paths;
  for (const auto& path : files.list("figures/specs")) {
    if (path.ends_with(".json")) paths.push_back(path);
  }
  const auto names = models::model_names();
  const Review review(files, values, cache, machines);
  std::vector<ReviewPage> pages(1 + paths.size() + names.size());
  std::vector<Diagnostics> found(pages.size());
  tasks.each(pages.size() - 1, [&](std::size_t i) {
    pages[i + 1] = i < paths.size() ? review.figure(paths[i], found[i])
                                    : review.model(names[i - paths.size()]);
  });
  for (auto& one : found) diagnostics.append(std::move(one));
  pages[0] = {std::string(root_url), "Figures and models",
              "Every picture of the book, for several machines, at both widths, in both themes.",
              contents_of(pages)};
  return pages;
}

}  // namespace primer
