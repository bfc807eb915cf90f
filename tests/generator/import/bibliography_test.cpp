// Works in BibTeX and CSL-JSON files become references of the book.
#include "generator/tools/import/bibliography.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "generator/tools/import/bibtex.hpp"

using namespace primer;

namespace {

ImportedReferences with_works(const std::string& text, const std::string& old = "{}\n",
                              bool checked = false) {
  Diagnostics diagnostics;
  const auto made = with_references(Source("library.bib", text), old, checked, diagnostics);
  INFO(to_text(diagnostics, Format::text));
  REQUIRE(made);
  return *made;
}

std::string library_errors(const std::string& text) {
  Diagnostics diagnostics;
  CHECK(!with_references(Source("library.bib", text), "{}", false, diagnostics));
  return to_text(diagnostics, Format::text);
}

nlohmann::json work_of(const std::string& text, const std::string& id) {
  return nlohmann::json::parse(with_works(text).text).at(id);
}

}  // namespace

TEST_CASE("bibtex: TeX becomes text") {
  CHECK(without_tex("{\\\"U}ber {GPU}s \\& co") == "Über GPUs & co");
  CHECK(without_tex("Erd{\\H{o}}s, Fran\\c{c}ois, \\v{S}, Jos\\'e") == "Erdős, François, Š, José");
  CHECK(without_tex("a\\'{\\i}b") == "aíb");
  CHECK(without_tex("stra\\ss e 1--2 a~b") == "straße 1–2 a b");
  CHECK(without_tex("\\emph{x}  y\n z") == "x y z");
  CHECK(without_tex("\\") == "");
}

TEST_CASE("bibtex: names in their order") {
  const std::vector<std::string> all{"Ada Lovelace", "Jan van Dyk", "NVIDIA and friends",
                                     "John Smith Jr", "others"};
  CHECK(names_in("Lovelace, Ada and van Dyk, Jan and {NVIDIA and friends} and Smith, Jr, John and "
                 "others") == all);
  CHECK(names_in("").empty());
}

TEST_CASE("bibliography: an article of BibTeX") {
  const auto one = work_of(
      "Anything before.\n@string{acm = \"Comm. of the \" # {ACM}}\n"
      "@Article(Williams2009,\n title = {Roofline: {An} Insightful Model},\n"
      " author = \"Williams, Samuel and Waterman, Andrew and Patterson, David\",\n"
      " journal = acm, year = 2009, doi = {https://doi.org/10.1145/1498765.1498785},\n)\n",
      "williams2009");
  CHECK(one ==
        nlohmann::json{{"type", "article-journal"},
                       {"title", "Roofline: An Insightful Model"},
                       {"authors", {"Samuel Williams", "Andrew Waterman", "David Patterson"}},
                       {"year", 2009},
                       {"venue", "Comm. of the ACM"},
                       {"url", "https://doi.org/10.1145/1498765.1498785"},
                       {"doi", "10.1145/1498765.1498785"},
                       {"checked", false}});
  const auto preprint = work_of(
      "@misc{Vas_17, title={A}, author={Vaswani, A. and others}, eprint={1706.03762}, "
      "archivePrefix={arXiv}}",
      "vas-17");
  CHECK(preprint.at("url") == "https://arxiv.org/abs/1706.03762");
  CHECK(preprint.at("authors") == nlohmann::json{"A. Vaswani et al."});
}

TEST_CASE("bibliography: CSL-JSON") {
  const auto one = work_of(
      R"([{"id": "Dao22", "type": "paper-conference", "title": "FlashAttention",
          "author": [{"given": "Tri", "family": "Dao"}, {"literal": "A group"}],
          "issued": {"date-parts": [[2022, 5]]}, "container-title": "NeurIPS",
          "URL": "https://example.org/flash"}])",
      "dao22");
  CHECK(one.at("year") == 2022);
  CHECK(one.at("authors") == nlohmann::json{"Tri Dao", "A group"});
  CHECK(one.at("venue") == "NeurIPS");
}

