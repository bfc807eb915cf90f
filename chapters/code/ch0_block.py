"""A block of GPT-2, forward, on one core: what share of its time do the matrix products take?"""
import time
import torch
from torch.nn.functional import gelu, layer_norm

torch.set_num_threads(1)
n, d, heads = 512, 768, 12
shapes = [(1, 3), (1, 1), (1, 4), (4, 1)]
qkv, out, up, down = (torch.randn(d * i, d * o) / 28 for i, o in shapes)
later = torch.full((n, n), float("-inf")).triu(1)

def product(a, b):
    began = time.perf_counter()
    c = a @ b
    bill["flop"] += 2 * a.shape[-1] * c.numel()
    bill["products"] += time.perf_counter() - began
    return c

def block(x):
    q, k, v = product(layer_norm(x, [d]), qkv).view(n, 3, heads, d // heads).permute(1, 2, 0, 3)
    mixed = product((product(q, k.mT) / 8 + later).softmax(-1), v)
    x = x + product(mixed.transpose(0, 1).reshape(n, d), out)
    return x + product(gelu(product(layer_norm(x, [d]), up)), down)

runs = []
for _ in range(20):
    bill = {"flop": 0, "products": 0}
    began = time.perf_counter()
    block(torch.randn(n, d))
    runs.append(bill | {"all": time.perf_counter() - began})
best = min(runs, key=lambda run: run["all"])
share = best["products"] / best["all"]
print(f"products {best['flop'] / 1e9:6.2f} GFLOP {1e3 * best['products']:6.1f} ms {share:5.0%}")
print(f"the rest              {1e3 * (best['all'] - best['products']):6.1f} ms {1 - share:5.0%}")
