#include "traps.hpp"

namespace kernels {
namespace {

const Kernel* const all[] = {
    &trap_pages_touched, &trap_pages_untouched, &trap_decay_normal,   &trap_decay_denormal,
    &trap_sums_one,      &trap_sums_several,    &trap_sums_dead,      &trap_chase_address,
    &trap_chase_index,   &trap_steps,           &trap_columns_padded, &trap_columns_page,
};

}  // namespace

Registry registry() { return {all, int(sizeof all / sizeof all[0])}; }

}  // namespace kernels
