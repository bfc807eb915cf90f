// What scripts must not do (scripts/lint): ESLint's recommended rules. How they look is Prettier's.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["build/", "tests/fixtures/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all", ignoreReadBeforeAssign: true }],
      // `const { id, ...rest }` leaves out id.
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      // What texts may hold, and what must not reach a terminal, is looked for by its code.
      "no-control-regex": "off",
      // Prettier breaks code, but not comments.
      "max-len": [
        "error",
        {
          code: 100,
          ignoreUrls: true,
          ignoreStrings: true,
          ignoreTemplateLiterals: true,
          ignoreRegExpLiterals: true,
        },
      ],
    },
  },
  // Tests hand functions to pages, and so know both worlds.
  {
    files: ["scripts/**", "tests/**", "site/fonts/**", "*.mjs"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
  { files: ["generator/**", "npm/**"], languageOptions: { globals: globals.node } },
  {
    files: ["site/runtime/**", "site/preview/**"],
    languageOptions: { globals: { ...globals.browser, ...globals.worker } },
  },
  { files: ["site/static/**"], languageOptions: { globals: globals.serviceworker } },
  { files: ["site/runtime/theme.js"], languageOptions: { sourceType: "script" } },
];
