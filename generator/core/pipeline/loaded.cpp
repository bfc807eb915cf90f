#include "generator/core/pipeline/stages.hpp"

#include <algorithm>
#include <utility>

#include "generator/core/base/pack.hpp"

namespace primer {
namespace {

// Reads book.yaml and applies the options to it.
std::optional<Book> book_for(const SiteInputs& inputs, const SiteOptions& options,
                             Diagnostics& diagnostics) {
  auto book = load_book(*inputs.book, diagnostics, inputs.cache, options.drafts);
  if (!book) return std::nullopt;
  diagnostics.judge_by(book->severities);
  if (options.base_url == no_base_url) book->publish_at("");
  else if (!options.base_url.empty()) book->publish_at(options.base_url);
  if (!options.repository.empty()) {
    book->repository.address = options.repository;
    for (auto& locale : book->locales) locale.repository.address = options.repository;
  }
  return book;
}

// Inputs of every page of the book.
Dependencies common_inputs(const Loaded& loaded) {
  Dependencies common;
  common[Dependency::given("the WebAssembly modules")] = loaded.modules.version();
  common[Dependency::given("the converter of formulas")] = digest(loaded.inputs.typesetter);
  common[Dependency::given("primer itself")] = loaded.inputs.program;
  return common;
}

// The settings that the text of a page can depend on: everything except the lists of chapters and
// pages. `review` does not affect pages, and `severities` need not be packed, because a page with a
// mistake is never cached.
auto page_settings(const Book& book) {
  const auto& [title, subtitle, language, root, source_language, reference, reference_gpu, as_of,
               repository, numbering, license, authors, base_url, review, sources, kernels,
               public_files, code, severities, drafts, chapters, pages, locales] = book;
  return std::tie(title, subtitle, language, root, source_language, reference, reference_gpu, as_of,
                  repository.address, repository.branch, repository.folder, repository.host,
                  license, base_url, authors, sources, kernels, public_files, code, drafts);
}

// Inputs of every page of one language.
Dependencies locale_inputs(Dependencies common, const Loaded& loaded, const Book& book,
                           const Messages& words) {
  const Values& values = *loaded.values;
  common[Dependency::given("the settings of the book")] =
      digest(pack(page_settings(book), values.kernels->version(), values.unmeasured,
                  bool(values.reference), bool(values.reference_gpu), loaded.options.prose));
  common[Dependency::given("the words of the language")] = words.version();
  return common;
}

// Loads facts, kernels, the reference profiles and the cited works. False: facts or kernels of the
// book are broken, and every chapter that uses them would report the same error again.
bool load_numbers(Loaded& loaded, Diagnostics& diagnostics) {
  const SiteInputs& inputs = loaded.inputs;
  const FileSystem& files = loaded.files();
  auto references = inputs.tasks->start([&files, &inputs] {
    Made<References> made;
    made.value = load_references(files, made.diagnostics, inputs.cache);
    return made;
  });
  loaded.values = load_values(files, *loaded.book, loaded.options.unmeasured, diagnostics,
                              inputs.cache, *inputs.tasks);
  loaded.library = *take(references.get(), diagnostics);
  if (!diagnostics.has_errors())
    check_sources(files, loaded.values->facts, loaded.library, diagnostics);
  if (!diagnostics.has_errors()) {
    check_dates(files, loaded.values->facts, loaded.library, *loaded.book, diagnostics);
  }
  const auto is_broken = [&](const std::string& directory) {
    return diagnostics.has_errors_in(directory + '/');
  };
  return !diagnostics.has_errors_in(facts_directory) &&
         std::ranges::none_of(loaded.book->kernels, is_broken);
}

Task<Made<Assets>> start_assets(const Loaded& loaded) {
  return loaded.inputs.tasks->start([&loaded] {
    AssetDirectories directories = loaded.inputs.assets;
    directories.gallery = &loaded.gallery;
    directories.book = loaded.inputs.book;
    directories.unbuilt = loaded.options.unbuilt;
    Made<Assets> made;
    made.value = collect_assets(directories, loaded.modules, *loaded.values, made.diagnostics);
    return made;
  });
}

}  // namespace

std::vector<const Book*> Loaded::locales() const {
  std::vector<const Book*> all{book.get()};
  for (const auto& locale : book->locales) all.push_back(&locale);
  return all;
}

Made<std::unique_ptr<const Loaded>> load(const SiteInputs& inputs, const SiteOptions& options) {
  Made<std::unique_ptr<const Loaded>> made;
  Diagnostics& diagnostics = made.diagnostics;
  const FileSystem& files = *inputs.book;
  auto modules = inputs.tasks->start([&inputs, &options] {
    BookKernels::built_in();  // load_values() needs them; computing them here delays nobody
    Made<Modules> loaded_modules;
    if (inputs.published) {
      loaded_modules.value = inputs.published->modules;
      return loaded_modules;
    }
    loaded_modules.value =
        Modules::load(inputs.assets.modules, options.unbuilt, loaded_modules.diagnostics);
    return loaded_modules;
  });
  auto book = book_for(inputs, options, diagnostics);
  if (!book) return made;
  auto loaded = std::make_unique<Loaded>(inputs, options);
  loaded->book = std::make_unique<const Book>(std::move(*book));
  // Another program (git) does this in parallel.
  if (loaded->is_public()) loaded->history = inputs.tasks->start(inputs.history);
  loaded->errata = load_errata(files, *loaded->book, diagnostics, inputs.cache);
  if (!load_numbers(*loaded, diagnostics)) return made;
  loaded->modules = *take(modules.get(), diagnostics);
  loaded->gallery =
      load_gallery(files, loaded->book->reference, *loaded->values, diagnostics, inputs.cache,
                   *inputs.tasks, inputs.published ? inputs.published->gallery : Gallery());
  if (!inputs.published) {
    loaded->gallery_summary = load_gallery_summary(files, diagnostics, inputs.cache);
    loaded->assets = start_assets(*loaded);
  }
  loaded->words = messages_of_all(files, *inputs.assets.site, *loaded->book, diagnostics);
  const Dependencies common = common_inputs(*loaded);
  const auto locales = loaded->locales();
  for (std::size_t i = 0; i < locales.size(); ++i) {
    loaded->terms.push_back(
        terms_in(*locales[i], loaded->library.terms, files, diagnostics, inputs.cache));
    auto known = locale_inputs(common, *loaded, *locales[i], loaded->words[i]);
    loaded->avoided.emplace_back();
    if (options.prose) {
      loaded->avoided.back() =
          avoided_words(*inputs.assets.site, locales[i]->language, diagnostics);
      known[Dependency::given("the terms of the language")] = version_of(loaded->avoided.back());
    }
    loaded->known.emplace_back(std::move(known));
  }
  made.value = std::move(loaded);
  return made;
}

}  // namespace primer
