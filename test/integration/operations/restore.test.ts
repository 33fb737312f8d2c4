// A backup and its restore, message by message, and what a restore refuses.
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordMessage } from "../../../schemas/record-message.ts";
import { topicsOf } from "../../../schemas/topics.ts";
import { DAY_MS } from "../../../schemas/units.ts";
import { readManifest, readSavedMessages, savedTopics } from "../../../services/cli/backup/format.ts";
import { restoreBackup } from "../../../services/cli/backup/restore.ts";
import { saveBackup } from "../../../services/cli/backup/save.ts";
import { registryEnv } from "../../../services/common/config.ts";
import { topicsCheck } from "../../../services/common/kafka/write/provision.ts";
import type { OutMessage } from "../../../services/common/kafka/write/publisher.ts";
import { createLog } from "../../../services/common/log.ts";
import { createFetchSchema } from "../../../services/common/registry/fetch-schema.ts";
import { createRegisterAgain } from "../../../services/common/registry/register-again.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { dataSourceCreated, dataSourceUpdated, tokenCreated } from "../../support/scenes/catalog.ts";

const PARTITIONS = 2;
const RETENTION_MS = 7 * DAY_MS;
type Installation = Awaited<ReturnType<typeof provideInstallation>>;

const folder = await mkdtemp(join(tmpdir(), "tracklog-restore-"));
atTheEnd(() => rm(folder, { recursive: true, force: true }));

async function install(): Promise<Installation> {
  const installation = await provideInstallation("restore", { CAMERA_PARTITIONS: String(PARTITIONS) });
  atTheEnd(installation.remove);
  return installation;
}

const saveOf = ({ kafka, config, namespace }: Installation, name: string) =>
  saveBackup(join(folder, name), {
    kafka,
    fetchSchema: createFetchSchema(config(registryEnv)),
    namespace,
    now: Date.now,
  });

function restoreInto(installation: Installation, name: string, print: (line: string) => void = () => undefined) {
  const { kafka, admin, namespace, config, log } = installation;
  const topics = topicsOf(namespace, PARTITIONS, RETENTION_MS);
  const register = createRegisterAgain(config(registryEnv));
  return restoreBackup(join(folder, name), {
    kafka,
    admin,
    register,
    namespace,
    topics,
    replicationFactor: 1,
    log,
    print,
  });
}

async function contentOf({ read }: Installation) {
  const topics = await Promise.all(savedTopics.map(async (topic) => ({ topic, messages: await read(topic) })));
  return topics.map(({ topic, messages }) => ({
    topic,
    messages: messages
      .map(({ partition, message: { offset, timestamp, key, value, headers } }) => {
        return { partition, offset, timestamp, key, value, headers };
      })
      .toSorted((a, b) => a.partition - b.partition || Number(a.offset) - Number(b.offset)),
  }));
}

const source = await install();
const publisher = await source.openPublisher();
const events = [
  dataSourceCreated("a"),
  dataSourceUpdated("a", { name: "A" }),
  tokenCreated("t"),
  ...Array.from({ length: 30 }, (_, i) => dataSourceCreated(`more-${i}`)),
];
for (const event of events) {
  const written = { source: "test", timeMs: 1_000 };
  await publisher.publish([recordMessage(source.codec, source.namespace, event, written)]);
}
const foreignHeaders = {
  ce_id: "two\u2028lines\u2029in one\n",
  "x-bytes": Buffer.from([0xff, 0, 0x80]),
  "x-twice": [Buffer.from("a"), Buffer.from([0xfe])],
  constructor: "c",
  ["__proto__"]: "p",
};
await publisher.publish([
  { topic: source.topic("chronicles"), partition: 1, key: "c", value: Buffer.from("no Avro"), headers: foreignHeaders },
  { topic: source.topic("subscriptions"), key: "deleted", value: null },
]);
await saveOf(source, "whole");
const other = await install();
await (await other.openPublisher()).publish([
  { topic: other.topic("chronicles"), partition: 1, key: "d", value: null },
]);
await saveOf(other, "other");

test("every message comes back at its place, with its time, key, bytes and headers", async () => {
  const target = await install();

  await restoreInto(target, "whole");

  const content = await contentOf(target);
  expect(content).toEqual(await contentOf(source));
  const foreign = content.flatMap(({ messages }) => messages).find(({ key }) => key?.toString() === "c");
  const written = Object.entries(foreignHeaders).map(([name, of]) => [
    name,
    [of].flat().map((each) => Buffer.from(each)),
  ]);
  const read = Object.entries(foreign?.headers ?? {}).map(([name, of]) => [name, [of].flat()]);
  expect(new Map(read as [])).toEqual(new Map(written as []));
});

test("an interrupted restore keeps services from starting, and is continued without a repetition", async () => {
  const target = await install();
  const check = topicsCheck(target.kafka, {
    wanted: topicsOf(target.namespace, PARTITIONS, RETENTION_MS),
    replicationFactor: 1,
    waitsFor: new Set(),
    log: createLog("test", "silent"),
  });
  await check.start();
  const interrupt = (line: string) => {
    if (line.includes("chronicles")) throw new Error("interrupted");
  };

  await expect(restoreInto(target, "whole", interrupt)).rejects.toThrow("interrupted");
  await expect(check.start()).rejects.toThrow("message.timestamp.type is CreateTime");
  await expect(restoreInto(target, "other")).rejects.toThrow("was begun with another backup");
  // The process might have died within the catalog.
  await writeFirst(target, "whole", 5);
  await restoreInto(target, "whole");

  await check.start();
  expect(await contentOf(target)).toEqual(await contentOf(source));
});

async function writeFirst(target: Installation, name: string, count: number): Promise<void> {
  const { partitions } = await readManifest(join(folder, name));
  const saved = partitions.find(({ topic }) => topic === "catalog");
  if (saved === undefined) throw new Error("the backup has no catalog");
  const first: OutMessage[] = [];
  for await (const { at, ...message } of readSavedMessages(join(folder, name), saved)) {
    if (first.length === count) break;
    first.push({ ...message, topic: target.topic("catalog"), partition: 0, timestamp: at });
  }
  await (await target.openPublisher()).publish(first);
}

test("a restore refuses topics with messages, another backup than it began with, and a damaged file", async () => {
  await expect(restoreInto(source, "whole")).rejects.toThrow(/^Nothing was changed: .* has messages/);
  const target = await install();
  await restoreInto(target, "whole");
  await expect(restoreInto(target, "whole")).rejects.toThrow(/^Nothing was changed: .* has messages/);

  await saveOf(target, "damaged");
  await appendFile(join(folder, "damaged/catalog-0.jsonl.gz"), "x");
  await expect(restoreInto(await install(), "damaged")).rejects.toThrow("is damaged: its checksum differs");
  await expect(restoreInto(await install(), "nothing")).rejects.toThrow("is no backup");
});
