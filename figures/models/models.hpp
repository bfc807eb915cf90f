// One factory function per model. Call reset() on a new model before any other function.
#pragma once

#include <memory>

#include "figures/models/model.hpp"

namespace figures::models {

std::unique_ptr<Model> make_accelerator();
std::unique_ptr<Model> make_allreduce();
std::unique_ptr<Model> make_attention_io();
std::unique_ptr<Model> make_batch_explorer();
std::unique_ptr<Model> make_cache_tiling();
std::unique_ptr<Model> make_chooser();
std::unique_ptr<Model> make_cluster_sim();
std::unique_ptr<Model> make_core_scaling();
std::unique_ptr<Model> make_dataflow_energy();
std::unique_ptr<Model> make_datasheet();
std::unique_ptr<Model> make_decode_floor();
std::unique_ptr<Model> make_fusion();
std::unique_ptr<Model> make_layer_counter();
std::unique_ptr<Model> make_little();
std::unique_ptr<Model> make_loom();
std::unique_ptr<Model> make_number_explorer();
std::unique_ptr<Model> make_occupancy();
std::unique_ptr<Model> make_pipeline();
std::unique_ptr<Model> make_planner();
std::unique_ptr<Model> make_ridge_timeline();
std::unique_ptr<Model> make_roofline_explorer();
std::unique_ptr<Model> make_rounded_sum();
std::unique_ptr<Model> make_row_stationary();
std::unique_ptr<Model> make_sectors();
std::unique_ptr<Model> make_shared_scale();
std::unique_ptr<Model> make_simt();
std::unique_ptr<Model> make_systolic();
std::unique_ptr<Model> make_tiny_digits();
std::unique_ptr<Model> make_tpu1_budget();
std::unique_ptr<Model> make_zero_memory();

}  // namespace figures::models
