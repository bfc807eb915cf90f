// Live reload, only in pages that `primer serve` shows: replaces the blocks that changed and leaves
// the rest of the page alone.
//
//   server event {build, scripts, errors} --> errors: box over the page
//                                         --> other scripts: reload
//                                         --> other build: fetch the page, compare block by block
//
// The source of each block is compared with the source that was served before, because scripts may
// have changed the element. An unchanged block keeps its element, so open answers and results
// survive. A block that is measuring is replaced when it has finished.

const main_of = (page) => page.querySelector("main");
const blocks_of = (page) => [...main_of(page).children];
const source_of = (block) => block.outerHTML;
const place = "primer.preview.scroll";

/**
 * Fetches this page: {page, build}. XMLHttpRequest parses it, because the CSP forbids scripts to
 * parse HTML.
 */
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

/** The blocks as they were served, with their current elements: [{source, element}]. */
let shown = null;
let build = null;
let scripts = null;
let next = Promise.resolve();

/** Returns the blocks of `page`, with the current element if a block has the same source. */
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

/** Resolves once none of the elements to remove is measuring. */
async function until_idle(elements) {
  while (elements.some(is_measuring)) await new Promise((resolve) => setTimeout(resolve, 200));
}

/** Returns the first of `kept` below the page header, ignoring notes in the margin. */
function first_in_view(kept) {
  const head = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  return kept.find(
    (element) =>
      element.getBoundingClientRect().bottom > head &&
      /static|relative/.test(getComputedStyle(element).position),
  );
}

/** Calls `change`, then scrolls so that the first kept block in view does not move. */
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
    // An element that stays is never detached, because that would stop what runs in it.
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

/**
 * Reloads the page for other scripts, once nothing is measuring, and restores its scroll position.
 */
async function load_anew() {
  await until_idle([document.body]);
  sessionStorage.setItem(place, String(scrollY));
  location.reload();
}

let errors = "";

function show_errors(text) {
  if (text === errors) return; // the author may have hidden them
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

/** Queues a message from the server, as JSON. */
function hear(text) {
  next = next.then(() => take(JSON.parse(text))).catch(() => {});
}

async function current_news() {
  const response = await fetch("/_primer/state", { cache: "no-store" });
  return response.text();
}

// A browser opens at most six connections to a server, and an event stream uses one of them. So one
// visible page at a time, the one with the lock, opens the stream and broadcasts the messages to
// the other pages.
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

/**
 * Opens the event stream and returns a function that closes it. If the stream is closed, asks for
 * the state and tries again.
 */
function hear_server() {
  let source;
  let timer;
  const connect = () => {
    source = new EventSource("/_primer/events");
    source.addEventListener("message", ({ data }) => pass_on(data));
    source.addEventListener("error", () => {
      if (source.readyState !== EventSource.CLOSED) return; // the browser reconnects
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

/** Listens while the page is visible, to the server or to the page with the lock. */
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
    .catch(() => {}); // aborted while waiting for the lock
  stop_listening = () => {
    wish.abort();
    end();
  };
  current_news().then(hear, () => {}); // messages while the page was hidden
}

const kept_place = sessionStorage.getItem(place);
sessionStorage.removeItem(place);
if (kept_place !== null) scrollTo({ top: Number(kept_place), behavior: "instant" });

// Scripts have already changed the elements, so the sources come from the server. The number of the
// build comes with them, so that a build in between is noticed.
const served = await fetch_page();
build = served.build;
const sources = blocks_of(served.page).map(source_of);
const elements = main_of(document) ? blocks_of(document) : [];
shown = elements.map((element, i) => ({ source: sources[i], element }));
document.addEventListener("visibilitychange", listen);
listen();
document.documentElement.dataset.preview = "";
