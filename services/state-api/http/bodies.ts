// Parses bodies: JSON in UTF-8, with a limited number of values to check.
import { TextDecoder } from "node:util";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

/** Values in all lists and objects of a body together. The check of each wrong value takes long. */
const MAX_VALUES = 20_000;

/** `maxBytes` returns the limit of the request's body. The server's own limit holds as well. */
export function readBodies(app: FastifyInstance, maxBytes: (request: FastifyRequest) => number): void {
  const parse = app.getDefaultJsonParser("error", "error");
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
    // Clients also send a type when an endpoint takes no body.
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
  // Only JSON is accepted: browsers let pages of other sites send some other types without a preflight request.
  app.addContentTypeParser("*", (request, _payload, done) => {
    const isEmpty = request.headers["content-length"] === "0";
    done(isEmpty ? null : new Problem("media-type", "the content-type must be application/json"), undefined);
  });
}

/** @returns undefined when the bytes are not UTF-8: with replacement characters, an id would become another id. */
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
