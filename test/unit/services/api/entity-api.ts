// An API whose catalog topic is a list in memory.
import { createMutations } from "../../../../services/api/fields/mutations/index.ts";
import type { PositionGate } from "../../../../services/api/read/await-position.ts";
import type { MutationDeps } from "../../../../services/api/write/deps.ts";
import type { EventWriter } from "../../../../services/api/write/publish.ts";
import { createLogClock } from "../../../../services/common/log-clock.ts";
import { noWriter } from "../../../support/scenes/catalog.ts";
import { createTestApi, open } from "./support.ts";

const bounds = { maxFutureMs: 0, maxDetectionVertices: 256, maxZoneVertices: 100 };
const unasked = (): never => {
  throw new Error("no track is asked for");
};
const noRouting: MutationDeps["routing"] = {
  known: unasked,
  find: unasked,
  ifKnown: unasked,
  findOf: unasked,
  findForSure: unasked,
  askAgain: unasked,
  created: unasked,
  updated: unasked,
};

interface EntityApiOptions {
  /** Its catalog is not used. */
  readonly writer?: Partial<EventWriter>;
  readonly routing?: Partial<MutationDeps["routing"]>;
  readonly maxDataSourceVertices?: number;
  readonly maxGeofenceVertices?: number;
  readonly gate?: PositionGate;
  readonly env?: Readonly<Record<string, string>>;
}

export async function createEntityApi({
  writer: others = {},
  routing = {},
  maxDataSourceVertices = 1_000,
  maxGeofenceVertices = 1_000,
  gate = open,
  env = {},
}: EntityApiOptions = {}) {
  let next = 0;
  let calls = 0;
  const failures = new Map<number, Error>();
  const writer: EventWriter = {
    ...noWriter,
    everyPartition: async () => [{ topic: "camera-log", partition: 0, offset: 0 }],
    ...others,
    records: async (events) => {
      const error = failures.get(calls++);
      if (error !== undefined) throw error;
      return events.map(() => ({ topic: "catalog", partition: 0, offset: next++ }));
    },
  };
  const mutations = createMutations({
    viewsComplete: async () => undefined,
    ...{
      writer,
      routing: { ...noRouting, ...routing },
      clock: createLogClock(),
      now: Date.now,
      maxImageBytes: 1_000_000,
      heartbeatMs: 10_000,
      historyComplete: async () => {},
      recordsReferringTo: async () => [],
    },
    bounds: { ...bounds, maxDataSourceVertices },
    maxGeofenceVertices,
  });
  const api = await createTestApi({ env, writer, gate, resolvers: { Mutation: mutations } });

  /** Fields of the answer; fails when there are errors. */
  async function data(query: string, variables: Record<string, unknown> = {}) {
    const { body } = await api.ask(query, variables);
    if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
    return body.data;
  }

  /** `extensions` of the first error. */
  async function refusal(query: string, variables: Record<string, unknown> = {}) {
    const { body } = await api.ask(query, variables);
    return body.errors?.[0]?.extensions;
  }

  return {
    ...{ ...api, data, refusal },
    /** The next write of records fails, or one of those after it. */
    failNext: (error: Error, after = 0) => {
      failures.set(calls + after, error);
    },
    /** How many records were written. */
    written: () => next,
  };
}
