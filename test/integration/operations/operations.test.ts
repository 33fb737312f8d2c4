// The pages of docs/operations, in the order in which an operator needs them. The tests share one installation.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import { expect, test } from "vitest";
import { historyKinds } from "../../../projections/history/kinds.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig } from "../../../services/common/config.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { createAuthority } from "../../support/running/certificates.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";
import { png } from "../../support/scenes/images.ts";
import { fromPage, notRun, runLine, startLine } from "./pages.ts";
import { createToken, derivedOf, recordOf, startAll, startRole, type Whole, writeScene, writeTrack } from "./system.ts";

const SETTINGS = { CAMERA_PARTITIONS: "2", TRACK_TTL: "3", PROJECTOR_FLUSH_MS: "20" };
const IMAGE = png();

const folder = await mkdtemp(join(tmpdir(), "tracklog-operations-"));
atTheEnd(() => rm(folder, { recursive: true, force: true }));
const first = await provideInstallation("ops", SETTINGS);
atTheEnd(first.remove);
const history = await first.openHistory();
const token = await createToken(first.variables);
const second = useStack().uniqueName("restored");

const examples = (mediaDir: string) => ({
  "/backups/2026-11-23": join(folder, "backup"),
  "/var/lib/tracklog/media": mediaDir,
  tracklog_2: `${first.namespace}_2`,
});

async function succeeded(line: string, variables = first.variables, mediaDir = first.variables.MEDIA_DIR) {
  const { code, output } = await runLine(line, variables, examples(mediaDir));
  expect([code, output]).toEqual([0, output]);
  return output;
}

/** The answers when the only intersection of a track has ended, and everything written is in the history. */
async function settled(system: Whole, position: string, tracks: number) {
  const min = { "x-min-position": position };
  const ended = async () => {
    const { edges } = (await derivedOf(system, min)).zoneIntersections;
    return edges.filter(({ node }) => node.endTime !== null).length === tracks;
  };
  await until(ended, { timeoutMs: 60_000 });
  return { record: await recordOf(system, min), derived: await derivedOf(system, min) };
}

// Outside of a test, so that it runs until the end of the file.
const whole = await startAll(first.variables, token);
let before: Awaited<ReturnType<typeof settled>>;
let position = "";

test("a backup is complete, and only its owner can read it", async () => {
  position = (await writeScene(whole, IMAGE)).position;
  before = await settled(whole, position, 1);
  expect(before.record.subscriptions).toMatchObject({ subscriptions: [{ id: "hook" }] });

  const output = await succeeded("npm run backup -- --out /backups/2026-11-23");
  await succeeded("cp -a /var/lib/tracklog/media/. /backups/2026-11-23.media");

  expect(output).toMatch(/: \d+ messages\n$/);
  expect((await stat(join(folder, "backup"))).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, "backup/catalog-0.jsonl.gz"))).mode & 0o777).toBe(0o600);
  const again = await runLine("npm run backup -- --out /backups/2026-11-23", first.variables, examples(""));
  expect(again).toEqual({ code: 1, output: expect.stringContaining("exists already") });
});

test("restored into empty stores, with a history of then, all answers are those of before", async () => {
  const mediaDir = join(folder, "media");
  const names = { TRACKLOG_NAMESPACE: second, CLICKHOUSE_DATABASE: second, MEDIA_DIR: mediaDir };
  const variables = { ...first.variables, ...names };
  atTheEnd(() => removeSecond(variables));

  expect(await succeeded("npm run restore -- --from /backups/2026-11-23", variables)).toContain(
    "All topics are restored.",
  );
  await succeeded("cp -a /backups/2026-11-23.media/. /var/lib/tracklog/media", variables, mediaDir);
  await succeeded("npm run migrate", variables);
  await copyHistory(history, first.namespace, second);
  const foreign = await runLine("npm run reconcile", variables);
  expect(foreign).toMatchObject({ code: 1, output: expect.stringContaining(`history of ${second}.camera-log/`) });
  await succeeded("npm run reconcile -- --yes", variables);

  const restored = await startAll(variables, token);
  expect(await recordOf(restored)).toEqual(before.record);
  expect(await derivedOf(restored)).toEqual(before.derived);
  const { images } = await restored.client.ask<{ images: { edges: readonly { node: { url: string } }[] } }>(
    "{ images(first: 1) { edges { node { url } } } }",
  );
  const image = await fetch(images.edges[0]?.node.url ?? "");
  expect(Buffer.from(await image.arrayBuffer())).toEqual(IMAGE);
  // The zone counts in the fold of the new log, and the new log outranks the old one in the history.
  const { record, derived } = await settled(restored, await writeTrack(restored, "later"), 2);
  expect(record).toEqual(before.record);
  expect(derived.detections.totalCount).toBe(before.derived.detections.totalCount * 2);
  await restored.stop();
});

