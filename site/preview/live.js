// In pages that `primer serve` shows, and in no published one: takes over what was saved, in place.
//
// A new build arrives as an event. The page is fetched again and compared with what was served before,
// block by block: blocks that are the same keep their elements, with whatever runs or stands in them;
// only the others are exchanged. A block that is measuring is exchanged when it has finished. Errors
// are shown over the page and go when they are mended.

const main_of = (page) => page.querySelector("main");
const blocks_of = (page) => [...main_of(page).children];
const source_of = (block) => block.outerHTML;
const place = "primer.preview.scroll";

/** {page, build}: this address as it is served now. The browser parses it on its way: policies let no script do it. */
function fetch_page() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href.split("#")[0]);
    request.setRequestHeader("Cache-Control", "no-cache");
    request.responseType = "document";
    request.onload = () =>
      request.response
        ? resolve({
            page: request.response,
            build: Number(request.getResponseHeader("Primer-Build")),
          })
        : reject(new Error("no page"));
    request.onerror = () => reject(new Error("no answer"));
    request.send();
  });
}

/** The page as it was served, block for block: [{source, element}]. */
let shown = null;
let build = null;
let scripts = null;
let next = Promise.resolve();

/** The blocks of `page` as they are to stand: the shown element where there is one with that source. */
function matched(page) {
  const free = new Map();
  for (const block of shown) {
    if (!free.has(block.source)) free.set(block.source, []);
    free.get(block.source).push(block.element);
  }
  return blocks_of(page).map((fresh) => {
    const source = source_of(fresh);
    const element = free.get(source)?.shift();
    return { source, element: element ?? document.importNode(fresh, true), fresh: !element };
  });
}

const is_measuring = (element) =>
  element.matches('[state="running"]') || element.querySelector('[state="running"]') !== null;

/** Waits while a block that is about to go is measuring. */
async function until_idle(elements) {
  while (elements.some(is_measuring)) await new Promise((resolve) => setTimeout(resolve, 200));
}

/** The first of `kept` that a reader sees below the head: its end is in view, and it is of the text, not beside it. */
function first_in_view(kept) {
  const head = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  return kept.find(
    (element) =>
      element.getBoundingClientRect().bottom > head &&
      /static|relative/.test(getComputedStyle(element).position),
  );
}

/** Calls `change` and scrolls so that the first kept block in view stays where it is. */
function in_place(kept, change) {
  const anchor = first_in_view(kept);
  const top = anchor?.getBoundingClientRect().top;
  change();
  if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - top, behavior: "instant" });
}

function take_head(page) {
  document.title = page.title;
  const [old_root, new_root] = [document.documentElement, page.documentElement];
  for (const name of ["data-page", "lang", "dir"]) {
    const value = new_root.getAttribute(name);
    if (value === null) old_root.removeAttribute(name);
    else old_root.setAttribute(name, value);
  }
  const style = (from) => from.querySelector('link[href$="style.css"]');
  if (style(page) && style(document).getAttribute("href") !== style(page).getAttribute("href")) {
    style(document).setAttribute("href", style(page).getAttribute("href"));
  }
  const contents = (from) => from.querySelector("header nav");
  if (contents(page) && contents(document)) {
    contents(document).replaceChildren(...document.importNode(contents(page), true).childNodes);
  }
}

async function take_page() {
  const { page } = await fetch_page();
  if (!main_of(page) || !main_of(document)) return location.reload();
  const blocks = matched(page);
  const kept = blocks.filter(({ fresh }) => !fresh).map(({ element }) => element);
  const leaving = shown.map(({ element }) => element).filter((element) => !kept.includes(element));
  await until_idle(leaving);
  take_head(page);
  in_place(kept, () => {
    // Elements that stay are never taken out: that would stop what runs in them.
    for (const element of leaving) element.remove();
    let before = null;
    for (const { element } of blocks) {
      const right_after = before ? before.nextElementSibling : main_of(document).firstElementChild;
      if (right_after !== element) {
        if (before) before.after(element);
        else main_of(document).prepend(element);
      }
      before = element;
    }
  });
  main_of(document).className = main_of(page).className;
  shown = blocks.map(({ source, element }) => ({ source, element }));
  for (const { fresh, element } of blocks) {
    if (fresh) element.dispatchEvent(new CustomEvent("primer-block", { bubbles: true }));
  }
}