TEST_CASE("bibliography: existing entries keep their text, new ones are inserted alphabetically") {
  const std::string old =
      "{\n  \"beta\": {\"type\": \"book\",   \"title\": \"B\", \"url\": \"https://b.org\", "
      "\"checked\": true},\n  \"delta\": {\"type\": \"book\", \"title\": \"D\", \"url\": "
      "\"https://d.org\", \"checked\": true}\n}\n";
  const auto made = with_works(
      "@book{zeta, title={Z}, url={https://z.org}}@book{alpha, title={A}, url={https://a.org}}"
      "@book{Delta, title={other}, url={https://o.org}}@book{gamma, title={G}, url={https://g.org}}"
      "@book{nowhere, title={N}}@book{bad, title={N}, url={javascript:x}}",
      old, true);
  CHECK(made.added == std::vector<std::string>{"zeta", "alpha", "gamma"});
  CHECK(made.there == std::vector<std::string>{"delta"});
  CHECK(made.left_out == std::vector<ImportedReferences::Loss>{
                             {"nowhere: it has no address, DOI or arXiv number", 1},
                             {"bad: its address is not valid in the book: javascript:x", 1}});
  CHECK(made.text.find("\"type\": \"book\",   \"title\": \"B\"") != std::string::npos);
  std::vector<std::string> order;
  const auto parsed = nlohmann::ordered_json::parse(made.text);
  for (const auto& [id, value] : parsed.items()) order.push_back(id);
  CHECK(order == std::vector<std::string>{"alpha", "beta", "delta", "gamma", "zeta"});
  CHECK(nlohmann::json::parse(made.text).at("alpha").at("checked") == true);
}

TEST_CASE("bibliography: an invalid library is an error with its place") {
  CHECK(library_errors("only words").find("this file contains no works") != std::string::npos);
  CHECK(library_errors("\n@book{a, title={T\n").find("library.bib:2:1: error: ") == 0);
  CHECK(library_errors("[{").find("this bracket is never closed") != std::string::npos);
}

TEST_CASE("bibliography: nothing of a work changes without a word") {
  const auto one = work_of(
      "@article{a, title={The $\\ell_1$ norm of \\alpha{} and \\unknown}, author={A Bee AND C Dee}, "
      "year={in press}, url={https://a.example.com}}",
      "a");
  CHECK(one.at("title") == "The $ℓ_1$ norm of α and \\unknown");
  CHECK(one.at("authors") == nlohmann::json::array({"A Bee", "C Dee"}));
  const auto made =
      with_works("\n@article{a, title={T}, year={in press}, url={https://a.example.com}}");
  CHECK(made.changed == std::vector<ImportedReferences::Loss>{
                            {"a: its year is left out, because it is no number: in press", 2}});
  const auto csl = work_of(
      R"([{"id":"k","title":"T","author":[{"given":"Ludwig","non-dropping-particle":"van",
           "family":"Beethoven","suffix":"Jr."}],"issued":{"raw":"June 2017"},
           "URL":"https://x.example.com"}])",
      "k");
  CHECK(csl.at("authors") == nlohmann::json::array({"Ludwig van Beethoven Jr."}));
  CHECK(csl.at("year") == 2017);
  CHECK(work_of(R"([{"id":"k","title":"T","editor":[{"family":"E"}],"issued":{"literal":"2018"},
                     "URL":"https://x.example.com"}])",
                "k")
            .at("authors") == nlohmann::json::array({"E"}));
}

TEST_CASE("bibtex: strings that repeat each other are limited") {
  std::string text = "@string{a0=\"" + std::string(100, 'x') + "\"}\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = "a" + std::to_string(i - 1);
    text += "@string{a" + std::to_string(i) + "=" + last + "#" + last + "}\n";
  }
  text += "@article{boom, title=a39, url={https://b.example.com}}\n";
  CHECK(library_errors(text).find("a value of this entry has more than 64 KiB") !=
        std::string::npos);
}
