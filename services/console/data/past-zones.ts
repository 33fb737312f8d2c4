// The zones of a camera as they were at the moment that is shown.
import type { SceneZone } from "../picture/scene.ts";
import type { Ring } from "../picture/view.ts";
import { allNodes } from "./all-nodes.ts";
import type { Asks } from "./asks.ts";
import { isoOf } from "./past-nodes.ts";

const ZONES = /* GraphQL */ `
  query PastZones($id: ID!, $asOf: DateTimeOffset!, $after: String) {
    zones(asOf: $asOf, filter: { dataSourceId: { eq: $id } }, first: 1000, after: $after) {
      edges { node { id name active updatedAt polygon { coordinates } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

/** While the moment moves, the zones are asked for this often. */
const PAUSE_MS = 400;

/** Zones as the log knew them at that time, which must not be in the future. */
export async function askZones(
  { ask }: Asks,
  { id, asOf, signal }: { id: string; asOf: number; signal: AbortSignal },
): Promise<readonly SceneZone[]> {
  interface Node {
    readonly id: string;
    readonly name: string;
    readonly active: boolean;
    readonly updatedAt: string | null;
    readonly polygon: { readonly coordinates: readonly Ring[] };
  }
  const zones = await allNodes<Node>(ask, ZONES, { id, asOf: isoOf(asOf) }, { signal });
  return zones.map(({ active, polygon, ...zone }) => ({
    ...zone,
    rings: polygon.coordinates,
    isActive: active,
  }));
}

export class PastZones {
  readonly #requests: Asks;
  readonly #id: string;
  readonly #onChange: () => void;
  readonly #stopped = new AbortController();
  #wanted: number | undefined;
  #asked: number | undefined;
  #isAsking = false;
  zones: readonly SceneZone[] = [];

  constructor(requests: Asks, dataSourceId: string, onChange: () => void) {
    this.#requests = requests;
    this.#id = dataSourceId;
    this.#onChange = onChange;
  }

  /** @param asOf a time of the log. Of many in a short time, only the last is asked for. */
  want(asOf: number): void {
    this.#wanted = asOf;
    this.#ask();
  }

  #ask(): void {
    const asOf = this.#wanted;
    if (this.#isAsking || asOf === undefined || asOf === this.#asked || this.#stopped.signal.aborted) return;
    this.#isAsking = true;
    this.#asked = asOf;
    askZones(this.#requests, { id: this.#id, asOf, signal: this.#stopped.signal })
      .then(
        (zones) => {
          this.zones = zones;
          this.#onChange();
        },
        // The zones stay as they were last known. Only another moment asks again: the same question would fail as fast
        // as it can be asked.
        () => {},
      )
      .finally(() =>
        setTimeout(() => {
          this.#isAsking = false;
          this.#ask();
        }, PAUSE_MS),
      );
  }

  stop(): void {
    this.#stopped.abort();
  }
}
