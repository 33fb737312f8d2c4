// Compares replay sessions with live subscriptions over the same log: a stretch named in three ways, by each kind of
// signals. The signals in the log say from which message each one followed, and the receivers of the live subscriptions
// got their bodies.
import type { Kafka } from "kafkajs";
import type { Codec } from "../../../schemas/codec.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import { topicName } from "../../../schemas/topics.ts";
import { readEach } from "../../../services/common/kafka/read/read-some.ts";
import { createLog } from "../../../services/common/log.ts";
import type { Ask } from "../clients/rest-client.ts";
import { until } from "../running/processes.ts";
import { type Reported, startTally } from "./signal-tally.ts";

/** Each as a live subscription and as sessions. */
export const matrixKinds = {
  "track_state, streaming": { mode: "streaming", signal_type: "track_state" },
  "zone_state, streaming": { mode: "streaming", signal_type: "zone_state" },
  "track_state, batch": { mode: "batch", batch_interval: 10, pixel_proximity_threshold: 50 },
} as const;

export type MatrixKind = keyof typeof matrixKinds;

/** The id of a live subscription, by its kind. */
export const matrixIds: Readonly<Record<MatrixKind, string>> = {
  "track_state, streaming": "tracks",
  "zone_state, streaming": "zones",
  "track_state, batch": "batches",
};

/** A signal of a live subscription, without its state: those of crowded zones are long. */
export interface LiveSignal
  extends Pick<SignalRaised, "subscriptionId" | "signal" | "timestamp" | "expiredBy" | "cause"> {
  readonly dataSourceId: string;
  /** The track that caused it. */
  readonly trackId: string;
  /** Time of the track's last detection, ms; NaN in signals of zones. */
  readonly lastSeen: number;
}

/** A signal of a live subscription, with the body that its receiver got. */
interface Told {
  readonly signal: LiveSignal;
  readonly body: Reported;
}

export interface MatrixCell {
  readonly way: string;
  readonly kind: string;
  readonly sessions: number;
  readonly signals: number;
}

export interface MatrixDeps {
  readonly ask: Ask;
  readonly signals: readonly LiveSignal[];
  /** In the order in which the receivers of the live subscriptions got them. */
  readonly live: ReadonlyMap<MatrixKind, readonly Reported[]>;
  /** Event time, ms: the stretch lies among the signals from then on. */
  readonly since: number;
  readonly workflow: object;
  /** Begins the ids of the sessions. */
  readonly name: string;
}

const MOST_TRACKS = 100;
const PATIENTLY = { timeoutMs: 1_800_000, pauseMs: 100 };

/** Resolves with all signals in the log, those of each partition in order. */
export async function readSignals(kafka: Kafka, codec: Codec, namespace: string): Promise<LiveSignal[]> {
  const topic = topicName(namespace, "signals");
  const log = createLog("test", "silent");
  const found: LiveSignal[] = [];
  for await (const { message } of readEach({ kafka, groupPrefix: `${namespace}.matrix`, topic, log })) {
    await codec.loadSchemas([message.value], { topic });
    const read = readMessage(codec, "signals", message.value);
    if (!read.ok) throw new Error(JSON.stringify(read));
    found.push(liveSignalOf(read.event));
  }
  return found;
}

function liveSignalOf({
  subscriptionId,
  signal,
  subjectId,
  timestamp,
  expiredBy,
  cause,
  state,
}: SignalRaised): LiveSignal {
  const { datasource_id: dataSourceId, trigger_track_id: trigger, last_seen: lastSeen } = JSON.parse(state);
  const trackId = signal.startsWith("zone_") ? trigger : subjectId;
  const common = { subscriptionId, signal, timestamp, expiredBy, cause };
  return { ...common, dataSourceId, trackId, lastSeen: Date.parse(lastSeen ?? "") };
}

/** Rejects with the first difference. */
export async function compareMatrix(deps: MatrixDeps): Promise<MatrixCell[]> {
  const stretch = stretchOf(deps.signals.filter(({ timestamp }) => timestamp >= deps.since));
  const cells: MatrixCell[] = [];
  for (const [way, { body, isAsked }] of Object.entries(waysOf(deps.signals, stretch))) {
    for (const [kind, live] of deps.live) {
      const told = toldOf(kind, live, deps.signals).filter(({ signal }) => isAsked(signal));
      const id = `${deps.name}-${cells.length}`;
      await compareSession({ ...deps, id, kind, asked: body, expected: told.map((each) => each.body) });
      cells.push({ way, kind, sessions: 1, signals: told.length });
    }
    await expectRefusal(deps.ask, { ...body, processing_mode: "batch", signal_type: "zone_state" });
    cells.push({ way, kind: "zone_state, batch (refused)", sessions: 0, signals: 0 });
  }
  return cells;
}

interface Way {
  readonly body: object;
  readonly isAsked: (signal: LiveSignal) => boolean;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** A span of each partition; `to` is exclusive. */
  readonly offsets: readonly { readonly partition: number; readonly from: number; readonly to: number }[];
}

/** The middle third of the time, and of the offsets of each partition. */
function stretchOf(signals: readonly LiveSignal[]): Stretch {
  const [from, to] = middleOf(signals.map(({ timestamp }) => timestamp));
  const byPartition = Map.groupBy(signals, ({ cause }) => cause.partition);
  const offsets = [...byPartition].map(([partition, own]) => {
    const [first, last] = middleOf(own.map(({ cause }) => cause.offset));
    return { partition, from: first, to: last };
  });
  return { from, to, offsets };
}

function middleOf(values: readonly number[]): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  const third = (most - least) / 3;
  return [Math.floor(least + third), Math.floor(least + 2 * third)];
}

