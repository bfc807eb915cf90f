// Validates a value against a JSON Schema, with the keywords that the schemas in this folder use.
// Pure.

const known = new Set([
  ...["$schema", "$ref", "title", "description", "definitions", "type", "enum", "required"],
  ...["properties", "additionalProperties", "items", "minItems", "maxItems", "minimum"],
]);

const type_of = (value) =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/**
 * The errors in `value`: "cores.groups.0.count: expected number, found string".
 */
export function faults(value, schema, root = schema, at = "") {
  const unknown = Object.keys(schema).find((word) => !known.has(word));
  if (unknown) throw new Error(`the schema at ${at || "its top"} uses ${unknown}`);
  if (schema.$ref) {
    const name = schema.$ref.replace("#/definitions/", "");
    return faults(value, root.definitions[name], root, at);
  }
  const found = type_of(value);
  const wrong = (words) => [`${at || "the file"}: ${words}`];
  const types = [schema.type ?? found].flat();
  if (!types.includes(found)) return wrong(`expected ${types.join(" or ")}, found ${found}`);
  if (schema.enum && !schema.enum.includes(value))
    return wrong(`expected one of ${schema.enum.join(", ")}, found ${value}`);
  if (value < schema.minimum) return wrong(`expected at least ${schema.minimum}, found ${value}`);
  if (value?.length < schema.minItems || value?.length > schema.maxItems)
    return wrong(`expected ${schema.minItems} to ${schema.maxItems ?? "any"} items`);
  const below = (key) => (at ? `${at}.${key}` : String(key));
  if (found === "array")
    return value.flatMap((one, i) => faults(one, schema.items ?? {}, root, below(i)));
  if (found !== "object") return [];
  const missing = (schema.required ?? []).filter((key) => !(key in value));
  const parts = Object.entries(value).flatMap(([key, part]) => {
    const its = schema.properties?.[key] ?? schema.additionalProperties ?? {};
    if (its === false) return [`${below(key)}: the schema knows no such member`];
    return faults(part, its, root, below(key));
  });
  return [...missing.flatMap((key) => wrong(`has no ${key}`)), ...parts];
}
