// The one loop: take what the reader has, fold it, give out what follows, write live state, remember the position.
// While one round is on its way to Kafka and Redis the next is folded; rounds finish in order.
import type { KafkaMessage } from "kafkajs";
import {
  apply,
  dueExpiries,
  everything,
  type LiveSettings,
  type Outputs,
  type PartitionState,
  takeTouched,
} from "../../projections/live/partition.ts";
import type { Codec } from "../../schemas/codec.ts";
import { readCameraLog } from "../../schemas/read-camera-log.ts";
import { messageOf } from "../common/errors.ts";
import { type GroupReader, type Taken, valuesOf } from "../common/kafka/group-reader.ts";
import type { LogPosition, OutMessage, Publisher } from "../common/kafka/publisher.ts";
import { ForeignPosition } from "../common/kafka/start-offset.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import type { LiveStore, Save } from "./live-store.ts";
import type { createOutputs, Written } from "./outputs.ts";
import type { TakenOver } from "./take-over.ts";

export interface StateMachineDeps {
  readonly reader: GroupReader;
  readonly publisher: Publisher;
  readonly store: LiveStore;
  readonly codec: Codec;
  readonly outputs: ReturnType<typeof createOutputs>;
  readonly log: Log;
  readonly settings: LiveSettings;
  readonly maxFutureMs: number;
  readonly now: () => number;
  readonly takeOver: (partitions: readonly number[]) => Promise<TakenOver[]>;
}

interface Owned {
  readonly owner: string;
  readonly partition: number;
  readonly state: PartitionState;
  readonly written: Written;
  readonly tail: number;
  next: number;
  /** Position that Redis is known to hold once the rounds before are finished. */
  stored: number | undefined;
  intersectionsEnd: number;
  /** Redis must be given everything, not what was touched. */
  rewrite: boolean;
  expiryCheckedAt: number;
  savedAt: number;
  abandoned: boolean;
}

interface Round {
  readonly owned: Owned;
  readonly messages: readonly OutMessage[];
  readonly save: Omit<Save, "owner" | "expected" | "intersections">;
}

const IDLE_MS = 200;
const EXPIRY_CHECK_MS = 200;
/** Also without news, so that a flushed Redis is noticed and written again. */
const SAVE_AT_LEAST_EVERY_MS = 2_000;
const COMMIT_EVERY_MS = 2_000;

