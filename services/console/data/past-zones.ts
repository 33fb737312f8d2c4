// The zones of a camera as they were at the moment that is shown.
import type { SceneZone } from "../picture/scene.ts";
import type { Ring } from "../picture/view.ts";
import { allNodes } from "./all-nodes.ts";
import type { Asks } from "./asks.ts";
import { MomentQuestion } from "./moment-question.ts";
import { isoOf } from "./past-nodes.ts";

const ZONES = /* GraphQL */ `
  query PastZones($id: ID!, $asOf: DateTimeOffset!, $after: String) {
    zones(asOf: $asOf, filter: { dataSourceId: { eq: $id } }, first: 1000, after: $after) {
      edges { node { id name active updatedAt polygon { coordinates } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

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
  readonly #question: MomentQuestion;
  /** Undefined until they were loaded for the first time. */
  zones: readonly SceneZone[] | undefined;
  /** Whether the first question was answered, or has failed. */
  isAnswered = false;

  constructor(requests: Asks, id: string, onChange: () => void) {
    this.#question = new MomentQuestion(async (asOf, signal) => {
      try {
        this.zones = await askZones(requests, { id, asOf, signal });
      } catch {
        // The zones stay as they were last known.
      }
      if (signal.aborted) return;
      this.isAnswered = true;
      onChange();
    });
  }

  /** @param asOf a time of the log. Of many in a short time, only the last is asked for. */
  want(asOf: number): void {
    this.#question.want(asOf);
  }

  stop(): void {
    this.#question.stop();
  }
}
