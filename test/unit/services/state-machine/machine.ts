// A state machine over partitions that each hold a zone's creation, with in-memory fillings of its interfaces.
import { createPartition, type Geofences, type LiveSettings } from "../../../../projections/live/partition.ts";
import { eventBoundsEnv, eventBoundsOf } from "../../../../schemas/bounds.ts";
import type { Codec } from "../../../../schemas/codec.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import { perAligned } from "../../../../schemas/outputs.ts";
import type { GroupReader, ReaderStep, TakenBatch } from "../../../../services/common/kafka/read/group-reader.ts";
import type { EndOffsets } from "../../../../services/common/kafka/read/partition-ends.ts";
import type { OutMessage, Publisher } from "../../../../services/common/kafka/write/publisher.ts";
import { createLog } from "../../../../services/common/log.ts";
import { lendingPlain } from "../../../../services/common/registry/read-in-place.ts";
import type { HasRead } from "../../../../services/state-machine/follow/follow-geofences.ts";
import { createOutputs } from "../../../../services/state-machine/rounds/outputs.ts";
import { createStateMachine } from "../../../../services/state-machine/state-machine.ts";
import type { LiveStore, Save, SaveResult } from "../../../../services/state-machine/store/live-store.ts";
import type { TakenOver } from "../../../../services/state-machine/take-over/taken-over.ts";
import { liveSettings } from "../../../support/running/live-settings.ts";
import { zone } from "../../../support/scenes/zone.ts";

export const ZONE: CameraLogEvent = {
  type: "ZoneCreated",
  event: { zone: zone({ dataSourceId: "ds1", name: "door" }) },
};

interface Options {
  readonly partitions?: number;
  /** The events of every partition of the log. */
  readonly events?: readonly CameraLogEvent[];
  /** Broker time of all messages, or of each by its number. */
  readonly recordedAt?: number | ((i: number) => number);
  /** The headers of a message, by its number. */
  readonly headersOf?: (i: number) => Readonly<Record<string, Buffer>>;
  /** Offsets without a message behind them, as a transaction's mark leaves one. */
  readonly withoutMessage?: number;
  /** The number of them that the reader returns at a time; left out: all. */
  readonly perStep?: number;
  /** Decides when, and whether, these outputs are written. */
  readonly publish?: (messages: readonly OutMessage[]) => Promise<void>;
  /** Called for every message that is folded. */
  readonly onFold?: () => void;
  /** Whether the group lets it write. */
  readonly owns?: () => boolean;
  readonly save?: (save: Save) => Promise<SaveResult>;
  readonly logEnds?: () => Promise<EndOffsets>;
  readonly now?: () => number;
  readonly elapsed?: () => number;
  /** Called when the progress is reported to the group. */
  readonly onCommit?: () => void;
  readonly geofences?: Geofences;
  readonly listener?: LiveSettings["listener"];
  readonly hasReadCatalog?: (offset: number) => HasRead;
  readonly isBeingFilled?: boolean;
  readonly rememberedTracks?: number;
  /** The end that the log had at the takeover. */
  readonly tail?: number;
}

const TOPIC = "test.camera-log";

/** `did` lists its actions in order, without saves of a position before the first message. */
export function createMachine(options: Options = {}) {
  const { partitions = 1, events = [ZONE], publish = async () => undefined, now = () => 2_000 } = options;
  const { isBeingFilled = false, tail = 0 } = options;
  const did: string[] = [];
  const codec = codecOf(events, options.onFold ?? (() => undefined));
  const reader = readerOf({ ...options, events, partitions }, did);
  const machine = createStateMachine({
    reader: { ...reader, ...(options.owns === undefined ? {} : { owns: options.owns }) },
    publisher: publisherOf(publish, did),
    createPublisher: () => publisherOf(publish, did),
    store: storeOf(did, options.save ?? (async () => "saved")),
    codecs: lendingPlain(codec),
    outputs: createOutputs(codec, "test"),
    log: createLog("test", "silent"),
    settings: {
      ...liveSettings,
      geofences: options.geofences ?? liveSettings.geofences,
      listener: options.listener,
      rememberedTracks: options.rememberedTracks ?? liveSettings.rememberedTracks,
    },
    bounds: eventBoundsOf(eventBoundsEnv.parse({})),
    now,
    elapsed: options.elapsed ?? (() => 2_000),
    takeOver: async (wanted) => {
      did.push(partitions === 1 ? "take over" : `take over ${wanted.join()}`);
      return wanted.map((each) => ({ ...freshPartition(each), isBeingFilled, tail }));
    },
    hasReadCatalog: options.hasReadCatalog ?? (() => "yes"),
    endsOf: async (topic) => (topic === TOPIC ? ((await options.logEnds?.()) ?? new Map()) : new Map()),
  });
  return { machine, did };
}

