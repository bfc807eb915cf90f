"""One product of two n x n matrices in fp32, three ways, in GFLOP/s."""
import sys
import time

import numpy as np

def loops(a, b):  # lists of Python numbers
    a, b, n = a.tolist(), b.tolist(), len(a)
    return [[sum(a[i][p] * b[p][j] for p in range(n)) for j in range(n)] for i in range(n)]

def dots(a, b):  # a call for each number of the result
    return [[np.dot(row, column) for column in b.T] for row in a]

def at(a, b):  # one call
    return a @ b

for n in map(int, sys.argv[1:] or ["256", "1000", "1024"]):
    a, b = np.random.rand(2, n, n).astype(np.float32)
    for way in loops, dots, at:
        if way is loops and n > 256:
            continue  # more than a minute
        began = time.perf_counter()
        way(a, b)
        took = time.perf_counter() - began
        print(f"n = {n:4}  {way.__name__:5}  {2 * n**3 / took / 1e9:8.3f} GFLOP/s")
