// Formulas in lines: what convert() takes, one JSON object a line, in, and what it gives out, in the same order.
// The first line out is {"ready": true}. Ends when its input ends. Started by line_process.cpp.
import { createInterface } from "node:readline";

import { convert } from "./maths_conversion.mjs";

const send = (object) => process.stdout.write(`${JSON.stringify(object)}\n`);

send({ ready: true });
for await (const line of createInterface({ input: process.stdin })) send(convert(JSON.parse(line)));