/** Other scripts: the page loads anew, once nothing measures, at the same place. */
async function load_anew() {
  await until_idle([document.body]);
  sessionStorage.setItem(place, String(scrollY));
  location.reload();
}

let errors = "";

function show_errors(text) {
  if (text === errors) return; // and stays hidden, if the writer has hidden it
  errors = text;
  document.getElementById("primer-errors")?.remove();
  if (!text) return;
  const box = document.createElement("section");
  box.id = "primer-errors";
  box.setAttribute("role", "alert");
  box.setAttribute("aria-label", "The book does not build");
  const head = document.createElement("p");
  head.textContent = "The last save does not build. The page below is the one before it.";
  const list = document.createElement("pre");
  list.tabIndex = 0;
  list.textContent = text;
  const hide = document.createElement("button");
  hide.type = "button";
  hide.textContent = "Hide";
  hide.addEventListener("click", () => box.remove());
  box.append(head, list, hide);
  document.body.append(box);
}

async function take(news) {
  show_errors(news.errors);
  build ??= news.build;
  scripts ??= news.scripts;
  if (news.scripts !== scripts) return load_anew();
  if (news.build === build) return;
  build = news.build;
  await take_page();
}

/** Takes news, as the text that the server sends. */
function hear(text) {
  next = next.then(() => take(JSON.parse(text))).catch(() => {});
}

async function current_news() {
  const response = await fetch("/_primer/state", { cache: "no-store" });
  return response.text();
}

// A browser has six connections to a server for all its pages, and a page that is told of news holds one. So one
// visible page, which has the lock, holds it for all of them and passes on what it hears.
const name = "primer.preview";
const channel = new BroadcastChannel(name);
const retry_ms = 2000;

channel.addEventListener("message", ({ data }) => {
  if (!document.hidden) hear(data);
});

function pass_on(text) {
  channel.postMessage(text);
  hear(text);
}

/** Hears the server until the function that is returned is called; asks now and then where it has no stream left. */
function hear_server() {
  let source;
  let timer;
  const connect = () => {
    source = new EventSource("/_primer/events");
    source.addEventListener("message", ({ data }) => pass_on(data));
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return; // it connects again by itself
      timer = setTimeout(() => {
        current_news().then(pass_on, () => {});
        connect();
      }, retry_ms);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

let stop_listening = null;

/** While the page is visible: hears the server itself, or who does. */
function listen() {
  stop_listening?.();
  stop_listening = null;
  if (document.hidden) return;
  const wish = new AbortController();
  let end = () => {};
  navigator.locks
    .request(name, { signal: wish.signal }, () => {
      if (wish.signal.aborted) return null;
      const stop = hear_server();
      return new Promise((done) => {
        end = () => {
          stop();
          done();
        };
      });
    })
    .catch(() => {}); // no longer wished
  stop_listening = () => {
    wish.abort();
    end();
  };
  current_news().then(hear, () => {}); // what was missed
}

const kept_place = sessionStorage.getItem(place);
sessionStorage.removeItem(place);
if (kept_place !== null) scrollTo({ top: Number(kept_place), behavior: "instant" });

// The served bytes say what a block was before the page's own scripts changed it. The number of their
// build comes with them, so that a build between the two is not missed.
const served = await fetch_page();
build = served.build;
const sources = blocks_of(served.page).map(source_of);
const elements = main_of(document) ? blocks_of(document) : [];
shown = elements.map((element, i) => ({ source: sources[i], element }));
document.addEventListener("visibilitychange", listen);
listen();
document.documentElement.dataset.preview = "";
