// The stage of the race: six matrices that fill while their programs compute (turns.js), then the
// places and times of the runs alone. It replaces the drawing, which shows the reference machine at
// the finish. With reduced motion, only the end is shown: each matrix with a line where its program
// was at the finish.

import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { between_thousands, with_narrow_spaces } from "../base/spaces.js";
import { style_sheet } from "../base/style_sheet.js";
import { assets, store } from "../page/page.js";
import { sizes } from "./turns.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const names = ["naive", "reordered", "vector", "blocked", "tiled", "packed"];
const suggested = 1024; // the columns of such a matrix share a few cache sets
const clearly = 1.3;

const grouped = (n) => between_thousands(n.toLocaleString("en"));
const time_words = (ms) =>
  with_narrow_spaces(ms < 999.5 ? `${digits(ms, 2)} ms` : `${digits(ms / 1000, 2)} s`);

/** One program: its matrix, its place and its time. */
class Lane {
  #filled = make("i");
  #place = make("b");
  #words = make("span");

  constructor(name) {
    this.name = word(name);
    this.matrix = make("div", { className: "race-matrix" }, this.#filled, this.#place);
    this.matrix.ariaHidden = "true"; // the words below have its numbers
    const title = make("span", { className: "race-name", textContent: this.name });
    this.element = make("li", {}, this.matrix, title, this.#words);
    this.fill(0);
  }

  fill(share) {
    this.#filled.style.setProperty("--done", share);
    if (!still.matches)
      this.#words.textContent = with_narrow_spaces(`${Math.round(100 * share)} %`);
  }

  /** Draws a line at the share of C that it had computed when the first one finished. */
  end({ place, ms, first_ms }) {
    this.fill(1);
    if (place > 1) this.matrix.style.setProperty("--at-finish", first_ms / ms);
    this.#place.textContent = String(place);
    this.#words.textContent = time_words(ms);
  }
}

/** Starts the worker. Rejects as measure() does. */
async function run_race(n, { on_reading, signal }) {
  const [{ alone, in_worker, Unavailable }, { choose_module, describe_browser, ...device }] =
    await Promise.all([import("../measure/measure.js"), import("../kernels/detect.js")]);
  const found = device.detect();
  const { module, file, reason } = choose_module(found);
  if (reason) throw new Unavailable(reason);
  const job = {
    urls: [new URL(`kernels/${file}`, assets).href],
    limit: device.memory_budget(globalThis, found.x86),
    choices: store.load().profile?.choices ?? [],
    ...{ n, module, browser: describe_browser(navigator).browser },
  };
  const script = new URL("worker.js", import.meta.url);
  const how = { patience_ms: 60_000, on_reading, signal };
  return alone(() => in_worker(script, job, how));
}

class Race {
  #before = null; // {n, times} of the last race
  #figure;
  #list = make("ol", { className: "race" });
  #button;
  #size;
  #said;
  #running = null;

  constructor(figure, { button, size, said }) {
    this.#figure = figure;
    this.#button = button;
    this.#size = size;
    this.#said = said;
    this.#list.role = "list"; // Safari drops the role of a list without markers
    this.#list.ariaLabel = word("The race");
  }

  async press() {
    if (this.#running) return this.#running.abort();
    this.#running = new AbortController();
    this.#button.textContent = word("Cancel");
    try {
      await this.#run(Number(this.#size.value), this.#running.signal);
    } catch (error) {
      const why = await heard(error.message);
      this.#said.textContent = word("Unavailable, because {why}.", { why });
      if (!this.#before) this.#show_drawing();
    } finally {
      this.#running = null;
      this.#button.textContent = word("Race again");
    }
  }

  #show_drawing() {
    this.#list.remove();
    delete this.#figure.dataset.racing;
  }

  async #run(n, signal) {
    const lanes = names.map((name) => new Lane(name));
    const times = [];
    this.#list.replaceChildren(...lanes.map(({ element }) => element));
    this.#figure.dataset.racing = "";
    this.#figure.prepend(this.#list);
    this.#said.textContent = word("They take turns on one core …");
    const on_reading = ({ lane, done, alone_ms }) => {
      if (alone_ms === undefined) {
        if (!still.matches) lanes[lane].fill(done / n);
      } else {
        times[lane] = alone_ms;
        this.#said.textContent = word("Now each alone, for its time …");
      }
    };
    await run_race(n, { on_reading, signal });
    const order = [...times.keys()].sort((i, j) => times[i] - times[j]);
    const [first] = order;
    order.forEach((lane, i) =>
      lanes[lane].end({ place: i + 1, ms: times[lane], first_ms: times[first] }),
    );
    const winner = { name: lanes[first].name, time: time_words(times[first]) };
    const end = word(
      "First is {name}, after {time}. The lines show how far the others were then.",
      winner,
    );
    this.#said.textContent = `${end} ${this.#conclude(n, times, lanes)}`;
    this.#before = { n, times };
  }

  /** Which program has become slower since the last race, or what to try. */
  #conclude(n, times, lanes) {
    if (!this.#before || this.#before.n === n)
      return n === suggested ? "" : word("Now try {n} rows.", { n: grouped(suggested) });
    const work = (n / this.#before.n) ** 3;
    const slower = times.map((ms, i) => ms / this.#before.times[i] / work);
    const worst = Math.max(...slower);
    if (worst < clearly) return word("No program loses speed at this size on your core.");
    const values = { name: lanes[slower.indexOf(worst)].name, times: digits(worst, 2) };
    return word("Per multiplication, {name} takes {times} times as long as before.", values);
  }
}

/** Adds the form above the figure. */
export async function add_form(figure) {
  await style_sheet(new URL("stage.css", import.meta.url))();
  const size = make("input", {
    ...{ type: "number", name: "n", required: true, inputMode: "numeric" },
    ...{ min: sizes.least, max: sizes.most, value: sizes.usual },
  });
  const said = make("output");
  const button = make("button", { textContent: word("Start the race") });
  const label = make("label", {}, `${word("Rows and columns")} `, size);
  const form = make("form", { className: "race-bar" }, label, " ", button, " ", said);
  const race = new Race(figure, { button, size, said });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    race.press();
  });
  figure.before(form);
}
