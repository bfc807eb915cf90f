# The steps of a build, each with progress. Sourced by the scripts that build; they run in the
# project's root.
. scripts/lib/progress.bash

# compile PRESET TARGET…: Ninja prints its progress for progress.bash, in English for
# scripts/lib/warnings.
compile() {
  local preset=$1; shift
  { [ -f "build/$preset/build.ninja" ] || LC_ALL=C cmake --preset "$preset"; } &&
    LC_ALL=C NINJA_STATUS='[%f/%t] ' ninja -C "build/$preset" "$@"
}
compile_modules() { ( set -a && . build/emscripten.env && set +a && compile wasm ); }
compile_workshop() { ( set -a && . build/emscripten.env && set +a && compile workshop ); }

# While this file exists, scripts/serve serves pages without modules, because old modules do not
# match new scripts.
unfinished=build/wasm/unfinished
make_generator() { step "generator" compile release primer; }
make_modules() { step "WebAssembly modules" compile_modules && rm -f "$unfinished"; }
# The files of /write/, into build/workshop/write.
make_workshop() {
  step "generator as a module" compile_workshop && mkdir -p build/workshop/write &&
    cp build/workshop/generator/*.wasm build/workshop/write/
}
make_assets() { step "fonts" scripts/fonts && step "minified styles and scripts" node scripts/minify.mjs; }
make_tests() { step "test programs" compile release; }
make_bundle() { step "scripts of an installed program" node scripts/bundle.mjs; }
