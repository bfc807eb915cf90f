"""Operations of PyTorch below this machine's roofline: one thread, fp32."""
import time

import torch

torch.set_num_threads(1)

def seconds(action):  # the best of ten
    times = []
    for _ in range(10):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return min(times)

a, b, c = *torch.rand(2, 1024, 1024), torch.rand(512, 512)
x, y, z = torch.rand(3, 4096, 4096)  # 64 MiB each
w, v, rows = torch.rand(4096, 8192), torch.rand(8192), torch.rand(8192, 24)
peak = 2 * 1024**3 / seconds(lambda: a @ b)
bandwidth = 8 * x.numel() / seconds(lambda: x.view(-1) @ y.view(-1))
print(f"{peak / 1e9:.1f} GFLOP/s, {bandwidth / 1e9:.1f} GB/s, ridge {peak / bandwidth:.1f} FLOP/B")

for name, flop, moved, action in [
    ("x + y", x.numel(), 12 * x.numel(), lambda: torch.add(x, y, out=z)),
    ("w @ v", 2 * w.numel(), 4 * w.numel(), lambda: w @ v),
    ("tanh(x)", 10 * x.numel(), 8 * x.numel(), lambda: torch.tanh(x, out=z)),
    ("w @ rows", 2 * w.numel() * 24, 4 * w.numel(), lambda: w @ rows),
    ("c @ c", 2 * 512**3, 12 * 512**2, lambda: c @ c),
]:
    rate, roof = flop / seconds(action), min(peak, bandwidth * flop / moved)
    bound = "ceiling" if roof == peak else "slope"
    print(f"{name:8} {flop / moved:8.3f} FLOP/B {rate / 1e9:7.2f} GFLOP/s", end=" ")
    print(f"{rate / roof:5.0%} of the {bound}")
