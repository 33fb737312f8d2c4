// How bodies are read: JSON in UTF-8, with a bound on what their checks have to look at.
import { TextDecoder } from "node:util";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

/** Of all lists and objects of a body together. A check takes long for each value that is wrong. */
const MAX_VALUES = 20_000;

/** `maxBytes`: of the request's body; the server's own bound holds as well. */
export function readBodies(app: FastifyInstance, maxBytes: (request: FastifyRequest) => number): void {
  const parse = app.getDefaultJsonParser("error", "error");
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    // Clients name a type also where an endpoint takes no body.
    if (body.length === 0) return done(null, undefined);
    const most = maxBytes(request);
    if (body.length > most) {
      return done(new Problem("too-large", `without a token in the headers a body has at most ${most} bytes`));
    }
    const text = decode(utf8, body);
    if (text === undefined) return done(new Problem("validation", "the body is not UTF-8"));
    return parse(request, text, (error, value) => {
      if (error === null && hasMoreValues(value, MAX_VALUES)) {
        done(new Problem("too-large", `a body has at most ${MAX_VALUES} values`));
      } else done(error, value);
    });
  });
  // Only JSON: a page of another site may send other types without asking first.
  app.addContentTypeParser("*", (request, _payload, done) => {
    const isEmpty = request.headers["content-length"] === "0";
    done(isEmpty ? null : new Problem("media-type", "the content-type must be application/json"), undefined);
  });
}

/** Undefined when these bytes are no text: what took their place would be another id. */
function decode(utf8: TextDecoder, body: Buffer): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

function hasMoreValues(body: unknown, most: number): boolean {
  const open: unknown[] = [body];
  let count = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
    count += members.length;
    if (count > most) return true;
    open.push(...members);
  }
  return false;
}
