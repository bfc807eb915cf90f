"""Rounds numbers to four bits in groups that share a scale, and prints what that costs."""
import numpy as np

def int4(x, group):
    groups = x.reshape(-1, group)
    scale = np.abs(groups).max(axis=1, keepdims=True) / 7
    codes = np.round(groups / scale)  # -7 to 7
    return (codes * scale).reshape(-1)

rng = np.random.default_rng(7)
bell = rng.normal(size=32768)
outliers = np.where(rng.random(bell.size) < 1 / 1000, 20 * bell, bell)
for name, x in ("a bell curve", bell), ("with outliers", outliers):
    for group in 32768, 128, 32:
        error = np.sqrt(np.mean((int4(x, group) - x) ** 2) / np.mean(x**2))
        print(f"{name:13}  groups of {group:5}: {4 + 16 / group:.3f} bits, error {error:5.1%}")
