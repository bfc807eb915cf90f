# The parts of a build, each shown while it runs: sourced by the scripts that build, which stand in the project's root.
. scripts/lib/progress.bash

# Ninja counts its steps for progress.bash, in English for scripts/lib/warnings. compile PRESET TARGET…
compile() {
  local preset=$1; shift
  { [ -f "build/$preset/build.ninja" ] || LC_ALL=C cmake --preset "$preset"; } &&
    LC_ALL=C NINJA_STATUS='[%f/%t] ' ninja -C "build/$preset" "$@"
}
compile_modules() { ( set -a && . build/emscripten.env && set +a && compile wasm ); }
compile_workshop() { ( set -a && . build/emscripten.env && set +a && compile workshop ); }

# While this file is there the pages of scripts/serve have no modules: older ones are no good to newer scripts.
unfinished=build/wasm/unfinished
make_generator() { step "generator" compile release primer; }
make_modules() { step "WebAssembly modules" compile_modules && rm -f "$unfinished"; }
# For the page /write/, into build/workshop/write.
make_workshop() {
  step "generator as a module" compile_workshop && mkdir -p build/workshop/write &&
    cp build/workshop/generator/*.wasm build/workshop/write/
}
make_assets() { step "fonts" scripts/fonts && step "minified styles and scripts" node scripts/minify.mjs; }
make_tests() { step "test programs" compile release; }
make_bundle() { step "scripts of an installed program" node scripts/bundle.mjs; }
