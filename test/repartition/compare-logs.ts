// Compares a topic with its copy: of each key the same values, headers and times in the same order, each once.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Topic } from "../../schemas/topics.ts";
import { keepAllHeaders } from "../../services/common/kafka/internals/decode-record.ts";
import type { Inspector } from "../support/clients/final-state-inspector.ts";

keepAllHeaders();

/** These have no positions of other messages in them. */
const VERBATIM: readonly Topic[] = [
  "catalog",
  "chronicles",
  "measurements",
  "videos",
  "images",
  "device-heartbeats",
  "subscriptions",
  "event-states",
];

/** Resolves with the number of messages of the old camera-log. Rejects with the first difference. */
export async function compareLogs(from: Inspector, to: Inspector): Promise<number> {
  for (const topic of VERBATIM) await compareTopic(topic, from, to);
  for (const topic of ["zone-intersections", "geofence-intersections", "signals"] as const)
    await compareTopic(topic, from, to);
  return await compareTopic("camera-log", from, to);
}

interface Kept {
  readonly from: string;
  readonly value: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timestamp: string;
}

async function compareTopic(topic: Topic, from: Inspector, to: Inspector): Promise<number> {
  const [originals, copies] = await Promise.all([kept(topic, from, false), kept(topic, to, true)]);
  let count = 0;
  for (const [key, expected] of originals) {
    count += expected.length;
    // The events without a key are in every partition.
    if (key === "" && topic === "camera-log") continue;
    const found = copies.get(key) ?? [];
    assert.equal(found.length, expected.length, `${topic}: copies with the key ${key}`);
    for (const [i, original] of expected.entries()) {
      assert.ok(isDeepStrictEqual(found[i], original), `${topic}, key ${key}: ${JSON.stringify([original, found[i]])}`);
    }
  }
  return count;
}

/** The messages by key. Values that name positions, and the headers that go with them, are left out. */
async function kept(topic: Topic, { read, codec }: Inspector, areCopies: boolean): Promise<Map<string, Kept[]>> {
  const found = new Map<string, Kept[]>();
  for (const { partition, message } of await read(topic)) {
    const { ce_copiedfrom: copiedFrom, ...headers } = Object.fromEntries(
      Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    // Messages that the new namespace has got since are no copies.
    if (areCopies && copiedFrom === undefined) continue;
    const decoded = codec.decode(message.value);
    const hasPositions =
      decoded.ok &&
      ["TrackExpired", "ZoneIntersectionChanged", "GeofenceIntersectionChanged", "SignalRaised"].includes(decoded.type);
    if (hasPositions) for (const name of ["ce_id", "ce_logid"]) delete headers[name];
    const key = message.key?.toString() ?? "";
    const list = found.get(key) ?? [];
    found.set(key, list);
    list.push({
      from: areCopies ? (copiedFrom ?? "") : `${partition}/${message.offset}`,
      value: hasPositions ? undefined : message.value?.toString("base64"),
      headers,
      timestamp: message.timestamp,
    });
  }
  return found;
}
