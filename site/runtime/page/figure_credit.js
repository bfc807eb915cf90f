// Says in a saved figure where it is from: the book, its licence and the address of the figure, in
// a line below the drawing and in metadata. Who uses the figure must name them (LICENSE-TEXT).

const line_height = 15;
const letter_width = 5.7; // of a mean letter in the font size below, in px
const size = 11;

/** The first sentences of the page's foot: the name of the book and its licence. */
const credit_of_page = () =>
  document.querySelector(".page-foot p")?.firstChild?.textContent.trim() ?? "";

/** The public address of the figure, or this one where the book has none. */
function address_of(figure) {
  const page = document.querySelector('link[rel="canonical"]')?.href ?? location.href;
  const address = new URL(page);
  address.search = "";
  address.hash = figure.id;
  return address.href;
}

/** `text` in lines of at most `width` px. An address that is longer stays whole. */
export function lines_of(text, width) {
  const most = Math.floor(width / letter_width);
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= most || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** RDF in the words of Dublin Core, which image programs read. */
const metadata = (credit, address) =>
  '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ' +
  'xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description rdf:about="">' +
  `<dc:rights>${escaped(credit)}</dc:rights><dc:source>${escaped(address)}</dc:source>` +
  "</rdf:Description></rdf:RDF></metadata>";

/** The checksum of PNG chunks. */
function crc_of(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const big_endian = (number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);

/** A text of a PNG, as a chunk of the type iTXt without compression and language. */
function text_chunk(name, text) {
  const body = new TextEncoder().encode(`iTXt${name}\0\0\0\0\0${text}`);
  return [...big_endian(body.length - 4), ...body, ...big_endian(crc_of(body))];
}

const header_size = 33; // of a PNG: the signature and the first chunk, IHDR

/** Returns the bytes of a PNG with what the metadata of the drawing says. */
export function png_with_credit(bytes, figure) {
  const texts = [
    ...text_chunk("Copyright", credit_of_page()),
    ...text_chunk("Source", address_of(figure)),
  ];
  const made = new Uint8Array(bytes.length + texts.length);
  made.set(bytes.subarray(0, header_size));
  made.set(texts, header_size);
  made.set(bytes.subarray(header_size), header_size + texts.length);
  return made;
}

/**
 * Adds the line to `svg`, a copy of the drawing of `figure`, in the color `ink`, and makes room for
 * it. Returns the metadata as text, to be put into the written document.
 */
export function add_credit(svg, figure, ink) {
  const [credit, address] = [credit_of_page(), address_of(figure)];
  const [width, height] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
  const lines = lines_of(`${credit} ${address}`, width - 16);
  const whole = height + line_height * lines.length + 4;
  svg.setAttribute("height", String(whole));
  svg.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  lines.forEach((line, i) => {
    const text = document.createElementNS(svg.namespaceURI, "text");
    const members = { x: 8, y: height + line_height * (i + 1) - 3, "font-size": size, fill: ink };
    for (const [name, value] of Object.entries(members)) text.setAttribute(name, String(value));
    text.textContent = line;
    svg.append(text);
  });
  return metadata(credit, address);
}
