// Intersections as a subscriber receives them, message by message.
import { randomUUID } from "node:crypto";
import type { Stay } from "../oracles/compare.ts";
import { until } from "../running/processes.ts";
import { square } from "../scenes/zone.ts";
import type { GraphQLClient } from "./graphql-client.ts";
import { type Received, type Subscription, subscribe } from "./subscriber.ts";

export interface Listener {
  /** The newest state of each intersection in these zones, in the order of their first messages. */
  stays(zoneIds: ReadonlySet<string>): Stay[];
  /** Breaks of the protocol: no START first, a second START, the same END twice, an endTime elsewhere than on END. */
  faults(zoneIds: ReadonlySet<string>): string[];
  readonly messages: readonly Received<Data>[];
  /** The reason why the present connection is over, if it is. */
  over(): string | undefined;
  /** Drops the connection and resumes the subscription with the cursor of the last message. */
  reconnect(): Promise<void>;
  stop(): void;
}

interface Data {
  readonly zoneIntersections: {
    readonly state: "START" | "UPDATE" | "END";
    readonly message: {
      readonly id: string;
      readonly startTime: string;
      readonly endTime: string | null;
      readonly track: { readonly id: string };
      readonly zone: { readonly id: string };
    };
  };
}

interface Api {
  readonly url: string;
  readonly token: { readonly id: string; readonly value: string };
  readonly client: GraphQLClient;
}

const QUERY = `subscription {
  zoneIntersections { state message { id startTime endTime track { id } zone { id } } }
}`;

/** Resolves when the subscription has delivered an intersection that was made for this purpose. */
export async function listen(api: Api): Promise<Listener> {
  let current: Subscription<Data> = await subscribe<Data>({ ...api, query: QUERY });
  const before: Received<Data>[] = [];
  const messages = () => [...before, ...current.received];
  await sendProbes(api.client, () => {
    if (current.over() !== undefined) throw new Error(`the subscription is over: ${current.over()}`);
    return current.received.length > 0;
  });

  return {
    stays: (zoneIds) => [...byIntersection(messages(), zoneIds).values()].flatMap((each) => each.slice(-1).map(toStay)),
    faults: (zoneIds) => [...byIntersection(messages(), zoneIds)].flatMap(([id, each]) => faultsOf(id, each)),
    get messages() {
      return messages();
    },
    over: () => current.over(),
    async reconnect() {
      current.drop();
      const cursor = messages().at(-1)?.cursor;
      const next = await subscribe<Data>({ ...api, query: QUERY, cursor });
      before.push(...current.received);
      current = next;
    },
    stop: () => current.drop(),
  };
}

/** Resumes the subscription whenever it is over, however long that takes; returns a function that ends this. */
export function keepListening(listener: Listener): () => void {
  let stopped = false;
  async function watch(): Promise<void> {
    while (!stopped) {
      // No API may be there to answer; the next attempt follows.
      if (listener.over() !== undefined) await listener.reconnect().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  void watch();
  return () => {
    stopped = true;
  };
}

const POLL_MS = 100;

/** A reorder time must not hold a probe for longer than the pause before the next one. */
const BETWEEN_PROBES_MS = 60_000;

/** Intersections in a separate data source, one after the other until `heard`. */
async function sendProbes(client: GraphQLClient, isReceived: () => boolean): Promise<void> {
  const polygon = (edge: number) => ({ coordinates: [square(edge)] });
  // With ids, the client may repeat the mutations.
  const dataSourceId = randomUUID();
  await client.ask(
    "mutation ($dataSource: CreateDataSourceInput!) { createDataSource(dataSource: $dataSource) { id } }",
    {
      dataSource: { id: dataSourceId, name: "probe", type: "VIDEO_DEVICE" },
    },
  );
  await client.ask("mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }", {
    zone: { id: randomUUID(), dataSourceId, name: "probe", polygon: polygon(10) },
  });
  let time = Date.parse("2026-01-01T00:00:00.000Z");
  await until(
    async () => {
      if (isReceived()) return true;
      time += BETWEEN_PROBES_MS;
      const at = new Date(time).toISOString();
      const track = { dataSourceId, tag: "probe", startTime: at, endTime: at };
      await client.ask("mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }", {
        track: { ...track, detections: [{ timestamp: at, polygon: polygon(5) }] },
      });
      return isReceived();
    },
    { pauseMs: 200 },
  );
}

type Message = Data["zoneIntersections"];

function byIntersection(received: readonly Received<Data>[], zoneIds: ReadonlySet<string>): Map<string, Message[]> {
  const found = new Map<string, Message[]>();
  for (const { data } of received) {
    const { id, zone } = data.zoneIntersections.message;
    if (!zoneIds.has(zone.id)) continue;
    const messages = found.get(id) ?? [];
    messages.push(data.zoneIntersections);
    found.set(id, messages);
  }
  return found;
}

const toStay = ({ message: { track, zone, startTime, endTime } }: Message): Stay => ({
  trackId: track.id,
  zoneId: zone.id,
  startTime: Date.parse(startTime),
  endTime: endTime === null ? null : Date.parse(endTime),
});

/** There may be several ENDs: an UPDATE takes one back, or the track's explicit end moves it. */
function faultsOf(id: string, messages: readonly Message[]): string[] {
  const states = messages.map(({ state }) => state).join(" ");
  const fault = (what: string) => [`intersection ${id}: ${what}: ${states}`];
  if (!states.startsWith("START")) return fault("does not begin with START");
  if (states.lastIndexOf("START") > 0) return fault("starts twice");
  if (messages.some(({ state, message }) => (state === "END") !== (message.endTime !== null)))
    return fault("endTime stands on END and nowhere else");
  const isRepeated = ({ state, message }: Message, i: number) =>
    state === "END" && message.endTime === messages[i - 1]?.message.endTime;
  if (messages.some(isRepeated)) return fault("the same END twice");
  return [];
}
