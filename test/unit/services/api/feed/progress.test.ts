import { expect, test } from "vitest";
import type { FeedMessage } from "../../../../../projections/feed/kind.ts";
import { feedKindOf } from "../../../../../projections/feed/kinds.ts";
import { parseCursor } from "../../../../../services/api/feed/cursor.ts";
import { createSubscriberProgress, type Joining } from "../../../../../services/api/feed/progress.ts";
import type { RecentMessage } from "../../../../../services/api/feed/recent.ts";

/** A log message of the partition with so many messages for the subscribers. */
const entry = (partition: number, offset: number, count: number): RecentMessage => {
  const messages = Array.from({ length: count }, (_, index): FeedMessage => ({ kind: "detectionActivity", index }));
  return { partition, offset, bytes: 0, messages };
};

/**
 * Resolves with the messages that a client gets which comes back with this cursor: their texts and cursors. The log
 * has two partitions.
 */
async function resumed(cursor: string, entries: readonly RecentMessage[]) {
  const received: { readonly text: string; readonly cursor: string }[] = [];
  const kind = feedKindOf("detectionActivity");
  let at = "";
  const joining = {
    followed: { topic: "camera-log", next: [0, 0], recent: { first: 0 } },
    place: parseCursor(cursor, "camera-log"),
    selection: { asked: { kind, filter: null }, render: ({ index }: FeedMessage) => `${at} ${index}` },
    subscriber: {
      over: false,
      offer: ({ body, cursor: after }: { readonly body: Buffer; readonly cursor: string }) =>
        received.push({ text: String(body).split(",")[0] ?? "", cursor: after }),
      whenWritable: async () => undefined,
    },
  } as unknown as Joining;
  const progress = createSubscriberProgress(joining, { pace: () => undefined } as never);
  for (const each of entries) {
    at = `${each.partition}/${each.offset}`;
    await progress.take(each);
  }
  return received;
}

test("wherever a client comes back, in whatever order it reads the partitions, it gets everything once", async () => {
  const [a, b] = [entry(0, 0, 3), entry(1, 0, 3)];
  const start = Buffer.from(JSON.stringify(["camera-log", [0, 0]])).toString("base64url");
  const all = ["0/0 0", "0/0 1", "0/0 2", "1/0 0", "1/0 1", "1/0 2"];

  for (const first of await resumed(start, [a, b])) {
    const before = all.slice(0, all.indexOf(first.text) + 1);
    // The other partition comes first now.
    const second = await resumed(first.cursor, [b, a]);
    expect([...before, ...second.map(({ text }) => text)].sort()).toEqual(all);
    for (const [i, { cursor }] of second.entries()) {
      const third = await resumed(cursor, [a, b]);
      const received = [...before, ...second.slice(0, i + 1).map(({ text }) => text), ...third.map(({ text }) => text)];
      expect(received.sort()).toEqual(all);
    }
  }
});
