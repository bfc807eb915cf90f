// Shared by several of these tests: files of the repository, and a small set of facts and kernels.
#pragma once

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/expression.hpp"
#include "figures/quantities/facts.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/quantities/profile.hpp"

namespace support {

inline std::string read_source(const std::string& path) {
  std::ifstream file(std::string(SOURCE_ROOT) + "/" + path, std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

inline figures::Profile profile(const std::string& name) {
  auto parsed = figures::parse_profile(read_source("tests/fixtures/profiles/" + name + ".json"));
  INFO((parsed ? std::string("") : parsed.error().message));
  REQUIRE(parsed);
  return *parsed;
}

inline figures::Facts facts() {
  figures::Facts out;
  const auto object = nlohmann::json::parse(R"({
    "h100-sxm": {"title": "NVIDIA H100 SXM", "vendor": "NVIDIA"},
    "h100-sxm.peak.bf16": {"value": "989 TFLOP/s", "sources": ["a"]},
    "h100-sxm.bandwidth": {"value": "3.35 TB/s", "sources": ["a"], "read": "quoted", "note": "n"},
    "round.peak": {"value": "100 TFLOP/s", "kind": "assumed", "note": "round"},
    "round.bandwidth": {"value": "1 TB/s", "kind": "assumed", "note": "round"}
  })");
  REQUIRE(out.load(object));
  return out;
}

inline figures::Catalogue catalogue() {
  const auto array = nlohmann::json::parse(R"([
    {"id": "gpu.chase", "variant": "", "title": "", "unit": "ns", "class": "latency", "params": []},
    {"id": "gpu.read", "variant": "", "title": "", "unit": "GB/s", "class": "memory", "params": []},
    {"id": "gpu.inflight", "variant": "", "title": "", "unit": "GB/s", "class": "memory", "params": [
      {"name": "lanes", "unit": "", "default": 65536}, {"name": "loads", "unit": "", "default": 1}]},
    {"id": "latency.chase", "variant": "", "title": "", "unit": "ns", "class": "latency", "params": [
      {"name": "w", "unit": "B", "default": 16384}, {"name": "order", "unit": "", "default": 0},
      {"name": "line", "unit": "B", "default": 64}]},
    {"id": "peak.fma", "variant": "", "title": "", "unit": "GFLOP/s", "class": "fma",
     "params": [{"name": "chains", "unit": "", "default": 12}], "requires": "relaxed"},
    {"id": "matmul.naive", "variant": "", "title": "", "unit": "GFLOP/s", "class": "scalar", "params": [
      {"name": "n", "unit": "", "default": 512}, {"name": "m", "unit": "", "default": 0},
      {"name": "k", "unit": "", "default": 0}]},
    {"id": "matmul.reordered", "variant": "", "title": "", "unit": "GFLOP/s", "class": "simd", "params": [
      {"name": "n", "unit": "", "default": 512}]},
    {"id": "matmul.vector", "variant": "", "title": "", "unit": "GFLOP/s", "class": "simd", "params": [
      {"name": "n", "unit": "", "default": 512}]},
    {"id": "matmul.tiled", "variant": "", "title": "", "unit": "GFLOP/s", "class": "fma", "params": [
      {"name": "n", "unit": "", "default": 512}, {"name": "m", "unit": "", "default": 0},
      {"name": "k", "unit": "", "default": 0}]},
    {"id": "matmul.tiled", "variant": "cache", "title": "", "unit": "GFLOP/s", "class": "simd", "params": [
      {"name": "n", "unit": "", "default": 512}]},
    {"id": "matmul.packed", "variant": "", "title": "", "unit": "GFLOP/s", "class": "fma", "params": [
      {"name": "n", "unit": "", "default": 512}, {"name": "m", "unit": "", "default": 0},
      {"name": "k", "unit": "", "default": 0}, {"name": "prepacked", "unit": "", "default": 0},
      {"name": "tile", "unit": "", "default": 0}]},
    {"id": "mlp.unfused", "variant": "", "title": "", "unit": "GFLOP/s", "class": "fma", "params": [
      {"name": "m", "unit": "", "default": 1024}, {"name": "n", "unit": "", "default": 1024},
      {"name": "k", "unit": "", "default": 1024}]},
    {"id": "mlp.fused", "variant": "", "title": "", "unit": "GFLOP/s", "class": "fma", "params": [
      {"name": "m", "unit": "", "default": 1024}, {"name": "n", "unit": "", "default": 1024},
      {"name": "k", "unit": "", "default": 1024}]},
    {"id": "attention.naive", "variant": "", "title": "", "unit": "GFLOP/s", "class": "fma", "params": [
      {"name": "n", "unit": "", "default": 1024}, {"name": "d", "unit": "", "default": 64},
      {"name": "stages", "unit": "", "default": 3}]},
    {"id": "attention.tiled", "variant": "", "title": "", "unit": "GFLOP/s", "class": "fma", "params": [
      {"name": "n", "unit": "", "default": 1024}, {"name": "d", "unit": "", "default": 64}]},
    {"id": "sparse.csr", "variant": "", "title": "", "unit": "GFLOP/s", "class": "fma", "params": [
      {"name": "rows", "unit": "", "default": 4096}, {"name": "cols", "unit": "", "default": 4096},
      {"name": "density", "unit": "", "default": 0.1}, {"name": "index", "unit": "", "default": 32}]},
    {"id": "allreduce.ring", "variant": "", "title": "", "unit": "GB/s", "class": "link",
     "params": [{"name": "bytes", "unit": "B", "default": 1048576}]},
    {"id": "matvec.f32", "variant": "", "title": "", "unit": "GFLOP/s", "class": "memory", "params": [
      {"name": "rows", "unit": "", "default": 8192}, {"name": "cols", "unit": "", "default": 8192},
      {"name": "batch", "unit": "", "default": 1}]},
    {"id": "matvec.bf16", "variant": "", "title": "", "unit": "GFLOP/s", "class": "memory", "params": [
      {"name": "rows", "unit": "", "default": 8192}, {"name": "cols", "unit": "", "default": 8192},
      {"name": "batch", "unit": "", "default": 1}]},
    {"id": "matvec.i8", "variant": "", "title": "", "unit": "Gop/s", "class": "memory", "params": [
      {"name": "rows", "unit": "", "default": 8192}, {"name": "cols", "unit": "", "default": 8192},
      {"name": "batch", "unit": "", "default": 1}]},
    {"id": "matvec.i4", "variant": "", "title": "", "unit": "Gop/s", "class": "memory", "params": [
      {"name": "rows", "unit": "", "default": 8192}, {"name": "cols", "unit": "", "default": 8192},
      {"name": "batch", "unit": "", "default": 1}]},
    {"id": "stream.read", "variant": "", "title": "", "unit": "GB/s", "class": "memory", "params": [
      {"name": "w", "unit": "B", "default": 16384}, {"name": "chains", "unit": "", "default": 4}]},
    {"id": "stream.triad", "variant": "", "title": "", "unit": "GB/s", "class": "memory",
     "params": [{"name": "w", "unit": "B", "default": 67108864}]},
    {"id": "roof.sweep", "variant": "", "title": "", "unit": "GFLOP/s", "class": "fma",
     "params": [{"name": "w", "unit": "B", "default": 67108864}, {"name": "degree", "unit": "", "default": 1}]}
  ])");
  auto parsed = figures::Catalogue::from_json(array);
  REQUIRE(parsed);
  return *parsed;
}

}  // namespace support
