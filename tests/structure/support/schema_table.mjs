// A JSON Schema of site/static/schemas/ as a table for docs/reference/: a row per key, nested keys
// below their parents.
import { plain, table } from "./generated.mjs";

const code = (value) => `\`${value}\``;

/** The type of a value: "text", "`a`, `b`", "list of numbers", "text or list of texts". */
function form_of(schema) {
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return [...new Set(choices.map(form_of))].join(" or ");
  if (schema.enum) return schema.enum.map(code).join(", ");
  if ("const" in schema) return code(schema.const);
  const types = [schema.type ?? "any"].flat().filter((type) => type !== "null");
  return types.map((type) => form_of_type(type, schema)).join(" or ");
}

function form_of_type(type, schema) {
  switch (type) {
    case "string":
      return schema.pattern?.startsWith("^[a-z][a-z0-9]*(-") ? "id" : "text";
    case "boolean":
      return "true or false";
    case "array": {
      const items = form_of(schema.items ?? {});
      return /^(text|id|number|integer|object)$/.test(items)
        ? `list of ${items}s`
        : `list of ${items}`;
    }
    case "object":
      return schema.properties ? "object" : "map";
    default:
      return type;
  }
}

/** The schemas of the objects that a value may contain, with the prefix of their keys. */
function parts_of(schema, path) {
  const all = [];
  if (schema.properties) all.push([schema, `${path}.`]);
  if (schema.items) all.push(...parts_of(schema.items, `${path}[]`));
  if (typeof schema.additionalProperties === "object")
    all.push(...parts_of(schema.additionalProperties, `${path}.*`));
  for (const choice of schema.oneOf ?? schema.anyOf ?? []) all.push(...parts_of(choice, path));
  return all;
}

function rows_of(schema, prefix) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const key = code(prefix + name);
    const about = plain(member.description ?? member.items?.description ?? "");
    const row = [required.has(name) ? `**${key}**` : key, form_of(member), about];
    const below = parts_of(member, prefix + name).flatMap(([part, start]) => rows_of(part, start));
    return [row, ...below];
  });
}

/**
 * A row per key: required ones are bold, `a[].b` is a key of a list's items, `a.*.b` of a map's
 * values.
 */
export const schema_table = (schema) => table(["key", "value", "meaning"], rows_of(schema, ""));
