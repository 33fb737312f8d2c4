// JSON.parse blocks everything else until it is done: half a second for 8 MiB of small arrays. So a large text is read
// token by token here, with a pause every few milliseconds. That is slower overall, so small texts go to JSON.parse.
import type { FastifyRequest } from "fastify";
import { badInput } from "../../../schemas/errors.ts";
import { createSlices } from "../../common/slices.ts";
import { type Operation, OperationBody } from "../graphql/operation.ts";
import { createJsonReader } from "./json-reader.ts";

/** Longest text for JSON.parse, in characters. JSON.parse takes up to 20 ms for it. */
export const SMALL_LENGTH = 512 * 1024;
const VALUES_PER_SLICE = 2_000;

const large = new WeakSet<object>();

/** @returns true when the value was parsed from a large text. */
export const isLarge = (value: unknown): boolean => typeof value === "object" && value !== null && large.has(value);

/**
 * Returns the result of JSON.parse for a small text, and a promise of it for a large one. Throws or rejects with a
 * SyntaxError.
 */
export function parseJson(text: string): unknown | Promise<unknown> {
  return text.length <= SMALL_LENGTH ? JSON.parse(text) : parseInSlices(text);
}

type BodyParsed = (error: Error | null, body?: unknown) => void;

/**
 * `readBody` reads the bodies that it knows how to read without JSON.parse. Members named __proto__ or constructor stay
 * ordinary members: readers use only names that the schema knows.
 */
export function createParseBody(readBody: (body: Buffer) => Operation | undefined) {
  return (_request: FastifyRequest, body: Buffer, done: BodyParsed): void => {
    const fail = (error: unknown) =>
      done(error instanceof SyntaxError ? badInput("the body is not JSON") : toError(error));
    try {
      const operation = body.length <= SMALL_LENGTH ? readBody(body) : undefined;
      const parsed = operation === undefined ? parseJson(body.toString()) : new OperationBody(operation);
      if (parsed instanceof Promise) parsed.then((value) => done(null, value), fail);
      else done(null, parsed);
    } catch (error) {
      fail(error);
    }
  };
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

export async function parseInSlices(text: string): Promise<unknown> {
  const reader = createJsonReader(text);
  const slices = createSlices();
  while (!reader.read(VALUES_PER_SLICE)) {
    if (slices.isOver()) await slices.next();
  }
  // Pauses before it returns, because the caller's work on the value takes long, too.
  await slices.next();
  const value = reader.value();
  if (typeof value === "object" && value !== null) large.add(value);
  return value;
}