function waysOf(signals: readonly LiveSignal[], { from, to, offsets }: Stretch): Readonly<Record<string, Way>> {
  const ends = endsOf(signals);
  const isWithin = (at: number) => from <= at && at < to;
  const trackIds = tracksWithin(signals, isWithin).slice(0, MOST_TRACKS);
  const asked = new Set(trackIds);
  const dataSourceIds = [...new Set(signals.map((each) => each.dataSourceId))];
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    tracks: { body: { track_ids: trackIds }, isAsked: (signal) => asked.has(signal.trackId) },
    range: {
      body: { range: { data_source_ids: dataSourceIds, from: iso(from), to: iso(to) } },
      isAsked: (signal) => isWithin(seenBefore(signal, ends)),
    },
    offsets: {
      body: { offsets },
      isAsked: ({ cause }) =>
        offsets.some(
          (each) => each.partition === cause.partition && each.from <= cause.offset && cause.offset < each.to,
        ),
    },
  };
}

/** The ends that come later than the last detection: the time of that detection by the message and the track. */
function endsOf(signals: readonly LiveSignal[]): ReadonlyMap<string, number> {
  const ended = signals.filter(({ expiredBy }) => expiredBy === "end_time" || expiredBy === "wall_clock");
  return new Map(ended.map((signal) => [endKeyOf(signal), signal.lastSeen]));
}

const endKeyOf = ({ cause, dataSourceId, trackId }: LiveSignal): string =>
  `${cause.partition} ${cause.offset} ${dataSourceId} ${trackId}`;

/** The event time that decides whether a signal is in a range. */
function seenBefore(signal: LiveSignal, ends: ReadonlyMap<string, number>): number {
  if (signal.signal === "track_expired") return signal.lastSeen;
  const lastSeen = ends.get(endKeyOf(signal));
  return lastSeen !== undefined && signal.timestamp > lastSeen ? lastSeen : signal.timestamp;
}

/** The tracks with all their signals in the time. */
function tracksWithin(signals: readonly LiveSignal[], isWithin: (at: number) => boolean): string[] {
  const own = signals.filter(({ subscriptionId }) => subscriptionId === "tracks");
  const byTrack = Map.groupBy(own, ({ trackId }) => trackId);
  const isInside = (signal: LiveSignal) => signal.signal === "track_expired" || isWithin(signal.timestamp);
  return [...byTrack].filter(([, each]) => each.every(isInside)).map(([id]) => id);
}

/** The signals and bodies of a data source are in the same order. */
function toldOf(kind: MatrixKind, live: readonly Reported[], signals: readonly LiveSignal[]): Told[] {
  const own = signals.filter(({ subscriptionId }) => subscriptionId === matrixIds[kind]);
  if (own.length !== live.length) throw new Error(`${kind}: ${live.length} bodies of ${own.length} signals`);
  const bodies = Map.groupBy(live, ({ dataSourceId }) => dataSourceId);
  return [...Map.groupBy(own, ({ dataSourceId }) => dataSourceId)].flatMap(([source, ofSource]) => {
    const sorted = ofSource.toSorted((a, b) => a.cause.offset - b.cause.offset || a.cause.index - b.cause.index);
    return sorted.map((signal, i) => ({ signal, body: (bodies.get(source) ?? [])[i] ?? missing(kind) }));
  });
}

function missing(kind: string): never {
  throw new Error(`${kind}: a body is missing`);
}

interface Session extends MatrixDeps {
  readonly id: string;
  readonly kind: MatrixKind;
  readonly asked: object;
  readonly expected: readonly Reported[];
}

async function compareSession({ ask, id, kind, asked, expected, workflow }: Session): Promise<void> {
  const tally = await startTally();
  const path = `/api/replay/${id}`;
  const { mode, ...members } = matrixKinds[kind];
  const body = { ...asked, ...members, ...workflow, mode: "auto", speed: "max", processing_mode: mode };
  try {
    const begun = await ask("POST", path, { ...body, webhook_url: tally.url });
    if (begun.status !== 201) throw new Error(`${begun.status} ${JSON.stringify(begun.body)}`);
    const session = await until(async () => {
      const found = (await ask("GET", path)).body;
      return found.state === "running" ? undefined : found;
    }, PATIENTLY);
    const { state, reason, log, errors } = session;
    if (state !== "finished" || log !== "topic" || errors !== 0) {
      throw new Error(`${id}, ${kind}: ${JSON.stringify({ state, reason, log, errors })}`);
    }
    const difference = differenceOf(tally.reported, expected);
    if (difference !== undefined) throw new Error(`${JSON.stringify(asked)}, ${kind}: ${difference}`);
  } finally {
    await ask("DELETE", path);
    await tally.close();
  }
}

/** The order counts within each data source: partitions are read side by side. */
function differenceOf(found: readonly Reported[], expected: readonly Reported[]): string | undefined {
  if (found.length !== expected.length) return `${found.length} for ${expected.length} signals`;
  const bySource = Map.groupBy(found, ({ dataSourceId }) => dataSourceId);
  for (const [source, own] of Map.groupBy(expected, ({ dataSourceId }) => dataSourceId)) {
    const others = bySource.get(source) ?? [];
    const at = own.findIndex((each, i) => each.digest !== others[i]?.digest);
    if (at >= 0) return `${source}: at ${at} ${JSON.stringify([others[at], own[at]])}`;
  }
  return undefined;
}

async function expectRefusal(ask: Ask, body: object): Promise<void> {
  const refused = await ask("POST", "/api/replay/refused", { ...body, mode: "auto", webhook_url: "http://127.0.0.1/" });
  if (refused.status !== 400) throw new Error(`answered ${refused.status} ${JSON.stringify(refused.body)}`);
}
