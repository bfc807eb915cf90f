#!/bin/sh
# Builds NAME.wasm with rustc, its library for wasm32-unknown-unknown, and lld.
set -e
cd "$(dirname "$0")"
rustc --target wasm32-unknown-unknown --crate-type cdylib -C opt-level=2 -C panic=abort \
  -C strip=debuginfo -C link-arg=--import-memory -o NAME.wasm NAME.rs
