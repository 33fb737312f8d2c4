// Asks for the newest image of each camera: for many cameras at once, and for each one at most once a minute.
import { MINUTE_MS } from "../../../schemas/units.ts";
import type { Asks } from "./asks.ts";
import type { ImageNode } from "./closest-image.ts";
import type { Edges } from "./live-questions.ts";

/** So many cameras share a request. */
const MOST_TOGETHER = 16;
/** Tiles come on the screen together, within so much time. */
const GATHER_MS = 100;

export class NewestImages {
  readonly #requests: Asks;
  readonly #now: () => number;
  readonly #onImage: (id: string, image: ImageNode) => void;
  readonly #stopped = new AbortController();
  readonly #askedAt = new Map<string, number>();
  readonly #wanted = new Set<string>();
  #willAsk: ReturnType<typeof setTimeout> | undefined;

  /** @param now of a clock that does not go back. */
  constructor(requests: Asks, onImage: (id: string, image: ImageNode) => void, now = () => performance.now()) {
    this.#requests = requests;
    this.#onImage = onImage;
    this.#now = now;
  }

  /** Asks for the newest image of the camera, unless it was asked for within the last minute. */
  want(id: string): void {
    if (this.#now() - (this.#askedAt.get(id) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return;
    this.#wanted.add(id);
    this.#willAsk ??= setTimeout(() => this.#ask(), GATHER_MS);
  }

  /** The camera is not to be seen any more. */
  drop(id: string): void {
    this.#wanted.delete(id);
  }

  #ask(): void {
    this.#willAsk = undefined;
    const ids = [...this.#wanted];
    this.#wanted.clear();
    for (const id of ids) this.#askedAt.set(id, this.#now());
    for (let i = 0; i < ids.length; i += MOST_TOGETHER) {
      // A tile without its image is of use, and the next question comes in a minute.
      this.#askSome(ids.slice(i, i + MOST_TOGETHER)).catch(() => {});
    }
  }

  async #askSome(ids: readonly string[]): Promise<void> {
    const variables = Object.fromEntries(ids.map((id, i) => [`id${i}`, id]));
    type Answer = Readonly<Record<string, Edges<ImageNode>>>;
    const answer = await this.#requests.ask<Answer>(documentFor(ids.length), variables, this.#stopped.signal);
    for (const [i, id] of ids.entries()) {
      const image = answer[`of${i}`]?.edges[0]?.node;
      if (image !== undefined) this.#onImage(id, image);
    }
  }

  stop(): void {
    clearTimeout(this.#willAsk);
    this.#stopped.abort();
  }
}

/** @internal A field for each camera: a filter on all of them would not give the newest of each one. */
export function documentFor(cameras: number): string {
  const places = Array.from({ length: cameras }, (_, i) => i);
  const field = (i: number) => /* GraphQL */ `
    of${i}: images(
      filter: { dataSourceId: { eq: $id${i} }, timestamp: { attributeExists: true } }
      first: 1
      sort: [{ field: TIMESTAMP, direction: DESC }]
    ) {
      edges { node { url timestamp } }
    }`;
  return `query NewestImages(${places.map((i) => `$id${i}: ID!`).join(" ")}) {${places.map(field).join("")}\n}`;
}
