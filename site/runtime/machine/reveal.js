// The result at the top of the home page and of /machine/. On the home page the headline becomes
// the answer, and three actions replace the large button: share the card, read why, measure again.
// After a busy run the headline states the range, and the large button stays as the one action.
//
//  state    headline                       buttons
//  none     the page's question            Measure
//  range    between … and … GFLOP/s        Measure again
//  steady   … FLOPs per byte. An H100 …    Share, Read why, Again
//
// /machine/ keeps its headline and gets "Share". The state comes from profile/standing.js. main.js
// loads this file on the event "primer-results", which fires after every change of the reader's
// numbers on the page.

import { button, make } from "../base/element.js";
import { word } from "../base/language.js";
import { on_demand } from "../base/on_demand.js";
import { style_sheet } from "../base/style_sheet.js";
import { keep_first, restore } from "../page/at_first.js";
import { shown_profile, store } from "../page/page.js";
import { headline_of, standing_of } from "../profile/standing.js";
import { axis_of } from "../questions/plot.js";
import { stored_guess } from "../questions/guess.js";
import { h100_ridge } from "./h100.js";

const bench = document.querySelector("primer-bench.hero, #bench-machine");
const is_home = bench.matches(".hero");
const own_button = bench.querySelector(".bench-button");

const load_style = style_sheet(new URL("reveal.css", import.meta.url));

const guessed_ridge = () => {
  const guess = stored_guess();
  return guess && guess.rate / guess.bandwidth;
};

/** Shows the state of the reader's result, whatever the page showed before. */
export async function show_result() {
  // The reader may choose other numbers meanwhile, so all waiting comes first. Without its style,
  // the row still works.
  const [needs] = await Promise.all([is_home ? h100_ridge() : null, load_style().catch(() => {})]);
  const profile = shown_profile();
  const standing = store.is_viewing ? { state: "none" } : standing_of(profile);
  if (is_home) show_headline(standing, needs);
  show_row(standing.state === "steady");
  if (standing.state === "steady" && is_new(profile) && is_home) pull_back(standing);
}

let seen_run = "";

/** Whether the roofs come from a run on this page whose result has not been shown before. */
function is_new({ roofs }) {
  const run = roofs.map((roof) => roof.run ?? "").reduce((a, b) => (a > b ? a : b));
  const is_unseen = run !== seen_run;
  seen_run = run;
  return is_unseen && (bench.getAttribute("state") === "running" || bench.hasAttribute("answer"));
}

const smallest = 20; // px

/** Reduces the type until the heading is not higher than `room` px, in any font and language. */
function fit(heading, room) {
  heading.style.fontSize = "";
  const own = parseFloat(getComputedStyle(heading).fontSize);
  for (let size = own; heading.offsetHeight > room && size > smallest; --size)
    heading.style.fontSize = `${size}px`;
}

function show_headline(standing, needs) {
  const heading = document.querySelector("main h1");
  const room = heading.offsetHeight;
  heading.classList.toggle("answer", standing.state !== "none");
  if (standing.state === "none") {
    heading.style.fontSize = "";
    restore(heading);
    return;
  }
  keep_first(heading);
  heading.textContent = headline_of(standing, { needs, guess: guessed_ridge() });
  fit(heading, room);
}

let row = null;

function show_row(is_shown) {
  if (!is_shown) {
    row?.remove();
    row = null;
  } else if (!row) {
    row = make("div", { className: "result-row" }, ...actions());
    bench.querySelector(".bench-controls").append(row);
  }
  if (!is_home) return;
  const has_focus = document.activeElement === own_button;
  own_button.hidden = is_shown;
  if (has_focus) row?.querySelector(".result-share").focus({ preventScroll: true });
}

function actions() {
  const share = button(word("Share"), () =>
    on_demand(
      () => import("./share.js"),
      ({ share_card }) => share_card(shown_profile()),
      say,
    ),
  );
  share.className = "result-share";
  if (!is_home) return [share];
  const again = button(word("Again"), () =>
    on_demand(
      () => import("../measure/bench.js"),
      ({ toggle }) => toggle(bench, null, again),
      say,
    ),
  );
  again.className = "result-again";
  return [share, ...reading(), again];
}

const say = (words) => {
  bench.querySelector(".bench-status").textContent = words;
};

/** A link to the text that explains the result: the first link below the home page's sentence. */
function reading() {
  const link = document.querySelector("#verdict-home ~ p a");
  return link
    ? [make("a", { className: "result-why", href: link.href, textContent: word("Read why") })]
    : [];
}

/**
 * Zooms out from the reader's roof to the whole figure, with the H100 at the top. Only a transform
 * changes, so the layout does not shift.
 */
function pull_back({ ceiling, ridge }) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const groups = [...document.querySelectorAll(".home > .plot .guess")];
  const group = groups.find((one) => one.closest("svg").getClientRects().length > 0);
  const svg = group?.closest("svg");
  if (!svg) return;
  const { width, height } = svg.viewBox.baseVal;
  const [left, top] = [
    axis_of(group.dataset.x).at(ridge) / width,
    axis_of(group.dataset.y).at(1e9 * ceiling) / height,
  ];
  const frame = svg.parentElement;
  svg.style.transformOrigin = `${100 * left}% ${100 * top}%`;
  frame.style.overflow = "hidden";
  const near = { transform: "scale(2.4)" };
  const far = { transform: "none" };
  const steps = [far, { ...near, offset: 0.2 }, { ...near, offset: 0.45 }, far];
  const motion = svg.animate(steps, { duration: 2400, easing: "ease-in-out" });
  motion.finished.catch(() => {}).then(() => (frame.style.overflow = ""));
}
