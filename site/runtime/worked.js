// Grades the answer to a worked question through page.wasm, which knows units and tolerances.

import { ask, page_data } from "./page.js";

export async function grade(section) {
  const output = section.querySelector(".worked-result");
  const input = section.querySelector(".worked-input").value.trim();
  if (input === "") {
    output.textContent = "Type a number with its unit first.";
    return;
  }
  try {
    const question = (await page_data()).worked.find(({ id }) => id === section.dataset.worked);
    if (!question) throw new Error("the page's data does not list this question: reload the page");
    const { id, ...rest } = question;
    const { correct, expected } = await ask({ op: "grade", ...rest, input });
    section.dataset.graded = correct ? "right" : "wrong";
    output.textContent = correct
      ? `Right: ${expected}.`
      : "Not yet. Try again, or open the answer: it also names the tempting mistake.";
  } catch (error) {
    output.textContent = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`;
  }
}
