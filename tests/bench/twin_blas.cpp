// OpenBLAS's matmul instead of matmul.packed, one sample at a time (twin.hpp has the requests).
// OPENBLAS_CORETYPE selects its kernels, and OPENBLAS_NUM_THREADS=1 limits it to one core.
#include <cblas-openblas.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "twin.hpp"

int main() {
  std::vector<float> a, b, c;
  twin::talk([&](const std::string& kernel, const twin::Settings& settings) {
    if (kernel != "matmul.packed") throw std::runtime_error("OpenBLAS stands for products only");
    const int n = std::stoi(settings.at("n"));
    const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    a.resize(size), b.resize(size), c.assign(size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      a[i] = static_cast<float>(i % 7) - 3;
      b[i] = static_cast<float>(i % 5) - 2;
    }
    twin::Work work;
    work.run = [&, n](int reps) {
      for (int rep = 0; rep < reps; ++rep)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(), n, b.data(), n,
                    0, c.data(), n);
    };
    // One row by hand. Values are small integers, so the result is exact.
    work.verify = [&, n] {
      double error = 0;
      for (int column = 0; column < n; ++column) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum += a[k] * b[static_cast<std::size_t>(k) * n + column];
        error = std::max(error, std::abs(sum - c[column]));
      }
      return "{\"error\": " + std::to_string(error) + ", \"tolerance\": 0}";
    };
    work.flops = 2.0 * n * n * n;
    work.bytes = 12.0 * n * n;
    return work;
  });
}
