// The JSON Schema of figure specs and their reference, generated from the tables of the kinds.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "figures/kinds/shapes.hpp"

namespace support {

class SpecSchema {
 public:
  using Json = nlohmann::ordered_json;

  Json whole() {
    Json kinds = Json::array(), cases = Json::array();
    for (const figures::Shape& shape : figures::shapes()) {
      kinds.push_back(shape.name);
      cases.push_back({{"if", {{"properties", {{"kind", {{"const", shape.name}}}}}}},
                       {"then", of(shape, true)}});
    }
    return {{"$schema", "http://json-schema.org/draft-07/schema#"},
            {"title", "Specification of a figure"},
            {"type", "object"},
            {"required", {"kind"}},
            {"properties", {{"kind", {{"enum", kinds}}}}},
            {"allOf", cases},
            {"definitions", definitions_}};
  }

 private:
  static Json is_set(std::string_view name) {
    return {{"required", {name}}, {"properties", {{name, {{"not", {{"const", false}}}}}}}};
  }

  Json of(const figures::Shape& shape, bool top = false) {
    Json required = Json::array(), properties = Json::object(), conditions = Json::array();
    for (const figures::Member& member : shape.members) {
      const bool kind = top && member.name == "kind";
      properties[std::string(member.name)] = kind ? Json{{"const", shape.name}} : of(member);
      const Json conditional = standing(member, conditions);
      if (member.required && conditional.empty()) required.push_back(member.name);
      if (member.required && !conditional.empty())
        conditions.push_back(
            {{"if", {{"allOf", conditional}}}, {"then", {{"required", {member.name}}}}});
    }
    Json out = {{"description", shape.says}, {"type", "object"}};
    if (!required.empty()) out["required"] = required;
    out["properties"] = properties;
    out["additionalProperties"] = false;
    if (!conditions.empty()) out["allOf"] = conditions;
    return out;
  }

  // Adds the requirements of the member's position to `conditions`. Returns the condition under
  // which the member may exist.
  static Json standing(const figures::Member& member, Json& conditions) {
    Json beside = Json::array();
    for (const std::string_view other : member.with)
      if (!other.empty()) beside.push_back(is_set(other));
    if (!member.without.empty()) beside.push_back({{"not", is_set(member.without)}});
    if (!beside.empty())
      conditions.push_back({{"if", {{"required", {member.name}}}}, {"then", {{"allOf", beside}}}});
    if (!member.instead.empty())
      conditions.push_back(
          {{"anyOf", Json::array({is_set(member.instead), {{"required", {member.name}}}})}});
    return beside;
  }

  Json reference(const figures::Shape& shape) {
    const std::string name(shape.name);
    if (!definitions_.contains(name)) {
      definitions_[name] = nullptr;  // reserves the position: its dependencies follow it
      Json made = of(shape);
      definitions_[name] = std::move(made);
    }
    return {{"$ref", "#/definitions/" + name}};
  }

  static Json texts(std::size_t least) {
    Json out = {{"type", "string"}};
    if (least > 0) out["minLength"] = least;
    out["maxLength"] = figures::longest_text;
    return out;
  }

