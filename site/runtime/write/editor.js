// The CodeMirror editor of /write/. scripts/minify.mjs bundles the CodeMirror packages into this
// file. The editor is in a shadow root, where CodeMirror adopts style sheets; in the document it
// would add style elements, which the CSP forbids.
import { acceptCompletion, autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  syntaxHighlighting,
} from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  gutter,
  GutterMarker,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";

/** YAML front matter, which Markdown would parse as a rule and a heading. */
const front_matter = {
  defineNodes: [{ name: "FrontMatter", block: true, style: tags.meta }],
  parseBlock: [
    {
      name: "FrontMatter",
      before: "HorizontalRule",
      parse(context, line) {
        if (context.lineStart > 0 || line.text !== "---") return false;
        while (context.nextLine() && line.text !== "---");
        context.nextLine();
        context.addElement(context.elt("FrontMatter", 0, context.prevLineEnd()));
        return true;
      },
    },
  ],
};
const markdown = new Language(
  defineLanguageFacet(),
  parser.configure([GFM, front_matter]),
  [],
  "markdown",
);

// The page's color variables, so the editor follows its theme.
const colours = HighlightStyle.define([
  { tag: tags.heading, color: "var(--ink)", fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.link, color: "var(--reader)" },
  { tag: tags.url, color: "var(--bandwidth)" },
  { tag: tags.monospace, color: "var(--teal)" },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: "var(--ink-soft)" },
  { tag: [tags.comment, tags.meta], color: "var(--ink-soft)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "15px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  // The host has an outline; this one would be under the gutter.
  "&.cm-focused": { outline: "none" },
  ".cm-gutters": {
    color: "var(--ink-soft)",
    backgroundColor: "var(--paper)",
    borderRight: "1px solid var(--rule)",
  },
  ".cm-blocks": { width: "1.6em" },
  ".cm-blocks .cm-gutterElement": { textAlign: "center", cursor: "pointer" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--paper-raised)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "Highlight", opacity: "0.35" },
  ".cm-tooltip, .cm-panels": {
    color: "var(--ink)",
    backgroundColor: "var(--paper-raised)",
    border: "1px solid var(--rule)",
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--paper)",
    backgroundColor: "var(--reader)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline dotted var(--ink-soft) 2px",
    textUnderlineOffset: "3px",
  },
  ".cm-diagnostic": { fontFamily: "var(--sans)", whiteSpace: "pre-wrap" },
  ".cm-button, .cm-textfield": {
    color: "var(--ink)",
    backgroundColor: "var(--paper)",
    backgroundImage: "none",
    border: "1px solid var(--rule)",
  },
});

/**
 * A gutter with a mark at each block that has a form. A click on the mark, or Alt-Enter in the
 * block, opens the form. The mark is not a tab stop, because the toolbar has a button for that.
 */
function block_marks({ names, label, open }) {
  const fence = new RegExp(`^[ >]*(?:\`{3,}|~{3,}) *(?:${names.join("|")}) *$`);
  const mark = new (class extends GutterMarker {
    toDOM() {
      return Object.assign(document.createElement("span"), { textContent: "≡", title: label });
    }
  })();
  const is_block = (view, { from }) => fence.test(view.state.doc.lineAt(from).text);
  const mousedown = (view, line) => {
    if (!is_block(view, line)) return false;
    view.dispatch({ selection: { anchor: line.from } });
    open();
    return true;
  };
  return [
    gutter({
      class: "cm-blocks",
      lineMarker: (view, line) => (is_block(view, line) ? mark : null),
      initialSpacer: () => mark,
      domEventHandlers: { mousedown },
    }),
    keymap.of([{ key: "Alt-Enter", run: () => (open(), true) }]),
  ];
}

