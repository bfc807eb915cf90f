"""Marches M rows through a grid of R x C cells that hold their weights, one clock at a time."""
import numpy as np

def march(x, w):
    (m, r), c = x.shape, w.shape[1]
    number, total, result = np.zeros((r, c)), np.zeros((r, c)), np.zeros((m, c))
    clocks = range(m + r + c - 2)
    for t in clocks:
        entering = [x[t - i, i] if 0 <= t - i < m else 0 for i in range(r)]  # each row one later
        number = np.column_stack([entering, number[:, :-1]])  # to the right
        total = np.vstack([np.zeros(c), total[:-1]]) + number * w  # downwards
        for j in range(c):
            if 0 <= t - (r - 1) - j < m:
                result[t - (r - 1) - j, j] = total[-1, j]
    return result, r + len(clocks)  # r more to shift the weights in

for m, side in (8, 4), (8, 128), (128, 128):
    x, w = np.random.rand(m, side), np.random.rand(side, side)
    result, cycles = march(x, w)
    assert np.allclose(result, x @ w)
    print(f"{m:3} rows, {side:3} x {side:3} cells: {cycles:3} cycles, {m / cycles:5.1%} used")
