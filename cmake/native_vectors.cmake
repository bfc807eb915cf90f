# native_vector_flags: compiler flags for the native builds of the kernels, with 128-bit vectors as
# in WebAssembly and, if this machine has it, FMA.
include(CheckCXXSourceRuns)
set(native_vector_flags "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
    ROOFLINE_HOST_HAS_FMA)
  if(ROOFLINE_HOST_HAS_FMA)
    set(native_vector_flags -mavx -mfma)
  else()
    set(native_vector_flags -msse4.1)
  endif()
endif()