test("readers and projectors change over to a second database, and miss nothing", async () => {
  const line = "npm run rebuild -- --database tracklog_2 --with-older --follow";
  const database = `${first.namespace}_2`;
  const rebuilt = { ...first.variables, CLICKHOUSE_DATABASE: database };
  const rebuild = startLine(line, first.variables, examples(""));
  atTheEnd(rebuild.stop);
  await until(() => rebuild.output().includes('"rows"'));

  const reader = await startAll(rebuilt, token, ["api", "state-api"]);
  expect(await settled(reader, position, 1)).toEqual(before);
  position = await writeTrack(whole, "meanwhile");
  const during = await settled(reader, position, 2);
  expect(await settled(whole, position, 2)).toEqual(during);

  await whole.stopRole("projector");
  const projector = await startRole("projector", rebuilt);
  expect(await rebuild.stop()).toBe(0);
  position = await writeTrack(whole, "afterwards");
  expect((await settled(reader, position, 3)).record).toEqual(before.record);

  const counts = [
    "SELECT count(), max(timestamp) FROM tracklog.detections_v1 FINAL WHERE recorded_at < now() - INTERVAL 1 MINUTE",
    "SELECT count(), max(timestamp) FROM tracklog_2.detections_v1 FINAL WHERE recorded_at < now() - INTERVAL 1 MINUTE",
  ].map((query) => fromPage(query, { tracklog_2: database, "tracklog.": `${first.namespace}.` }));
  for (const query of counts) await history.query({ query, format: "JSON" });
  await Promise.all([projector.stop(), reader.stop()]);
  await history.command({ query: fromPage("DROP DATABASE tracklog", { tracklog: database }) });
});

test("dead letters are listed, shown and sent again", async () => {
  const publisher = await first.openPublisher();
  const topic = first.topic("camera-log");
  const [letter] = await publisher.publish([{ topic, partition: 1, key: "gate", value: Buffer.from("no Avro") }]);
  const id = `${topic}/1/${letter?.offset}`;
  const projector = await startRole("projector", first.variables);
  const replaced = { "camera-log/1/1207": id };
  await until(async () => (await first.read("dead-letters")).length > 0);
  expect(await succeeded("npm run dead-letters -- list")).toContain(id);

  const listed = 'npm run dead-letters -- list --reason "Confluent wire format" --since 2026-11-01';
  expect(await succeeded(listed)).toContain(id);
  expect((await runLine("npm run dead-letters -- show camera-log/1/1207", first.variables, replaced)).code).toBe(0);
  const redrive = await runLine("npm run dead-letters -- redrive camera-log/1/1207", first.variables, replaced);
  const all = await runLine('npm run dead-letters -- redrive --all --reason "Confluent wire format"', first.variables);

  for (const { code, output } of [redrive, all]) {
    expect([code, output]).toEqual([1, expect.stringContaining("it would come straight back")]);
  }
  await projector.stop();
});

test("months are listed before they are dropped", async () => {
  const sentences = await Promise.all([
    succeeded("npm run retention -- --before 2026-03-01"),
    succeeded("npm run retention -- --before 2026-03-01 --yes"),
    succeeded("npm run topics"),
  ]);

  expect(sentences[0]).toContain("Nothing is older than 2026-03.");
});

test("a key is replaced in three steps, and the old one is needed until everything is sealed anew", async () => {
  const key = (await succeeded("openssl rand -base64 32")).trim();
  const { SECRETS_KEY: old } = first.variables;
  expect(await succeeded("npm run keys")).toContain("sealed with SECRETS_KEY: 2\n");

  const replaced = { ...first.variables, SECRETS_KEY: key, SECRETS_OLD_KEYS: old };
  const needed = await runLine("npm run keys", replaced);
  expect(needed).toEqual({ code: 1, output: expect.stringContaining("one of SECRETS_OLD_KEYS: 2\n") });
  const messages = (await first.read("subscriptions")).length;
  const sealing = await startAll(replaced, token, ["state-api"]);
  await until(async () => (await first.read("subscriptions")).length > messages);
  await sealing.stop();
  expect(await succeeded("npm run keys", replaced)).toContain("sealed with SECRETS_KEY: 2\n");

  const lost = await runLine("npm run keys", { ...first.variables, SECRETS_KEY: randomBytes(32).toString("hex") });
  expect(lost).toEqual({ code: 1, output: expect.stringContaining("which is not set here: 2\n") });
});

test("the other lines of the pages run, or ClickHouse parses them", async () => {
  const authority = await createAuthority(folder);
  const end = await runLine("openssl x509 -noout -enddate -in /etc/tracklog/kafka/ca.pem", first.variables, {
    "/etc/tracklog/kafka/ca.pem": authority.caFile,
  });
  expect(end).toEqual({ code: 0, output: expect.stringContaining("notAfter=") });
  await succeeded("npm run tokens -- create --name camera-7 --scopes write");
  expect(await succeeded("npm run tokens -- list")).toContain("camera-7");
  await runLine("npm run tokens -- revoke ID", first.variables, { " ID": ` ${token.id}` });

  const parsed = notRun().filter((line) => /^(BACKUP|RESTORE|ALTER TABLE) /.test(line));
  expect(parsed.length).toBe(4);
  for (const line of parsed) await history.query({ query: `EXPLAIN AST ${fromPage(line)}`, format: "JSON" });
  expect(notRun()).toEqual([]);
});

/** Gives a new installation the tables that a backup of ClickHouse would give it. */
async function copyHistory(client: ClickHouseClient, from: string, to: string): Promise<void> {
  for (const { name } of historyKinds.flatMap(({ tables }) => tables)) {
    await client.command({ query: `INSERT INTO ${to}.${name} SELECT * FROM ${from}.${name}` });
  }
  const topic = `replaceOne(topic, '${from}.', '${to}.')`;
  const positions = `SELECT * REPLACE (${topic} AS topic) FROM ${from}.projector_positions_v1`;
  await client.command({ query: `INSERT INTO ${to}.projector_positions_v1 ${positions}` });
}

async function removeSecond(variables: Readonly<Record<string, string>>): Promise<void> {
  const client = createClickHouse(loadConfig(clickhouseEnv, variables), "default");
  await client.command({ query: `DROP DATABASE IF EXISTS ${second}` });
  await client.close();
  const topics = (await first.admin.listTopics()).filter((name) => name.startsWith(`${second}.`));
  await first.admin.deleteTopics({ topics });
}
