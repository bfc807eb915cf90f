// The style of scripts (scripts/lint). What is not named here is Prettier's own: double quotes,
// semicolons, two spaces.
export default { printWidth: 100 };
