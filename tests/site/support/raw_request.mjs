// Hand-written requests, for tests of requests that no browser would send.
import { connect } from "node:net";

/**
 * The bytes of the response to a hand-written request; `ends`: the client closes its side, and the
 * request may be incomplete.
 */
export function raw(port, request, host = "127.0.0.1", { ends = false } = {}) {
  return new Promise((done, failed) => {
    const bytes = Buffer.from(request, "latin1");
    const socket = connect(port, host, () => (ends ? socket.end(bytes) : socket.write(bytes)));
    let answer = "";
    socket.on("data", (bytes) => (answer += bytes));
    socket.on("close", () => done(answer));
    socket.on("error", (error) =>
      ends && error.code === "ECONNRESET" ? done(answer) : failed(error),
    );
  });
}

/** A request without a body, whose connection ends with the answer. */
export const head = (port, path, headers = {}, method = "GET") =>
  `${method} ${path} HTTP/1.1\r\n` +
  Object.entries({ Host: `127.0.0.1:${port}`, Connection: "close", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("") +
  "\r\n";
/** The response for a page. */
export const get = (port, path, host = `127.0.0.1:${port}`) =>
  raw(port, head(port, path, { Host: host }));
