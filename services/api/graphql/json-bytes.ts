// Reads the bytes of a JSON text whose members the caller knows. It makes no object that the caller does not need: for
// a detection, this takes a third of the time of JSON.parse and of the checks of its result. It gives up on a text that
// does not have the usual form. JSON.parse must then read the text, and says what is wrong with it. The benchmark is
// `ingest`.
import { parseDateTime, parseUsualTime, USUAL_LENGTH } from "../../../schemas/date-time.ts";

const QUOTE = 34;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const UPPER_E = 69;
const BACKSLASH = 92;
const LOWER_E = 101;
const FIRST_PRINTED = 32;
const LAST_PRINTED = 126;
/** A number with so many digits is exact, and so is the power of ten that divides it: the quotient is rounded once. */
const EXACT_DIGITS = 15;
const POWERS: readonly number[] = Array.from({ length: EXACT_DIGITS + 1 }, (_, digits) => 10 ** digits);

/** One object for all, because the stack of an error costs more than reading a small body. */
const UNUSUAL = new Error("the JSON text does not have the usual form");

/** Throws when the text does not have the usual form. */
export const unusual = (): never => {
  throw UNUSUAL;
};

export const isUnusual = (error: unknown): boolean => error === UNUSUAL || error instanceof SyntaxError;

/** Returns the token in the form that `passes` compares. */
export const jsonToken = (text: string): Uint8Array => Buffer.from(text);

/**
 * A position in the text. White space before a token is passed with it. Loops count in variables of their own: a member
 * of the object would be written for each byte.
 */
export class JsonBytes {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Passes this sign, such as a comma, if it is next. */
  passesSign(code: number): boolean {
    if (this.#bytes[this.#at] !== code) {
      this.#skipWhite();
      if (this.#bytes[this.#at] !== code) return false;
    }
    this.#at++;
    return true;
  }

  /** Throws when this sign is not next. */
  passSign(code: number): void {
    if (!this.passesSign(code)) unusual();
  }

  /** Passes these bytes if they are next. */
  passes(expected: Uint8Array): boolean {
    this.#skipWhite();
    const bytes = this.#bytes;
    const from = this.#at;
    for (let i = 0; i < expected.length; i++) if (bytes[from + i] !== expected[i]) return false;
    this.#at = from + expected.length;
    return true;
  }

  isAtEnd(): boolean {
    this.#skipWhite();
    return this.#at === this.#bytes.length;
  }

  /** Reads a text of ASCII without escapes. */
  text(): string {
    this.passSign(QUOTE);
    const bytes = this.#bytes;
    const from = this.#at;
    let at = from;
    for (let next = bytes[at] ?? 0; next !== QUOTE; next = bytes[++at] ?? 0) {
      if (next < FIRST_PRINTED || next > LAST_PRINTED || next === BACKSLASH) unusual();
    }
    this.#at = at + 1;
    return bytes.toString("latin1", from, at);
  }

  /** Reads a text with a time, and returns its milliseconds since the epoch. */
  time(): number {
    this.#skipWhite();
    const textFrom = this.#at + 1;
    const textTo = textFrom + USUAL_LENGTH;
    if (this.#bytes[textFrom - 1] === QUOTE && this.#bytes[textTo] === QUOTE) {
      const usual = parseUsualTime(this.#bytes, textFrom);
      if (usual !== undefined) {
        this.#at = textTo + 1;
        return usual;
      }
    }
    return parseDateTime(this.text()) ?? unusual();
  }

  number(): number {
    this.#skipWhite();
    const bytes = this.#bytes;
    const from = this.#at;
    const isNegative = bytes[from] === MINUS;
    const digitsFrom = isNegative ? from + 1 : from;
    let at = digitsFrom;
    let digits = 0;
    let next = bytes[at] ?? 0;
    for (; isDigit(next); next = bytes[++at] ?? 0) digits = digits * 10 + (next - ZERO);
    const leads = at - digitsFrom;
    // JSON has no number without a digit before the point, and none that begins with 0 and another digit.
    if (leads === 0 || (leads > 1 && bytes[digitsFrom] === ZERO)) unusual();
    let decimals = 0;
    if (next === POINT) {
      const decimalsFrom = at + 1;
      for (next = bytes[++at] ?? 0; isDigit(next); next = bytes[++at] ?? 0) digits = digits * 10 + (next - ZERO);
      decimals = at - decimalsFrom;
      if (decimals === 0) unusual();
    }
    this.#at = at;
    if (leads + decimals > EXACT_DIGITS || next === LOWER_E || next === UPPER_E) return this.#longNumber(from);
    const value = decimals === 0 ? digits : digits / (POWERS[decimals] ?? Number.NaN);
    return isNegative ? -value : value;
  }

  /** Reads a value of any form. */
  value(): unknown {
    this.#skipWhite();
    const from = this.#at;
    for (let depth = 0; this.#at < this.#bytes.length; ) {
      const next = this.#byte();
      if (isCloser(next) || next === COMMA) {
        if (depth === 0) break;
        this.#at++;
        if (next !== COMMA && --depth === 0) break;
      } else if (next === QUOTE) {
        this.#passText();
      } else {
        if (isOpener(next)) depth++;
        this.#at++;
      }
    }
    // The end is where the brackets end. JSON.parse finds out whether there is a value in between.
    return JSON.parse(this.#bytes.toString("utf8", from, this.#at));
  }

  /** A number with an exponent, or with many digits. */
  #longNumber(from: number): number {
    while (isOfNumber(this.#byte())) this.#at++;
    const value = Number(JSON.parse(this.#bytes.toString("latin1", from, this.#at)));
    // GraphQL refuses a number that JSON.parse takes for infinite.
    return Number.isFinite(value) ? value : unusual();
  }

  #passText(): void {
    const bytes = this.#bytes;
    let at = this.#at + 1;
    while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    this.#at = at + 1;
  }

  #skipWhite(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (isWhite(bytes[at] ?? 0)) at++;
    this.#at = at;
  }

  /** Returns 0 at the end. */
  #byte(): number {
    return this.#bytes[this.#at] ?? 0;
  }
}

const COMMA = 44;

/** These codes are space, tab, line feed, carriage return. */
const isWhite = (code: number): boolean => code <= 32 && (code === 32 || code === 9 || code === 10 || code === 13);
/** These codes are ] and }. */
const isCloser = (code: number): boolean => code === 93 || code === 125;
/** These codes are [ and {. */
const isOpener = (code: number): boolean => code === 91 || code === 123;
const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;
/** Digits, signs, the point, and the letters of an exponent. */
const isOfNumber = (code: number): boolean =>
  isDigit(code) || code === MINUS || code === 43 || code === POINT || code === LOWER_E || code === UPPER_E;
