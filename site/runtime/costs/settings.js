// The settings of /your-model/ as the fragment of its address: "#model=gemma-3-27b&batch=8". Only
// settings that differ from the page's own are listed. A pasted configuration is part of the
// address if it is short enough.

const longest_config = 6000;

const fields_of = (form) => [...form.elements].filter(({ name }) => name && name !== "config");

/** {name: value} of all settings but the configuration. */
export const settings_of = (form) =>
  Object.fromEntries(fields_of(form).map(({ name, value }) => [name, value]));

/** Whether the address has settings. */
export const has_settings = () => /^#(?:model|config)=/.test(location.hash);

/** Call before any setting changes. */
export const first_settings = (form) => settings_of(form);

/** The fragment, with "#"; "" for the page's own settings. */
export function fragment_of(form, first) {
  const params = new URLSearchParams();
  const { model, ...others } = settings_of(form);
  const config = form.elements.config.value;
  if (model === "own") {
    if (config.length <= longest_config) params.set("config", config);
  } else if (model !== first.model || Object.entries(others).some(([k, v]) => v !== first[k]))
    params.set("model", model);
  for (const [name, value] of Object.entries(others))
    if (value !== first[name]) params.set(name, value);
  const text = params.toString();
  return text && (params.has("model") || params.has("config")) ? `#${text}` : "";
}

/** Sets the fields from a fragment. Unknown names and values are ignored. */
export function apply_fragment(form, hash) {
  const params = new URLSearchParams(hash.slice(1));
  for (const field of fields_of(form)) {
    const value = params.get(field.name);
    if (value === null) continue;
    const is_choice = field.options && [...field.options].some((one) => one.value === value);
    const is_number = field.type === "number" && /^\d{1,9}$/.test(value);
    if (is_choice || is_number) field.value = value;
  }
  const config = params.get("config");
  if (config === null) return;
  form.elements.model.value = "own";
  form.elements.config.value = config.slice(0, longest_config);
}
