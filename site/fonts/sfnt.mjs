// Edits and reads OpenType files for scripts/fonts, where no packaged tool does what is needed.
//   node sfnt.mjs rename FONT FAMILY STYLE
//       replace the name table, because a subset must not use a reserved font name (OFL, clause 3);
//       the copyright and license entries stay
//   node sfnt.mjs metrics REPERTOIRE REGULAR SEMIBOLD
//       print figures/draw/text_metrics_table.hpp from the metrics of both fonts
//   node sfnt.mjs covers REPERTOIRE FONT [all]
//       fail if FONT lacks a code point of REPERTOIRE; "all" includes the lines with "+U+"
import { readFileSync, writeFileSync } from "node:fs";

const COPYRIGHT = 0,
  LICENCE = 13,
  LICENCE_URL = 14;
const FAMILY = 1,
  STYLE = 2,
  FULL_NAME = 4,
  POSTSCRIPT_NAME = 6;
const KEPT_NAMES = [COPYRIGHT, LICENCE, LICENCE_URL];

// Returns {version, tables}, with a DataView per table tag.
function read_tables(path) {
  const bytes = readFileSync(path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = {};
  for (let i = 0; i < view.getUint16(4); ++i) {
    const record = 12 + 16 * i;
    const tag = bytes.toString("latin1", record, record + 4);
    const [offset, length] = [view.getUint32(record + 8), view.getUint32(record + 12)];
    tables[tag] = new DataView(bytes.buffer, bytes.byteOffset + offset, length);
  }
  return { version: view.getUint32(0), tables };
}

function checksum(bytes) {
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 4) sum = (sum + bytes.readUInt32BE(i)) >>> 0;
  return sum;
}

const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

function write_tables(path, { version, tables }) {
  const tags = Object.keys(tables).sort();
  const power = 2 ** Math.floor(Math.log2(tags.length));
  const header = Buffer.alloc(12 + 16 * tags.length);
  header.writeUInt32BE(version, 0);
  const search = [power * 16, Math.log2(power), (tags.length - power) * 16];
  [tags.length, ...search].forEach((n, i) => header.writeUInt16BE(n, 4 + 2 * i));
  const bodies = [];
  let offset = header.length;
  tags.forEach((tag, i) => {
    const table = tables[tag];
    const body = Buffer.from(table.buffer, table.byteOffset, table.byteLength);
    const whole = padded(Buffer.from(body));
    if (tag === "head") whole.writeUInt32BE(0, 8); // the checksum excludes this field
    header.write(tag, 12 + 16 * i, "latin1");
    const record = [checksum(whole), offset, body.length];
    record.forEach((n, k) => header.writeUInt32BE(n, 16 + 16 * i + 4 * k));
    bodies.push(whole);
    offset += whole.length;
  });
  const file = Buffer.concat([header, ...bodies]);
  const head = file.readUInt32BE(12 + 16 * tags.indexOf("head") + 8);
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, head + 8);
  writeFileSync(path, file);
}

// Returns the names in US English for Windows, by name id.
function read_names(table) {
  const names = {};
  const strings = table.getUint16(4);
  for (let i = 0; i < table.getUint16(2); ++i) {
    const field = (k) => table.getUint16(6 + 12 * i + 2 * k);
    if (field(0) !== 3 || field(1) !== 1 || field(2) !== 0x409) continue;
    let text = "";
    for (let k = 0; k < field(4); k += 2) {
      text += String.fromCharCode(table.getUint16(strings + field(5) + k));
    }
    names[field(3)] = text;
  }
  return names;
}