/** All extensions. `offer` is a CodeMirror completion source, `heard` an update listener. */
const extensions_of = ({ label, offer, heard, blocks }) => [
  lineNumbers(),
  block_marks(blocks),
  history(),
  drawSelection(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  markdown,
  syntaxHighlighting(colours),
  autocompletion({ override: [offer] }),
  keymap.of([
    { key: "Tab", run: acceptCompletion },
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...lintKeymap,
    ...defaultKeymap,
  ]),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  theme,
  heard,
];

/**
 * Creates an editor in the element `host`. Lines and columns start at 1, except where noted.
 *
 *   complete({line, before}) → promise of {from, options: [{label, detail, info, apply}]} or null;
 *                              `from` is an offset in the line, starting at 0
 *   on_change(text)            after each edit
 *   on_move(line)              after each edit or move of the cursor
 *   blocks {names, label, open()}   the fenced blocks that have a form
 */
export function make_editor(host, { label, complete, on_change, on_move, blocks }) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const offer = async (context) => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const found = await complete({ line: line.number, before });
    return found && { from: line.from + found.from, options: found.options };
  };
  const heard = EditorView.updateListener.of((update) => {
    if (update.docChanged) on_change(text_of(update.state));
    if (update.docChanged || update.selectionSet) on_move(line_of(update.state));
  });
  const extensions = extensions_of({ label, offer, heard, blocks });
  const begin = (text) => EditorState.create({ doc: text, extensions });
  const view = new EditorView({ state: begin(""), parent: root, root });
  let line_break = "\n";
  const text_of = ({ doc }) => [...doc.iterLines()].join(line_break);
  return {
    text: () => text_of(view.state),
    // Opens another text at its first line, with a new undo history. If all lines end in CR LF, the
    // text is also returned with CR LF.
    open(text) {
      line_break = /\r\n/.test(text) && !/(?<!\r)\n/.test(text) ? "\r\n" : "\n";
      view.setState(begin(text));
      view.scrollDOM.scrollTop = 0;
    },
    // Underlines [{line, column, length, severity, message, fix}], in UTF-16 units; `fix` is
    // [label, replacement] or null.
    mark(list) {
      const marks = list.map((one) => mark_of(view.state, one)).filter(Boolean);
      view.dispatch(setDiagnostics(view.state, marks));
    },
    /** Scrolls to a line and puts the cursor there. */
    go(line, column = 1) {
      const { doc } = view.state;
      const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const place = Math.min(at.from + column - 1, at.to);
      view.dispatch({ selection: { anchor: place }, scrollIntoView: true });
      view.focus();
    },
    // One undoable edit that keeps the common beginning and end, and so usually the cursor.
    exchange(given) {
      const text = given.replaceAll("\r\n", "\n");
      view.dispatch({ changes: difference(view.state.doc.toString(), text) });
    },
    /** Replaces the lines from `line` up to but excluding `end`. */
    replace(line, end, lines) {
      const { doc } = view.state;
      const place = (n) => (n > doc.lines ? doc.length : doc.line(n).from);
      const insert = lines.map((one) => `${one}\n`).join("");
      view.dispatch({ changes: { from: place(line), to: place(end), insert } });
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    line: () => line_of(view.state),
    focus: () => view.focus(),
  };
}

/** Returns the one change {from, to, insert} that turns `old` into `text`. */
function difference(old, text) {
  const least = Math.min(old.length, text.length);
  let [from, end] = [0, 0];
  while (from < least && old[from] === text[from]) ++from;
  while (end < least - from && old.at(-1 - end) === text.at(-1 - end)) ++end;
  return { from, to: old.length - end, insert: text.slice(from, text.length - end) };
}

const line_of = (state) => state.doc.lineAt(state.selection.main.head).number;

function mark_of({ doc }, { line, column, length, severity, message, fix }) {
  if (!(line >= 1 && line <= doc.lines)) return null;
  const at = doc.line(line);
  const from = Math.min(at.from + Math.max(column - 1, 0), at.to);
  const to = Math.min(Math.max(from + length, from + 1), doc.length);
  const actions = fix ? [action_of(...fix)] : [];
  return { from: Math.min(from, to), to, severity, message, actions };
}

const action_of = (name, insert) => ({
  name,
  apply: (view, from, to) => view.dispatch({ changes: { from, to, insert } }),
});