const freshPartition = (partition: number): TakenOver => ({
  partition,
  owner: { name: "machine", logId: "log", settings: "" },
  state: createPartition(partition),
  begin: 0,
  stored: undefined,
  rebuilding: false,
  ends: perAligned(() => 0),
  tail: 0,
  written: { logId: "log", newest: {} },
  isBeingFilled: false,
});

/** The partition whose fold returned this output. */
export const partitionOf = ({ headers }: OutMessage): number => Number(String(headers?.["ce_id"]).split("-")[0]);

/** A message's value is the number of its event; outputs are encoded as JSON. */
function codecOf(events: readonly CameraLogEvent[], onFold: () => void): Codec {
  return {
    encode: (_, event) => Buffer.from(JSON.stringify(event)),
    loadSchemas: async () => undefined,
    decode: (value) => {
      const event = events[value?.[0] ?? -1];
      onFold();
      return event === undefined ? { ok: false, reason: "no event" } : { ok: true, ...event };
    },
  };
}

/** Assigns the partitions once, and returns the messages of one whenever its reading begins. */
function readerOf(
  {
    events = [],
    partitions,
    perStep = events.length,
    recordedAt = 1_000,
    withoutMessage = 0,
    headersOf = () => ({}),
    onCommit = () => undefined,
  }: Options,
  did: string[],
): GroupReader {
  const ids = Array.from({ length: partitions ?? 1 }, (_, partition) => ({ topic: TOPIC, partition }));
  const steps: ReaderStep[] = [{ assigned: ids, batches: [] }];
  const messages = events.map((_, i) => ({
    key: null,
    value: Buffer.from([i]),
    offset: String(i),
    timestamp: String(typeof recordedAt === "number" ? recordedAt : recordedAt(i)),
    attributes: 0,
    headers: headersOf(i),
  }));
  return {
    name: "reader",
    start: async () => undefined,
    stop: async () => void did.push("leave"),
    begin: async (starts) => {
      for (let first = 0; first < messages.length; first += perStep) {
        const part = messages.slice(first, first + perStep);
        const isLast = first + perStep >= messages.length;
        const next = first + part.length + (isLast ? withoutMessage : 0);
        const highWatermark = messages.length + withoutMessage;
        const batches = starts.map((id): TakenBatch => ({ ...id, messages: part, next, highWatermark }));
        steps.push({ assigned: undefined, batches });
      }
      return starts.map(() => 0);
    },
    next: async (_, isReady = () => true) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      const [step] = steps;
      if (step === undefined || (step.assigned === undefined && !step.batches.every(isReady))) return idle;
      steps.shift();
      return step;
    },
    wake: () => undefined,
    postpone: () => undefined,
    owns: () => true,
    commit: async () => onCommit(),
  };
}

const idle: ReaderStep = { assigned: undefined, batches: [] };

function publisherOf(publish: (messages: readonly OutMessage[]) => Promise<void>, did: string[]): Publisher {
  return {
    name: "publisher",
    start: async () => undefined,
    stop: async () => undefined,
    partitionOf: () => 0,
    partitionsOf: () => 1,
    publish: async (messages: readonly OutMessage[], isValid = () => true) => {
      if (messages.length === 0) return [];
      if (!isValid()) throw new Error("no longer valid");
      did.push("publish");
      await publish(messages);
      did.push("written");
      return messages.map(({ topic }, offset) => ({ topic, partition: 0, offset }));
    },
  };
}

function storeOf(did: string[], save: (save: Save) => Promise<SaveResult>): LiveStore {
  return {
    isFree: async () => true,
    claim: async () => undefined,
    renewClaim: async (partition) => void did.push(`claim renewed in ${partition}`),
    release: async () => void did.push("release"),
    load: async () => undefined,
    position: async () => ({ next: undefined, logId: undefined, settings: undefined, lostEnd: undefined }),
    recordMissed: async () => undefined,
    recordLostEnd: async () => undefined,
    save: async (request) => {
      const { partition, next } = request;
      const result = await save(request);
      // A save before the first message only names the owner.
      if (next > 0) did.push(partition === 0 ? `save ${next}` : `save ${next} of ${partition}`);
      return result;
    },
  };
}
