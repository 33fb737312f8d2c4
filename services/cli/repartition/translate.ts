// Makes the copies of a message. Values, keys, headers and times stay as they are, except for positions: an event that
// names a position of another message names that message's copy afterwards.
import type { IHeaders, KafkaMessage } from "kafkajs";
import type { Codec } from "../../../schemas/codec.ts";
import type { Cause, Events, EventType, Typed } from "../../../schemas/events.ts";
import { COPIED_FROM, LOG_ID } from "../../../schemas/headers.ts";
import { derivedId } from "../../../schemas/identity.ts";
import { type OutputTopic, outputRow } from "../../../schemas/outputs.ts";
import { type RecordOf, type Topic, topicName, topics } from "../../../schemas/topics.ts";
import { keyOfMessage, type PartitionCounts, targetOf, targetsOf } from "./places.ts";

/** A message for a partition of the new topic. */
export interface Copy {
  readonly partition: number;
  readonly key: Buffer | string | null;
  readonly value: Buffer | null;
  readonly headers: IHeaders;
  /** The broker's time of the original, ms. */
  readonly timestamp: string;
}

export interface PlaceInLog {
  readonly partition: number;
  readonly offset: number;
}

/** The copies made so far, of all topics. */
export interface Copied {
  /**
   * Resolves with the place of a message's copy: undefined when the message is not in the log any more, or never was;
   * "later" when its copy is still to be made. `key` is the one that decides its partition, if it is known.
   */
  find(topic: Topic, original: PlaceInLog, key: string | undefined): Promise<PlaceInLog | undefined | "later">;
  /** Resolves with the offset behind all copies, in a partition, of messages before an original offset. */
  behind(topic: Topic, partition: number, original: number): Promise<number>;
}

export interface TranslateDeps {
  readonly codec: Codec;
  readonly copied: Copied;
  /** Partitions of the topics with a key. */
  readonly counts: PartitionCounts;
  /** The two namespaces. */
  readonly from: string;
  readonly to: string;
  /** Kafka's ids of the two camera-logs. */
  readonly logIds: { readonly from: string; readonly to: string };
}

/** One original, with the topic and the partition that it is in. */
export interface Original {
  readonly topic: Topic;
  readonly partition: number;
  readonly message: KafkaMessage;
}

type Record = { readonly ok: true } & Typed;

/** Resolves with "later" when a message that this one refers to must be copied first. */
export async function translate(original: Original, deps: TranslateDeps): Promise<readonly Copy[] | "later"> {
  const { topic, partition, message } = original;
  const read = deps.codec.decode(message.value);
  const copy = copyOf(original);
  const to = { ...copy, partition: targetOfMessage(original, read, deps.counts) };
  if (!read.ok || !belongs(topic, read.type)) return [to];
  switch (read.type) {
    case "GeofencesAdvanced":
      return translateAdvance(read.event, partition, copy, deps);
    case "TrackExpired":
      return [await translateExpiry(read.event, to, deps)];
    case "ZoneVersion":
    case "ZoneIntersectionChanged":
    case "GeofenceIntersectionChanged":
      return translateOutput(read, original, to, deps);
    case "SignalRaised":
      return translateSignal(read.event, to, deps);
    case "DeadLetter":
    case "DeadLetterRedriven":
      return translateLetter(read, to, deps);
    default:
      return [to];
  }
}

const belongs = (topic: Topic, type: EventType): boolean =>
  (topics[topic].records as readonly EventType[]).includes(type);

function copyOf({ partition, message }: Original): Omit<Copy, "partition"> {
  const { key, value, timestamp, offset } = message;
  const headers = { ...message.headers, [COPIED_FROM]: `${partition}/${offset}` };
  return { key, value, timestamp, headers };
}

function targetOfMessage(
  { topic, partition, message }: Original,
  read: { readonly ok: boolean },
  counts: PartitionCounts,
) {
  return topics[topic].partitions === 1 ? 0 : targetOf(keyOfMessage(read, message.key), partition, counts);
}

/** Every new partition gets the event, because it is about the whole partition. */
async function translateAdvance(
  { upTo }: Events["GeofencesAdvanced"],
  partition: number,
  copy: Omit<Copy, "partition">,
  { codec, copied, counts }: TranslateDeps,
): Promise<readonly Copy[] | "later"> {
  const found = await copied.find("catalog", { partition: 0, offset: upTo }, undefined);
  if (found === "later") return found;
  // The catalog never had the change, and readers skip the event.
  const value = codec.encode("GeofencesAdvanced", { upTo: found?.offset ?? Number.MAX_SAFE_INTEGER });
  const id = String(copy.headers["ce_id"] ?? "");
  return targetsOf(partition, counts).map((target) => {
    const headers = { ...copy.headers, ce_id: derivedId("geofences-advanced", id, `${target}`) };
    return { ...copy, value, headers, partition: target };
  });
}

