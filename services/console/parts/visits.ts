// The addresses that the tab has visited in the console. Each entry of the browser's history has its number, so that a
// step back or forward can be taken back.

type Entries = Pick<History, "state" | "pushState" | "replaceState" | "go">;

export class Visits {
  readonly #entries: Entries;
  #number: number;
  /** The address of the page that is shown. */
  #url: string;

  /** @param url the address with which the console begins. */
  constructor(entries: Entries, url: string) {
    this.#entries = entries;
    this.#url = url;
    this.#number = numberOf(entries.state) ?? 0;
    this.#write("replaceState");
  }

  /** @param isReplaced leaves no new entry. */
  visit(url: string, isReplaced: boolean): void {
    this.#url = url;
    if (!isReplaced) this.#number += 1;
    this.#write(isReplaced ? "replaceState" : "pushState");
  }

  /** The browser has moved to an entry, and its page is shown. */
  arrived(url: string): void {
    this.#url = url;
    this.#number = numberOf(this.#entries.state) ?? this.#number;
  }

  /** The browser has moved to an entry, whose page must not be shown: it moves back to the one that is. */
  takeBack(): void {
    const number = numberOf(this.#entries.state);
    // An entry that the console did not write, such as that of an edited fragment, has no number.
    if (number === undefined || number === this.#number) this.visit(this.#url, false);
    else this.#entries.go(this.#number - number);
  }

  #write(how: "pushState" | "replaceState"): void {
    this.#entries[how]({ visit: this.#number }, "", this.#url);
  }
}

function numberOf(state: unknown): number | undefined {
  const { visit } = (state ?? {}) as { readonly visit?: unknown };
  return typeof visit === "number" ? visit : undefined;
}