function name_table(names) {
  const ids = Object.keys(names)
    .map(Number)
    .sort((a, b) => a - b);
  const records = Buffer.alloc(6 + 12 * ids.length);
  [0, ids.length, records.length].forEach((n, i) => records.writeUInt16BE(n, 2 * i));
  const strings = [];
  let at = 0;
  ids.forEach((id, i) => {
    const text = Buffer.from(names[id], "utf16le").swap16();
    const record = [3, 1, 0x409, id, text.length, at];
    record.forEach((n, k) => records.writeUInt16BE(n, 6 + 12 * i + 2 * k));
    strings.push(text);
    at += text.length;
  });
  const bytes = Buffer.concat([records, ...strings]);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function rename(path, family, style) {
  const font = read_tables(path);
  const old = read_names(font.tables.name);
  const names = {};
  for (const id of KEPT_NAMES) if (old[id]) names[id] = old[id];
  names[FAMILY] = family;
  names[STYLE] = style;
  names[FULL_NAME] = `${family} ${style}`;
  names[POSTSCRIPT_NAME] = `${family}-${style}`.replaceAll(" ", "");
  font.tables.name = name_table(names);
  write_tables(path, font);
}

function code_points(repertoire, all) {
  const points = [];
  for (const line of readFileSync(repertoire, "utf8").split("\n")) {
    const range = /^U\+([0-9A-F]+)(?:-([0-9A-F]+))?/.exec(all ? line.replace(/^\+/, "") : line);
    if (!range) continue;
    const last = parseInt(range[2] ?? range[1], 16);
    for (let code = parseInt(range[1], 16); code <= last; ++code) points.push(code);
  }
  return points.sort((a, b) => a - b);
}

// Returns a function from code points to glyphs, 0 if the font has none, from the Unicode cmap:
// format 12, or else format 4.
function glyph_lookup(cmap) {
  const subtables = [];
  for (let i = 0; i < cmap.getUint16(2); ++i) subtables.push(cmap.getUint32(4 + 8 * i + 4));
  const full = subtables.find((at) => cmap.getUint16(at) === 12);
  if (full !== undefined) {
    return (code) => {
      for (let g = 0; g < cmap.getUint32(full + 12); ++g) {
        const [first, last, glyph] = [0, 4, 8].map((k) => cmap.getUint32(full + 16 + 12 * g + k));
        if (first <= code && code <= last) return glyph + code - first;
      }
      return 0;
    };
  }
  const at = subtables.find((s) => cmap.getUint16(s) === 4);
  const size = cmap.getUint16(at + 6);
  const ends = at + 14;
  const [starts, deltas, offsets] = [1, 2, 3].map((k) => at + 16 + k * size);
  return (code) => {
    for (let i = 0; i < size; i += 2) {
      const first = cmap.getUint16(starts + i);
      if (code < first || code > cmap.getUint16(ends + i)) continue;
      const delta = cmap.getUint16(deltas + i);
      const offset = cmap.getUint16(offsets + i);
      if (offset === 0) return (code + delta) & 0xffff;
      const glyph = cmap.getUint16(offsets + i + offset + 2 * (code - first));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

const hex = (code) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;

function covers(repertoire, path, all) {
  const glyph = glyph_lookup(read_tables(path).tables.cmap);
  const missing = code_points(repertoire, all).filter((code) => glyph(code) === 0);
  if (missing.length > 0) throw new Error(`${path} has no glyph for ${missing.map(hex).join(" ")}`);
}

function open_font(path) {
  const { tables } = read_tables(path);
  const count = tables.hhea.getUint16(34);
  const advance = (glyph) => tables.hmtx.getUint16(4 * Math.min(glyph, count - 1));
  return { tables, advance, glyph: glyph_lookup(tables.cmap) };
}

function metrics(repertoire, regular_path, semibold_path) {
  covers(repertoire, regular_path);
  covers(repertoire, semibold_path);
  const [regular, semibold] = [regular_path, semibold_path].map(open_font);
  const rows = code_points(repertoire).map((code) => {
    const widths = [regular, semibold].map((font) => font.advance(font.glyph(code)));
    return `{0x${code.toString(16)}, ${widths.join(", ")}}`;
  });
  const lines = [];
  for (let i = 0; i < rows.length; i += 4) lines.push(`    ${rows.slice(i, i + 4).join(", ")},`);
  const [os2, hhea] = [regular.tables["OS/2"], regular.tables.hhea];
  return `// Made by scripts/fonts from the figure font's hmtx, OS/2 and hhea tables; do not edit.
#pragma once

namespace figures::table {

struct Glyph {
  char32_t code;
  unsigned short regular, semibold;  // advance width in font units
};

inline constexpr int units_per_em = ${regular.tables.head.getUint16(18)};
inline constexpr int x_height = ${os2.getInt16(86)};
inline constexpr int cap_height = ${os2.getInt16(88)};
inline constexpr int ascent = ${hhea.getInt16(4)};
inline constexpr int descent = ${-hhea.getInt16(6)};

// clang-format off
// Ascending code points.
inline constexpr Glyph glyphs[] = {
${lines.join("\n")}
};

}  // namespace figures::table
`;
}

const [command, ...rest] = process.argv.slice(2);
const commands = { rename, covers, metrics: (...paths) => process.stdout.write(metrics(...paths)) };
commands[command](...rest);
