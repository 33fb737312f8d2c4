// The body of a request: counted while it comes, then parsed.
import { pipeline, type Readable, Transform } from "node:stream";
import type { FastifyRequest, RequestPayload } from "fastify";
import { badInput, unavailable } from "../../../schemas/errors.ts";
import { parseJson } from "./parse-json.ts";

const RETRY_AFTER_MS = 1_000;

/** Passes on what comes as long as there is room for it. */
export function counted(body: RequestPayload, hasRoom: (bytes: number) => boolean): Readable {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (hasRoom(bytes)) done(null, chunk);
      else done(Object.assign(unavailable("too much is coming in at once", RETRY_AFTER_MS), { statusCode: 503 }));
    },
  });
  // The reader of the body sees the error of either.
  return pipeline(body, counting, () => undefined);
}

type BodyParsed = (error: Error | null, body?: unknown) => void;

/** Members named __proto__ or constructor stay members like any other: inputs are read by the names the schema knows. */
export function parseBody(_request: FastifyRequest, body: string | Buffer, done: BodyParsed): void {
  const fail = (error: unknown) =>
    done(error instanceof SyntaxError ? badInput("the body is not JSON") : toError(error));
  try {
    const parsed = parseJson(body.toString());
    if (parsed instanceof Promise) parsed.then((value) => done(null, value), fail);
    else done(null, parsed);
  } catch (error) {
    fail(error);
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
