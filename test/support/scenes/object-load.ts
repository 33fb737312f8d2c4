// Objects that are created, changed and deleted through the API while processes die. Each field of an object has a
// writer of its own; it goes on when its value is acknowledged. So at the end every field has its last value.
import { setTimeout as delay } from "node:timers/promises";
import type { GraphQLClient } from "../clients/graphql-client.ts";
import { patientClient } from "./load.ts";

export interface ObjectLoad {
  /** Acknowledged creations, updates and deletions. */
  count(): number;
  /** Resolves when nothing is under way any more; rejects at the first refusal that no repetition can mend. */
  stop(): Promise<void>;
  /** Objects that differ from what was acknowledged. */
  differences(): Promise<readonly string[]>;
}

/** A kind of object. Values follow from a number, so that a writer's next value differs from its last. */
interface Kind {
  readonly type: string;
  readonly creation: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, (n: number) => unknown>>;
  readonly isDeletable: boolean;
}

const name = (n: number) => `name ${n}`;
const isEven = (n: number) => n % 2 === 0;
const list = (n: number) => [`a${n}`, `b${n}`];

const square = (n: number) => [
  [
    [n, 0],
    [n + 1, 0],
    [n + 1, 1],
    [n, 1],
    [n, 0],
  ],
];

/** The other objects refer to these two. */
const SITE = "object-load-site";
const PRODUCER = "object-load-producer";

const START = "2026-01-01T00:00:00.000Z";
const END = "2026-01-01T01:00:00.000Z";

const unchanged = {
  name,
  status: name,
  labels: list,
  metadata: (n: number) => ({ n }),
} as const;

const kinds: readonly Kind[] = [
  {
    type: "DataSource",
    creation: { name: "source", type: "FOLDER" },
    fields: { name, labels: list },
    isDeletable: true,
  },
  {
    type: "Site",
    creation: { name: "site" },
    fields: { name, timezone: (n) => `Etc/GMT+${n % 12}` },
    isDeletable: true,
  },
  {
    type: "Device",
    creation: { name: "device", enabled: true, siteId: SITE },
    fields: { name, enabled: isEven, address: name },
    isDeletable: true,
  },
  {
    type: "ChronicleProducer",
    creation: { name: "producer", active: true },
    fields: { name, active: isEven, validationReasons: list },
    isDeletable: true,
  },
  {
    type: "Geofence",
    creation: { name: "geofence", siteId: SITE, active: true, bounds: { polygon: { coordinates: square(0) } } },
    fields: { name, active: isEven, labels: list },
    isDeletable: true,
  },
  {
    type: "ActivityChronicle",
    creation: { name: "activity", chronicleProducerId: PRODUCER, startTime: START, siteIds: [SITE] },
    fields: { ...unchanged, description: name },
    isDeletable: true,
  },
  {
    type: "EventChronicle",
    creation: { name: "event", chronicleProducerId: PRODUCER, timestamp: START },
    fields: unchanged,
    isDeletable: true,
  },
  {
    type: "SummaryChronicle",
    creation: { name: "summary", chronicleProducerId: PRODUCER, startTime: START, endTime: END },
    fields: unchanged,
    isDeletable: true,
  },
];

const memberOf = (type: string) => `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
const input = (word: "Create" | "Update", type: string) =>
  `mutation ($input: ${word}${type}Input!) { ${word.toLowerCase()}${type}(${memberOf(type)}: $input) { id } }`;

export interface ObjectLoadOptions {
  /** No other load of the same system has this one. */
  readonly seed: number;
  /** The pause between two updates of one writer. */
  readonly pauseMs: number;
}

/** Resolves when the first objects exist. */
export async function startObjectLoad(
  client: GraphQLClient,
  { seed, pauseMs }: ObjectLoadOptions,
): Promise<ObjectLoad> {
  const patient = patientClient(client);
  const stopping = new AbortController();
  let count = 0;
  const expected = new Map<string, { readonly type: string; readonly values: Record<string, unknown> | null }>();

  /** A stop ends it. */
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  async function write(query: string, variables: object): Promise<void> {
    await patient.ask(query, variables);
    count += 1;
  }

  async function create({ type, creation }: Kind, id: string): Promise<Record<string, unknown>> {
    await write(input("Create", type), { input: { id, ...creation } });
    const values = {};
    expected.set(id, { type, values });
    return values;
  }

  async function keepWriting(
    type: string,
    id: string,
    values: Record<string, unknown>,
    field: string,
    of: (n: number) => unknown,
  ) {
    for (let n = 1; !stopping.signal.aborted; n++) {
      await write(input("Update", type), { input: { id, [field]: of(n) } });
      values[field] = of(n);
      await pause(pauseMs);
    }
  }

  async function keepDeleting(kind: Kind): Promise<void> {
    for (let n = 1; !stopping.signal.aborted; n++) {
      const id = `passing-${kind.type}-${seed}-${n}`;
      await create(kind, id);
      // A repeated deletion finds nothing: an earlier one was not acknowledged, but had arrived.
      const { errors } = await patient.send(`mutation ($id: ID!) { delete${kind.type}(id: $id) { id } }`, { id });
      if (errors?.some(({ extensions }) => extensions.code !== "NOT_FOUND")) {
        throw new Error(JSON.stringify(errors));
      }
      count += 1;
      expected.set(id, { type: kind.type, values: null });
      await pause(10 * pauseMs);
    }
  }

  await write(input("Create", "Site"), { input: { id: SITE, name: "site" } });
  await write(input("Create", "ChronicleProducer"), { input: { id: PRODUCER, name: "producer", active: true } });
  const writers = await Promise.all(
    kinds.map(async (kind) => {
      const id = `lasting-${kind.type}-${seed}`;
      const values = await create(kind, id);
      const fields = Object.entries(kind.fields).map(([field, of]) => keepWriting(kind.type, id, values, field, of));
      return kind.isDeletable ? [...fields, keepDeleting(kind)] : fields;
    }),
  );
  const done = Promise.all(writers.flat());
  done.catch(() => undefined);

  return {
    count: () => count,
    async stop() {
      stopping.abort();
      await done;
    },
    async differences() {
      const found = await Promise.all(
        [...expected].map(([id, { type, values }]) => differenceOf(patient, type, id, values)),
      );
      return found.filter((each) => each !== undefined);
    },
  };
}

async function differenceOf(client: GraphQLClient, type: string, id: string, values: Record<string, unknown> | null) {
  const fields = Object.keys(values ?? {});
  const query = `query ($id: ID!) { object: ${memberOf(type)}(id: $id) { id ${fields.join(" ")} } }`;
  const { object } = await client.ask<{ object: object | null }>(query, { id });
  const [is, should] = [JSON.stringify(object), JSON.stringify(values === null ? null : { id, ...values })];
  return is === should ? undefined : `${type} ${id} is ${is}, and was acknowledged as ${should}`;
}
