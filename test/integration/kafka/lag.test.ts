import { expect, onTestFinished, test } from "vitest";
import { createFollower } from "../../../services/common/kafka/read/follow.ts";
import { readEach } from "../../../services/common/kafka/read/read-some.ts";
import { metricsText } from "../../../services/common/metrics/define.ts";
import { until } from "../../support/running/processes.ts";
import { createTopic, log } from "./topic.ts";

const SERIES = /^tracklog_reader_lag_(\w+)\{group="([^"]*)",topic="([^"]*)".*\} (\S+)$/;

/** The lag of the topic's readers as Prometheus reads it: unit, group, value. */
async function lagOf(topic: string): Promise<string[]> {
  const lines = (await metricsText()).split("\n").map((line) => SERIES.exec(line) ?? []);
  return lines.flatMap(([, unit, group, name, value]) => (name === topic ? [`${unit} ${group} ${value}`] : []));
}

test("a follower that has handled all messages has no lag, and no process or start gives it another name", async () => {
  const { kafka, topic, write } = await createTopic(1);
  await write(0, 3);
  const handled = Promise.withResolvers<void>();
  const follower = createFollower({
    ...{ kafka, log, groupPrefix: "views", topics: [topic], from: () => "beginning" as const },
    onBatch: () => handled.promise,
  });
  await follower.start();
  onTestFinished(() => follower.stop());

  await until(async () => (await lagOf(topic)).includes("messages views 3"));
  handled.resolve();
  await follower.caughtUp;

  expect(await lagOf(topic)).toEqual(["messages views 0", "seconds views 0"]);
});

test("a follower that a client causes, and a read that ends by itself, add no series", async () => {
  const { kafka, topic, write } = await createTopic(1);
  await write(0, 3);
  const follower = createFollower({
    ...{ kafka, log, groupPrefix: "resume", topics: [topic], from: () => "beginning" as const },
    isMeasured: false,
    onBatch: () => undefined,
  });
  await follower.start();
  onTestFinished(() => follower.stop());
  await follower.caughtUp;
  expect(await lagOf(topic)).toEqual([]);

  const seen: (readonly string[])[] = [];
  for await (const _ of readEach({ kafka, log, groupPrefix: "some", topic })) seen.push(await lagOf(topic));

  expect(seen).toEqual([[], [], []]);
});
