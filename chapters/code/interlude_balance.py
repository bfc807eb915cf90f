"""What share of its peak a machine can reach in bf16: the balance number, at most one."""
import numpy as np

machines = {  # FLOP/s and B/s
    "TPU v5e": (197e12, 819e9),
    "A100": (312e12, 2.039e12),
    "H100": (989e12, 3.35e12),
    "H200": (989e12, 4.8e12),
}
work = {  # FLOP/B
    "x + y": 1 / 6,
    "decode, 1 sequence": 1,
    "decode, 32 sequences": 32,
    "decode, 256 sequences": 256,
    "matmul, n = 4096": 4096 / 3,
}

peak, bandwidth = np.array(list(machines.values())).T
intensity = np.array(list(work.values()))
balance = intensity[:, None] / (peak / bandwidth)

print(" " * 21, *(f"{name:>8}" for name in machines))
for name, shares in zip(work, np.minimum(1, balance)):
    print(f"{name:21}", *(f"{share:8.1%}" for share in shares))
