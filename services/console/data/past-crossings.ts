// The list of those who had entered and left zones until a moment of the past.
import { HOUR_MS, MINUTE_MS } from "../../../schemas/units.ts";
import type { Asks } from "./asks.ts";
import type { Crossing } from "./crossings.ts";
import { type ApiError, shownError } from "./errors.ts";
import { crossingsOf, type Edges, STAY, type StayNode } from "./live-questions.ts";
import { MomentQuestion } from "./moment-question.ts";
import { isoOf, timeBetween } from "./past-nodes.ts";

const CROSSINGS = /* GraphQL */ `
  ${STAY}
  query PastCrossings(
    $id: ID!
    $start: DateTimeOffset!
    $end: DateTimeOffset!
    $began: FilterDateTimeOffsetInput!
    $begins: FilterDateTimeOffsetInput!
  ) {
    before: zoneIntersections(
      filter: {
        dataSourceId: { eq: $id }
        time: $began
        timeRange: { intersecting: { start: $start, end: $end } }
      }
      first: 100
      sort: [{ field: START_TIME, direction: DESC }]
    ) {
      edges { node { ...Stay } }
      pageInfo { hasNextPage }
    }
    after: zoneIntersections(
      filter: { dataSourceId: { eq: $id }, time: $begins }
      first: 200
      sort: [{ field: START_TIME, direction: ASC }]
    ) {
      edges { node { ...Stay } }
    }
  }
`;
const MOST_AFTER = 200;

/** The list has the crossings of so much time. */
export const LISTED_MS = 15 * MINUTE_MS;
/** The end of a stay that began longer ago is missing: all stays of before would be too many to ask for. */
export const LONGEST_STAY_MS = 6 * HOUR_MS;
/** The next minutes are asked for as well, so that a playback asks seldom. */
const AHEAD_MS = 5 * MINUTE_MS;

/** The crossings of a stretch of time. The list of each moment from `from` to `until` is among them. */
interface Stretch {
  readonly from: number;
  readonly until: number;
  readonly crossings: readonly Crossing[];
  /** There are more stays than were loaded: older crossings are missing. */
  readonly isCut: boolean;
}

export class PastCrossings {
  readonly #requests: Asks;
  readonly #id: string;
  readonly #onChange: () => void;
  readonly #question = new MomentQuestion((at, signal) => this.#load(at, signal));
  #stretch: Stretch | undefined;
  /** Why the question about the last moment had no answer. */
  error: ApiError | undefined;

  constructor(requests: Asks, dataSourceId: string, onChange: () => void) {
    this.#requests = requests;
    this.#id = dataSourceId;
    this.#onChange = onChange;
  }

  /** Whether crossings of the last moment are missing. */
  get isCut(): boolean {
    return this.#stretch?.isCut ?? false;
  }

  /** The newest first. @returns undefined while those of this moment are on their way. */
  at(moment: number): readonly Crossing[] | undefined {
    const stretch = this.#stretch;
    if (stretch === undefined || !covers(stretch, moment)) {
      this.#question.want(moment);
      return undefined;
    }
    // The failure of another moment is none of this one, and may not last until that moment is shown again.
    this.#question.forget();
    this.error = undefined;
    return stretch.crossings.filter(({ at }) => at <= moment && at > moment - LISTED_MS);
  }

  /** Repeats the question that failed. */
  again(): void {
    this.#question.forget();
    this.error = undefined;
    this.#onChange();
  }

  async #load(at: number, signal: AbortSignal): Promise<void> {
    try {
      this.#stretch = await askStretch(this.#requests, this.#id, at, signal);
      this.error = undefined;
    } catch (reason) {
      this.error = shownError(reason);
    }
    if (!signal.aborted) this.#onChange();
  }

  stop(): void {
    this.#question.stop();
  }
}

const covers = ({ from, until }: Stretch, at: number): boolean => at >= from && at <= until;

interface CrossingsAnswer {
  readonly before: Edges<StayNode> & { readonly pageInfo: { readonly hasNextPage: boolean } };
  readonly after: Edges<StayNode>;
}

async function askStretch({ ask }: Asks, id: string, at: number, signal: AbortSignal): Promise<Stretch> {
  const { before, after } = await ask<CrossingsAnswer>(
    CROSSINGS,
    {
      id,
      start: isoOf(at - LISTED_MS),
      end: isoOf(at),
      began: timeBetween({ from: at - LONGEST_STAY_MS, to: at }),
      begins: timeBetween({ from: at + 1, to: at + AHEAD_MS }),
    },
    signal,
  );
  const following = after.edges.map(({ node }) => node);
  const last = following.length < MOST_AFTER ? undefined : following.at(-1);
  const stays = [...before.edges.map(({ node }) => node), ...following];
  return {
    from: at,
    // Others may have begun at the time of the last one.
    until: last === undefined ? at + AHEAD_MS : Math.max(at, Date.parse(last.startTime) - 1),
    crossings: stays.flatMap(crossingsOf).toSorted((a, b) => b.at - a.at),
    isCut: before.pageInfo.hasNextPage,
  };
}