export function createStateMachine(deps: StateMachineDeps): Part {
  const { reader, publisher, store, codec, outputs, log, settings } = deps;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let owned = new Map<number, Owned>();
  let finishing: Promise<void> = Promise.resolve();
  const stopping = Promise.withResolvers<void>();
  let running = true;
  const isFinal = (error: unknown) => error instanceof ForeignPosition;
  const patience: Patience = { log, isOver: () => !running, over: stopping.promise, isFinal };
  let loop: Promise<void> | undefined;
  let committedAt = 0;
  let startAnew = false;

  async function work(): Promise<void> {
    while (running) {
      const { assigned, batches } = await reader.next(IDLE_MS);
      if (assigned !== undefined) await takeOverAll(assigned.map(({ partition }) => partition));
      // Not while others may be at work on them: then an assignment follows, or the group hears from us again.
      else if (startAnew && [...owned.values()].every(isStillOurs)) await takeOverAll([...owned.keys()]);
      if (assigned !== undefined || startAnew) continue;
      await codec.learn(valuesOf(batches));
      const rounds = foldAll(batches);
      if (rounds.length === 0) continue;
      await finishing;
      finishing = finish(rounds);
    }
    await finishing;
    await letGo();
  }

  async function takeOverAll(partitions: readonly number[]): Promise<void> {
    await letGo();
    startAnew = false;
    if (partitions.length === 0) return;
    const taken = await patiently("take over", () => deps.takeOver(partitions), patience);
    const topic = outputs.topics.cameraLog;
    const starts = taken.map(({ partition, begin }) => ({ topic, partition, offset: begin }));
    const begun = await patiently("begin", () => reader.begin(starts), patience);
    for (const [i, { partition, begin, rebuilding, ...known }] of taken.entries()) {
      const fresh = {
        next: begun[i] ?? begin,
        rewrite: rebuilding,
        expiryCheckedAt: 0,
        savedAt: 0,
        abandoned: false,
      };
      owned.set(partition, { partition, ...known, ...fresh });
    }
    log.info({ partitions }, "partitions taken over");
  }

  /** Nothing is written for these partitions after this, and whoever takes them over need not wait. */
  async function letGo(): Promise<void> {
    for (const mine of owned.values()) mine.abandoned = true;
    await finishing;
    const before = [...owned.values()];
    owned = new Map();
    try {
      await Promise.all(before.map(({ partition, owner }) => store.release(partition, owner)));
    } catch (error) {
      log.debug({ err: messageOf(error) }, "release failed, the next owner waits a little");
    }
  }

  function foldAll(batches: readonly Taken[]): Round[] {
    const batchOf = new Map(batches.map((batch) => [batch.partition, batch]));
    const rounds: Round[] = [];
    for (const partition of owned.values()) {
      const round = partition.abandoned ? undefined : foldPartition(partition, batchOf.get(partition.partition));
      if (round !== undefined) rounds.push(round);
    }
    return rounds;
  }

  function foldPartition(mine: Owned, batch: Taken | undefined): Round | undefined {
    const nowMs = deps.now();
    const out: Outputs = { intersections: [], zoneVersions: [], late: 0, duplicates: 0 };
    for (const message of batch?.messages ?? []) foldMessage(mine, message, out);
    mine.next = batch?.next ?? mine.next;
    if (out.late > 0 || out.duplicates > 0) {
      log.debug({ partition: mine.partition, late: out.late, duplicates: out.duplicates }, "detections without effect");
    }
    const ended = expire(mine, nowMs);
    const idle = batch === undefined && ended.length === 0 && !mine.rewrite;
    if (idle && nowMs - mine.savedAt < SAVE_AT_LEAST_EVERY_MS) return undefined;
    mine.savedAt = nowMs;
    const replace = mine.rewrite;
    mine.rewrite = false;
    const changed = takeTouched(mine.state);
    return {
      owned: mine,
      messages: [
        ...outputs.toMessages(mine.partition, out, mine.written, nowMs),
        ...outputs.endMessages(mine.partition, ended, nowMs),
      ],
      save: {
        partition: mine.partition,
        next: mine.next,
        touched: replace ? everything(mine.state) : changed,
        replace,
      },
    };
  }

  function foldMessage(mine: Owned, message: KafkaMessage, out: Outputs): void {
    const offset = Number(message.offset);
    const recordedAt = Number(message.timestamp);
    const read = readCameraLog(codec, message.value, recordedAt, deps.maxFutureMs);
    if (read.ok) {
      apply(mine.state, { offset, recordedAt, message: read.message }, settings, out);
    } else {
      log.debug({ partition: mine.partition, offset, reason: read.reason }, "message skipped");
    }
  }

  function expire(mine: Owned, nowMs: number) {
    // Up to the tail found at takeover the log may already hold the ends that an earlier owner wrote.
    if (mine.next < mine.tail || nowMs - mine.expiryCheckedAt < EXPIRY_CHECK_MS) return [];
    mine.expiryCheckedAt = nowMs;
    return dueExpiries(mine.state, { wallNowMs: nowMs, caughtUp: true, readUpTo: mine.next }, settings);
  }

  /** Outputs first, then live state with the position: a crash in between repeats outputs, which carry their cause. */
  async function finish(rounds: readonly Round[]): Promise<void> {
    const positions = await publish(rounds);
    if (positions === undefined) return;
    for (const round of rounds) advance(round.owned, positions);
    await patiently("save", () => Promise.all(rounds.map(save)), patience);
    await commitHint();
  }

  /** After a failure only the topics know what was written, so it is not repeated: all partitions are taken over anew. */
  async function publish(rounds: readonly Round[]): Promise<readonly LogPosition[] | undefined> {
    const valid = rounds.filter(({ owned: mine }) => !mine.abandoned);
    if (valid.length === 0) return undefined;
    try {
      const areOurs = () => valid.every(({ owned: mine }) => isStillOurs(mine));
      return await publisher.publish(
        valid.flatMap(({ messages }) => messages),
        areOurs,
      );
    } catch (error) {
      log.warn({ err: messageOf(error) }, "outputs not written, taking over anew");
      for (const { owned: mine } of rounds) mine.abandoned = true;
      startAnew = true;
      return undefined;
    }
  }

  const isStillOurs = ({ partition }: Owned) => reader.owns({ topic: outputs.topics.cameraLog, partition });

  function advance(mine: Owned, positions: readonly LogPosition[]): void {
    for (const { topic, partition, offset } of positions) {
      if (topic === outputs.topics.intersections && partition === mine.partition) mine.intersectionsEnd = offset + 1;
    }
  }

  async function save({ owned: mine, save: request }: Round): Promise<void> {
    if (mine.abandoned || (mine.stored !== undefined && mine.stored > request.next)) return;
    const { owner, stored: expected, intersectionsEnd: intersections } = mine;
    const result = await store.save({ ...request, owner, expected, intersections });
    if (result === "saved") {
      mine.stored = request.next;
    } else if (result === "lost") {
      log.warn({ partition: mine.partition }, "redis lost live state, writing it again");
      mine.rewrite = true;
    } else if (result === "overtaken") {
      log.warn({ partition: mine.partition }, "another owner is further on");
      mine.abandoned = true;
      startAnew = true;
    }
  }

  async function commitHint(): Promise<void> {
    if (deps.now() - committedAt < COMMIT_EVERY_MS) return;
    committedAt = deps.now();
    const topic = outputs.topics.cameraLog;
    await reader.commit([...owned.values()].map(({ partition, next }) => ({ topic, partition, next })));
  }

  return {
    name: "state-machine",
    failed: failed.promise,
    async start() {
      await reader.start();
      loop = work().catch((error) => failed.reject(error));
    },
    async stop() {
      running = false;
      stopping.resolve();
      // While the last round is written nobody else may begin, so the group is left after it.
      await loop;
      await reader.stop();
    },
  };
}