async function translateExpiry(
  event: Events["TrackExpired"],
  to: Copy,
  { codec, copied }: TranslateDeps,
): Promise<Copy> {
  if (event.readUpTo === null) return to;
  const readUpTo = await copied.behind("camera-log", to.partition, event.readUpTo);
  return { ...to, value: codec.encode("TrackExpired", { ...event, readUpTo }) };
}

type Output = Record & { readonly type: RecordOf<"zones" | "zone-intersections" | "geofence-intersections"> };

/**
 * The output of a message that the log has dropped stays behind: its offset would rank among those of the new log. The
 * history has it already. A version of a zone is kept, as one of another log, because zones live longer than the log.
 */
async function translateOutput(
  read: Output,
  { topic }: Original,
  to: Copy,
  deps: TranslateDeps,
): Promise<readonly Copy[] | "later"> {
  const { codec, copied, logIds } = deps;
  const logId = String(to.headers[LOG_ID] ?? logIds.from);
  const cause: PlaceInLog = read.type === "ZoneVersion" ? read.event : read.event.cause;
  const found = logId === logIds.from ? await copied.find("camera-log", cause, read.event.dataSourceId) : undefined;
  if (found === "later") return found;
  if (found === undefined) return topic === "zones" ? [{ ...to, headers: { ...to.headers, [LOG_ID]: logId } }] : [];
  const moved = { ...read, event: movedTo(read, found) } as Output;
  const id = outputRow(topic as OutputTopic).id(moved.event as never);
  return [
    {
      ...to,
      partition: topic === "zones" ? 0 : found.partition,
      value: codec.encode(moved.type, moved.event as never),
      headers: { ...to.headers, [LOG_ID]: logIds.to, ce_id: id },
    },
  ];
}

function movedTo(read: Output, found: PlaceInLog): Output["event"] {
  if (read.type === "ZoneVersion") return { ...read.event, ...found };
  const cause: Cause = { ...read.event.cause, ...found };
  return { ...read.event, cause } as Output["event"];
}

/** The id stays: receivers recognise a repetition by it. */
async function translateSignal(
  event: Events["SignalRaised"],
  to: Copy,
  { codec, copied }: TranslateDeps,
): Promise<readonly Copy[] | "later"> {
  const { cause } = event;
  const key = cause.topic === "chronicles" ? event.subjectId : (event.dataSourceId ?? undefined);
  const found = await copied.find(cause.topic, cause, key);
  if (found === "later") return found;
  if (found === undefined) return [to];
  return [{ ...to, value: codec.encode("SignalRaised", { ...event, cause: { ...cause, ...found } }) }];
}

/** The letter gets the id that a letter of the copy would have. */
async function translateLetter(
  read: Record & { readonly type: RecordOf<"dead-letters"> },
  to: Copy,
  deps: TranslateDeps,
): Promise<readonly Copy[] | "later"> {
  const place = await letterPlace(read.event, deps);
  if (place === "later") return place;
  if (read.type === "DeadLetter") {
    if (place === undefined) return [to];
    const id = idOfLetter(place);
    const value = deps.codec.encode("DeadLetter", { ...read.event, ...place, id });
    return [{ ...to, key: place.topic, value, headers: { ...to.headers, ce_id: id } }];
  }
  const [topic = "", partition, offset] = read.event.id.split("/");
  const letter = await letterPlace({ topic, partition: Number(partition), offset: Number(offset) }, deps);
  if (letter === "later") return letter;
  const id = letter === undefined ? read.event.id : idOfLetter(letter);
  return [{ ...to, value: deps.codec.encode("DeadLetterRedriven", { ...read.event, ...place, id }) }];
}

interface LetterPlace extends PlaceInLog {
  /** Name on the broker. */
  readonly topic: string;
}

const idOfLetter = ({ topic, partition, offset }: LetterPlace): string => `${topic}/${partition}/${offset}`;

async function letterPlace(at: LetterPlace, { copied, from, to }: TranslateDeps) {
  const topic = (Object.keys(topics) as Topic[]).find((each) => topicName(from, each) === at.topic);
  if (topic === undefined) return undefined;
  const found = await copied.find(topic, at, undefined);
  if (found === undefined || found === "later") return found;
  return { topic: topicName(to, topic), partition: found.partition, offset: found.offset };
}
