// Reads a JSON text token by token, so that the caller can pause between any two values.
type Container = unknown[] | Record<string, unknown>;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: readonly (readonly [string, unknown])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const [QUOTE, COMMA, MINUS, ZERO, NINE, COLON] = [34, 44, 45, 48, 57, 58];
const [BRACKET, BACKSLASH, BRACKET_END, BRACE, BRACE_END] = [91, 92, 93, 123, 125];

export interface JsonReader {
  /**
   * Reads this many values, or to the end.
   * @returns true when it reached the end.
   */
  read(values: number): boolean;
  value(): unknown;
}

export const createJsonReader = (text: string): JsonReader => new TokenReader(text);

/** Builds the value from the tokens. */
class TokenReader implements JsonReader {
  readonly #tokens: JsonTokens;
  /** Containers, the outermost first. */
  readonly #open: Container[] = [];
  /** The innermost container. */
  #container: Container | undefined;
  #root: unknown;
  #isDone = false;

  constructor(text: string) {
    this.#tokens = new JsonTokens(text);
  }

  read(values: number): boolean {
    for (let i = 0; i < values && !this.#isDone; i++) this.#readValue();
    return this.#isDone;
  }

  value(): unknown {
    return this.#root;
  }

  #readValue(): void {
    const tokens = this.#tokens;
    const container = this.#container;
    const key = container === undefined || Array.isArray(container) ? undefined : tokens.key();
    const first = tokens.peek();
    const point = first === BRACKET ? tokens.tryPoint() : undefined;
    if (point !== undefined || (first !== BRACKET && first !== BRACE)) {
      this.#put(key, point ?? tokens.scalar());
      this.#goOn();
      return;
    }
    tokens.passes(first);
    const opened: Container = first === BRACKET ? [] : {};
    this.#put(key, opened);
    this.#open.push(opened);
    this.#container = opened;
    // If the container is not empty, its first value follows.
    if (tokens.peek() === closerOf(opened)) this.#goOn();
  }

  #put(key: string | undefined, value: unknown): void {
    const container = this.#container;
    if (container === undefined) this.#root = value;
    else if (Array.isArray(container)) container.push(value);
    else if (key !== undefined && key !== "__proto__") container[key] = value;
    // An assignment to this name would set the prototype.
    else Object.defineProperty(container, "__proto__", { ...ORDINARY, value });
  }

  /** After a value: reads closing brackets, then a comma or the end of the text. */
  #goOn(): void {
    while (this.#container !== undefined) {
      if (this.#tokens.passes(COMMA)) return;
      this.#tokens.pass(closerOf(this.#container));
      this.#open.pop();
      this.#container = this.#open.at(-1);
    }
    this.#tokens.end();
    this.#isDone = true;
  }
}

/** A position in the text. White space before a token is passed with it. */
class JsonTokens {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the next character. */
  peek(): number {
    this.#skipWhite();
    return this.#text.charCodeAt(this.#at);
  }

  /**
   * Passes the character if it is the next one.
   * @returns true when it was passed.
   */
  passes(character: number): boolean {
    if (this.peek() !== character) return false;
    this.#at++;
    return true;
  }

  pass(character: number): void {
    if (!this.passes(character)) throw this.#unexpected();
  }

  end(): void {
    this.#skipWhite();
    if (this.#at < this.#text.length) throw this.#unexpected();
  }

  key(): string {
    if (this.peek() !== QUOTE) throw this.#unexpected();
    const key = this.#string();
    this.pass(COLON);
    return key;
  }

  scalar(): unknown {
    const first = this.peek();
    if (first === MINUS || (first >= ZERO && first <= NINE)) return this.#number();
    if (first === QUOTE) return this.#string();
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    throw this.#unexpected();
  }

  /**
   * Reads an array of two or three numbers, of which large texts consist. It is created as a literal: an array that
   * grows by `push` reserves 17 members, and the garbage collector stops the event loop while it moves young objects.
   * @returns undefined for any other array; the position then stays where it is.
   */
  tryPoint(): number[] | undefined {
    const from = this.#at++;
    const x = this.#tryNumber();
    const y = x === undefined || !this.passes(COMMA) ? undefined : this.#tryNumber();
    if (x !== undefined && y !== undefined) {
      if (this.passes(BRACKET_END)) return [x, y];
      const z = this.passes(COMMA) ? this.#tryNumber() : undefined;
      if (z !== undefined && this.passes(BRACKET_END)) return [x, y, z];
    }
    this.#at = from;
    return undefined;
  }

  #number(): number {
    const number = this.#tryNumber();
    if (number === undefined) throw this.#unexpected();
    return number;
  }

  /** @returns undefined when no number follows. */
  #tryNumber(): number | undefined {
    this.#skipWhite();
    const from = this.#at;
    NUMBER.lastIndex = from;
    if (!NUMBER.test(this.#text)) return undefined;
    this.#at = NUMBER.lastIndex;
    return Number(this.#text.slice(from, this.#at));
  }

  #string(): string {
    const text = this.#text;
    const from = this.#at;
    let at = from + 1;
    for (let next = text.charCodeAt(at); next !== QUOTE; next = text.charCodeAt(at)) {
      at += next === BACKSLASH ? 2 : 1;
      if (at >= text.length) throw this.#unexpected(at);
    }
    this.#at = at + 1;
    return JSON.parse(text.slice(from, this.#at));
  }

  #skipWhite(): void {
    while (isWhite(this.#text.charCodeAt(this.#at))) this.#at++;
  }

  #unexpected(at = this.#at): SyntaxError {
    return new SyntaxError(`unexpected character at ${at}`);
  }
}

const ORDINARY = { configurable: true, enumerable: true, writable: true };

const closerOf = (container: Container): number => (Array.isArray(container) ? BRACKET_END : BRACE_END);

/** These codes are space, tab, line feed, carriage return. */
const isWhite = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;
