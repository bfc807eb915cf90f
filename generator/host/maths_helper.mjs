// Reads one JSON object per line, as convert() takes it, and writes the results in the same order.
// The first line of output is {"ready": true}. Ends when its input ends. host/maths.cpp starts it.
import { createInterface } from "node:readline";

import { convert } from "./maths_conversion.mjs";

const send = (object) => process.stdout.write(`${JSON.stringify(object)}\n`);

send({ ready: true });
for await (const line of createInterface({ input: process.stdin })) send(convert(JSON.parse(line)));
