// JSON.parse blocks everything else until it is done: half a second for 8 MiB of small arrays. So a large text is read
// token by token here, with a pause every few milliseconds. That is slower overall, so small texts go to JSON.parse.
import type { FastifyRequest } from "fastify";
import { badInput } from "../../../schemas/errors.ts";
import { createSlices } from "../../common/slices.ts";

/** JSON.parse takes up to 20 ms for this many characters. */
export const SMALL_LENGTH = 512 * 1024;
const VALUES_PER_LOOK = 2_000;

const large = new WeakSet<object>();

/** Whether the value was read from a large text. */
export const isLarge = (value: unknown): boolean => typeof value === "object" && value !== null && large.has(value);

/** The result of JSON.parse, at once if the text is small. Throws or rejects with a SyntaxError, too. */
export function parseJson(text: string): unknown | Promise<unknown> {
  return text.length <= SMALL_LENGTH ? JSON.parse(text) : parseInSlices(text);
}

type BodyParsed = (error: Error | null, body?: unknown) => void;

/** Members named __proto__ or constructor stay ordinary members: readers use only names that the schema knows. */
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

export async function parseInSlices(text: string): Promise<unknown> {
  const reader = createReader(text);
  const slices = createSlices();
  while (!reader.read(VALUES_PER_LOOK)) {
    if (slices.isOver()) await slices.next();
  }
  // A pause, because the work on the value takes long, too.
  await slices.next();
  const value = reader.value();
  if (typeof value === "object" && value !== null) large.add(value);
  return value;
}

type Container = unknown[] | Record<string, unknown>;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: readonly (readonly [string, unknown])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const [QUOTE, COMMA, MINUS, ZERO, NINE, COLON] = [34, 44, 45, 48, 57, 58];
const [BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = [91, 92, 93, 123, 125];

interface Reader {
  /** Reads this many values, or to the end; true = it reached the end. */
  read(values: number): boolean;
  value(): unknown;
}

function createReader(text: string): Reader {
  /** Outermost first. */
  const open: Container[] = [];
  let container: Container | undefined;
  let root: unknown;
  let at = 0;
  let done = false;

  function readValue(): void {
    const key = container === undefined || Array.isArray(container) ? undefined : readKey();
    skipWhite();
    const first = text.charCodeAt(at);
    if (first !== BRACKET && first !== BRACE) {
      put(key, readScalar(first));
      goOn();
      return;
    }
    at++;
    const opened: Container = first === BRACKET ? [] : {};
    put(key, opened);
    open.push(opened);
    container = opened;
    skipWhite();
    // If it is not empty, its first value comes next.
    if (text.charCodeAt(at) === closerOf(opened)) goOn();
  }

  /** After a value: reads closing brackets, then a comma or the end of the text. */
  function goOn(): void {
    while (container !== undefined) {
      skipWhite();
      const next = text.charCodeAt(at++);
      if (next === COMMA) return;
      if (next !== closerOf(container)) throw unexpected();
      open.pop();
      container = open.at(-1);
    }
    skipWhite();
    if (at < text.length) throw unexpected();
    done = true;
  }

  function put(key: string | undefined, value: unknown): void {
    if (container === undefined) root = value;
    else if (Array.isArray(container)) container.push(value);
    else if (key !== undefined && key !== "__proto__") container[key] = value;
    // An assignment to this name would set the prototype.
    else Object.defineProperty(container, "__proto__", { ...ORDINARY, value });
  }

  function readKey(): string {
    skipWhite();
    if (text.charCodeAt(at) !== QUOTE) throw unexpected();
    const key = readString();
    skipWhite();
    if (text.charCodeAt(at++) !== COLON) throw unexpected();
    return key;
  }

  function readScalar(first: number): unknown {
    if (first === MINUS || (first >= ZERO && first <= NINE)) return readNumber();
    if (first === QUOTE) return readString();
    for (const [word, value] of WORDS) {
      if (!text.startsWith(word, at)) continue;
      at += word.length;
      return value;
    }
    throw unexpected();
  }

  function readNumber(): number {
    NUMBER.lastIndex = at;
    if (!NUMBER.test(text)) throw unexpected();
    const from = at;
    at = NUMBER.lastIndex;
    return Number(text.slice(from, at));
  }

  function readString(): string {
    const from = at++;
    for (let next = text.charCodeAt(at); next !== QUOTE; next = text.charCodeAt(at)) {
      at += next === BACKSLASH ? 2 : 1;
      if (at >= text.length) throw unexpected();
    }
    at++;
    return JSON.parse(text.slice(from, at));
  }

  function skipWhite(): void {
    while (isWhite(text.charCodeAt(at))) at++;
  }

  const unexpected = () => new SyntaxError(`unexpected character at ${at}`);

  return {
    read(values) {
      for (let i = 0; i < values && !done; i++) readValue();
      return done;
    },
    value: () => root,
  };
}

const ORDINARY = { configurable: true, enumerable: true, writable: true };

const closerOf = (container: Container): number => (Array.isArray(container) ? BRACKET_END : BRACE_END);

/** Space, tab, line feed, carriage return. */
const isWhite = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;
