"""The two roofs of your GPU, the cost of a launch, and what limits one operation."""

import torch

WIDTH = 16384
GPU = {"device": "cuda", "dtype": torch.bfloat16}


def seconds(run, times=50):
    run()  # the first call compiles and allocates
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(times):
        run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1000 / times


weights = torch.randn(WIDTH, WIDTH, **GPU)
vector = torch.randn(WIDTH, **GPU)
square = torch.randn(8192, 8192, **GPU)
target, number = torch.empty_like(weights), torch.zeros(1, **GPU)

peak = 2 * 8192**3 / seconds(lambda: square @ square)
bandwidth = 2 * weights.nbytes / seconds(lambda: target.copy_(weights))
launch = seconds(lambda: number.add_(1), times=1000)
print(f"peak {peak / 1e12:.0f} TFLOP/s, bandwidth {bandwidth / 1e12:.2f} TB/s")
print(f"ridge {peak / bandwidth:.0f} FLOP/B, launch {launch * 1e6:.1f} us")

# Put your own operation here, and count its FLOPs and bytes.
measured = seconds(lambda: weights @ vector)
flops, moved = 2 * weights.numel(), weights.nbytes
bounds = {"compute": flops / peak, "memory": moved / bandwidth, "launch": launch}
limit = max(bounds, key=bounds.get)
share = bounds[limit] / measured
print(f"{limit}-bound: {measured * 1e6:.0f} us, {share:.0%} of its roof")
