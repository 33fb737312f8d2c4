// Names of chosen objects: an address has their ids alone.
import type { ChoiceKind } from "../questions/choice-kinds.ts";
import type { Asks } from "./asks.ts";
import { choicesOf, type ObjectChoice } from "./choices.ts";

/** Asks for a name when it is read for the first time. Names that are read together are one question for each kind. */
export class ChoiceNames {
  readonly #ask: Asks["ask"];
  readonly #onNames: () => void;
  readonly #known = new Map<ChoiceKind, Map<string, string>>();
  readonly #missing = new Map<ChoiceKind, Set<string>>();
  readonly #stopped = new AbortController();

  /** @param onNames names have come. */
  constructor(ask: Asks["ask"], onNames: () => void) {
    this.#ask = ask;
    this.#onNames = onNames;
  }

  /** @returns the value itself while its name is not known, or when there is no such object any more. */
  nameOf(kind: ChoiceKind, value: string): string {
    const name = this.#known.get(kind)?.get(value);
    if (name !== undefined) return name;
    // The value stands for the name from now on, so that it is asked for once.
    this.add(kind, [{ value, name: value }]);
    if (this.#missing.size === 0) queueMicrotask(() => this.#askMissing());
    this.#missing.set(kind, (this.#missing.get(kind) ?? new Set()).add(value));
    return value;
  }

  add(kind: ChoiceKind, choices: readonly ObjectChoice[]): void {
    const known = this.#known.get(kind) ?? new Map<string, string>();
    this.#known.set(kind, known);
    for (const { value, name } of choices) known.set(value, name);
  }

  stop(): void {
    this.#stopped.abort();
  }

  #askMissing(): void {
    const { signal } = this.#stopped;
    for (const [kind, values] of this.#missing)
      choicesOf(this.#ask, kind, [...values], signal).then(
        (found) => {
          this.add(kind, found);
          this.#onNames();
        },
        // The ids stay, which is what the address has.
        () => {},
      );
    this.#missing.clear();
  }
}