  Json form_of(const figures::Member& member) {
    using figures::Form;
    const Json choices = {{"enum", Json(member.choices)}}, flag = {{"type", "boolean"}};
    switch (member.form) {
      case Form::text: return texts(member.required ? 1 : 0);
      case Form::expression: return texts(1);
      case Form::choice: return choices;
      case Form::flag: return flag;
      case Form::number: return {{"type", "number"}};
      case Form::range:
        return {
            {"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 2}, {"maxItems", 2}};
      case Form::expressions:
        return {{"type", "array"}, {"items", texts(1)}, {"maxItems", member.most}};
      case Form::choice_list:
        return {{"type", "array"}, {"items", choices}, {"maxItems", member.most}};
      case Form::list: {
        Json out = {{"type", "array"}, {"items", reference(*member.of)}};
        if (member.least > 0) out["minItems"] = member.least;
        out["maxItems"] = member.most;
        return out;
      }
      case Form::object: return {{"allOf", Json::array({reference(*member.of)})}};
      case Form::flag_or_object: return {{"anyOf", Json::array({flag, reference(*member.of)})}};
      case Form::flag_or_choice: return {{"anyOf", Json::array({flag, choices})}};
      case Form::given:
        return {{"type", "object"},
                {"additionalProperties", {{"type", "string"}}},
                {"maxProperties", figures::most_given}};
      case Form::parameters:
        return {{"type", "object"},
                {"additionalProperties", {{"type", {"number", "string"}}}},
                {"maxProperties", figures::most_parameters}};
    }
    return {};
  }

  Json of(const figures::Member& member) {
    Json out = {{"description", member.says}};
    out.update(form_of(member));
    if (member.form == figures::Form::choice && !member.required)
      out["default"] = member.choices.front();
    return out;
  }

  Json definitions_ = Json::object();
};

// docs/reference/figure-specs.md.
class SpecReference {
 public:
  std::string whole() {
    std::string out = R"(# Figure specs

The members of `figures/specs/<name>.json`, by kind. This page and the schema that editors use are
generated from the table that checks specs; `UPDATE_GOLDENS=1 test_figures "[shapes]"` writes both.

Members in bold are required. Of several choices, the one in bold is the default. An *expression* is a
number, a fact or a formula ([expressions](expressions-and-units.md)). How to make a figure:
[add a figure](../how-to/add-a-figure.md).

To show | use
--- | ---
rates under their roofs | [`roofline`](#roofline)
bandwidth by working set | [`sweep`](#sweep)
a formula, a limit, points on or off it | [`curves`](#curves)
amounts side by side, a part of a whole | [`lengths`](#lengths)
amounts as areas | [`squares`](#squares)
rates as heights in px, on many screens | [`wall`](#wall)
shares of a whole | [`bars`](#bars)
steps of an optimization | [`ladder`](#ladder)
what parts do over time | [`lanes`](#lanes)
memory or tiles as squares | [`cells`](#cells)
bits of a number format | [`formats`](#formats)
a network as kernels | [`layers`](#layers)
bytes, arithmetic or overhead | [`split`](#split)
a loop nest and its blocks | [`tiles`](#tiles)
levels of a machine | [`hierarchy`](#hierarchy)
a chip, a unit and a part | [`machine`](#machine)
)";
    for (const figures::Shape& shape : figures::shapes()) {
      out += "\n## " + std::string(shape.name) + "\n\n" + std::string(shape.says) + ".\n";
      out += table(shape);
      while (!waiting_.empty()) {
        const figures::Shape* next = waiting_.front();
        waiting_.erase(waiting_.begin());
        out += "\n`" + std::string(next->name) + "`: " + std::string(next->says) + ".\n" +
               table(*next);
      }
    }
    return out;
  }

 private:
  static std::string choices(const figures::Member& member) {
    std::string out;
    for (const std::string_view one : member.choices) {
      const bool first = out.empty() && !member.required && member.form == figures::Form::choice;
      out += (out.empty() ? "" : ", ") + (first ? "**`" : std::string("`")) + std::string(one) +
             (first ? "`**" : "`");
    }
    return out;
  }

  std::string link(const figures::Member& member) {
    const figures::Shape* shape = member.of;
    if (!shown_[shape->name]) waiting_.push_back(shape);
    shown_[shape->name] = true;
    return "`" + std::string(shape->name) + "`";
  }

  static std::string counted(const figures::Member& member) {
    if (member.most < figures::longest_list)
      return (member.least > 0 ? std::to_string(member.least) : "up") + " to " +
             std::to_string(member.most) + " ";
    return member.least > 0 ? "a list of one or more " : "a list of ";
  }

  std::string form_of(const figures::Member& member) {
    using figures::Form;
    switch (member.form) {
      case Form::text: return "text";
      case Form::expression: return "expression";
      case Form::choice: return choices(member);
      case Form::flag: return "true or false";
      case Form::number: return "number";
      case Form::range: return "two numbers";
      case Form::expressions: return "a list of expressions";
      case Form::choice_list: return "a list of " + choices(member);
      case Form::list: return counted(member) + link(member);
      case Form::object: return link(member);
      case Form::flag_or_object: return "true, false or " + link(member);
      case Form::flag_or_choice: return "true, false or " + choices(member);
      case Form::given: return "expressions by name";
      case Form::parameters: return "values by name";
    }
    return {};
  }

  static std::string place(const figures::Member& member) {
    std::string out;
    for (const std::string_view other : member.with)
      if (!other.empty())
        out += (out.empty() ? "; only with `" : " and `") + std::string(other) + "`";
    if (!member.without.empty()) out += "; not with `" + std::string(member.without) + "`";
    if (!member.instead.empty()) out += "; required without `" + std::string(member.instead) + "`";
    return out;
  }

  std::string table(const figures::Shape& shape) {
    std::string out = "\n| member | holds | what it is |\n|---|---|---|\n";
    for (const figures::Member& member : shape.members) {
      if (member.name == "kind") continue;
      const std::string name = "`" + std::string(member.name) + "`";
      const bool needed = member.required && member.with[0].empty() && member.without.empty();
      out += "| " + (needed ? "**" + name + "**" : name) + " | " + form_of(member) + " | " +
             escaped(member.says) + place(member) + " |\n";
    }
    return out;
  }

  static std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
  }

  std::map<std::string_view, bool> shown_;
  std::vector<const figures::Shape*> waiting_;
};

}  // namespace support
