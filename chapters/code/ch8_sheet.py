"""Data sheets, asked. What a sheet does not print is left out here: unknown is never zero."""
sheets = {
    "TPU7x": {
        "peak": {16: 2307e12, 8: 4614e12},  # FLOP/s by bits, dense
        "bandwidth": 7.38e12,  # B/s
        "memory": 192 * 2**30,  # B: GiB, though a page may say GB
        "link": 600e9,  # B/s, one direction
        "pod": (42.5e18, 9216, 8),  # FLOP/s, chips, bits
    },
    "MI455X": {"peak": {16: 5000e12, 4: 40300e12}, "bandwidth": 23.3e12, "memory": 432e9},
}
weights = 2 * 69.5e9  # B: what a token of a 70B model reads in bf16

for name, sheet in sheets.items():
    for bits, peak in sheet["peak"].items():
        ridge = peak / sheet["bandwidth"]
        full = ridge * bits / 16
        print(f"{name}, {bits} bits: ridge {ridge:.0f} FLOP/B, full from {full:.0f} tokens")
    whole, token = (1e3 * part / sheet["bandwidth"] for part in (sheet["memory"], weights))
    print(f"{name} reads its memory in {whole:.1f} ms, a token's weights in {token:.1f} ms")
    (wide, slow), (narrow, fast) = sheet["peak"].items()
    if abs(fast / slow * narrow / wide - 1) > 0.02:
        print(f"ask: a peak {fast / slow:.2f} times as high with {wide // narrow} times fewer bits?")
    if "pod" in sheet:
        pod, chips, bits = sheet["pod"]
        same = abs(pod / chips / sheet["peak"][bits] - 1) < 0.02
        print("the pod is its chips" if same else "ask: the pod is not its chips. Which format?")
    if "watts" not in sheet:
        print("joules: unknown")
