#!/bin/sh
# Builds NAME.wasm with clang++ and lld.
set -e
cd "$(dirname "$0")"
clang++ --target=wasm32 -O2 -ffreestanding -nostdlib -Wl,--no-entry,--import-memory \
  -Wl,--export=args,--export=prepare,--export=run,--export=verify -o NAME.wasm NAME.cpp
