"""One token of GPT-2 small after 1,024 others: how many kernels is a GPU asked to start?"""
from collections import Counter

import torch
from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention
from torch.profiler import ProfilerActivity, profile

width, heads, layers, before, vocabulary = 768, 12, 12, 1024, 50257
shapes = {"qkv": (3, 1), "out": (1, 1), "up": (4, 1), "down": (1, 4)}
weights = [
    {k: (torch.randn(o * width, i * width), torch.randn(o * width)) for k, (o, i) in shapes.items()}
    for _ in range(layers)
]
caches = [torch.randn(2, heads, before, width // heads) for _ in range(layers)]
words, places = torch.randn(vocabulary, width), torch.randn(before + 1, width)

def token(word):
    x = words[word] + places[before]
    for w, cache in zip(weights, caches):
        q, k, v = linear(layer_norm(x, [width]), *w["qkv"]).view(3, heads, 1, width // heads)
        keys, values = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
        x = x + linear(scaled_dot_product_attention(q, keys, values).view(1, width), *w["out"])
        x = x + linear(gelu(linear(layer_norm(x, [width]), *w["up"])), *w["down"])
    return linear(layer_norm(x, [width]), words)

word = torch.tensor([42])
with profile(activities=[ProfilerActivity.CPU]) as seen:
    token(word)
moves_nothing = {"view", "unbind", "select"}
calls = Counter(e.name.removeprefix("aten::") for e in seen.events() if not e.cpu_parent)
kernels = {name: count for name, count in calls.most_common() if name not in moves_nothing}
for name, count in kernels.items():
    print(f"{count:3} {name}")
count = sum(kernels.values())
print(f"{count} kernels, {2.5 * count:.0f} µs to start at 2.5 µs each")
