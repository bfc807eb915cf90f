#!/bin/sh
# Builds NAME.wasm with Binaryen, from npm.
set -e
cd "$(dirname "$0")"
npx --yes --package binaryen wasm-as --enable-bulk-memory NAME.wat -o NAME.wasm
