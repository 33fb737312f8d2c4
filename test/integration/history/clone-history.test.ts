// The clone of a history replaces all rows of its target, so the target must have none but its own.
import { expect, test } from "vitest";
import { namedKinds } from "../../../projections/history/kinds.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import { type CloneDeps, cloneHistory } from "../../../services/cli/repartition/clone-history.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { detection } from "../../support/scenes/detection.ts";
import { createDatabase, type Database } from "./database.ts";

const TO = "grown";

async function record({ client }: Database, trackId: string): Promise<void> {
  const gathered = createGathered();
  const event = { dataSourceId: "cam", detections: [detection({ trackId })] };
  gathered.add({ type: "DetectionsRecorded", event }, { partition: 0, offset: 1, recordedAt: 1 });
  const stretch = { topic: trackId, partition: 0, logId: "any", rankBase: 0, first: 0, next: 1 };
  await createHistoryStore(client).insert(gathered.byTable(), [stretch]);
}

async function tracksIn({ client }: Database): Promise<string[]> {
  const found = await client.query({ query: "SELECT track_id AS id FROM detections_v1", format: "JSONEachRow" });
  return (await found.json<{ id: string }>()).map(({ id }) => id);
}

/** `log` names the topics that the copy fills. */
const cloneInto = (target: Database, source: Database, log: string, more: Partial<CloneDeps> = {}): Promise<number> =>
  cloneHistory({
    source: source.client,
    target: target.client,
    databases: { from: source.name, to: target.name },
    from: "old",
    to: TO,
    logIds: new Map([...namedKinds(TO).keys()].map((topic) => [topic, `${topic} of ${log}`])),
    rangesOf: async () => [{ partition: 0, low: 0, high: 0 }],
    ...more,
  });

test("a clone into a database that has rows of others is refused, and they stay", async () => {
  const [source, target] = [await createDatabase(), await createDatabase()];
  await record(source, "cloned");
  await record(target, "of others");

  await expect(cloneInto(target, source, "a")).rejects.toThrow(`The database ${target.name} has rows`);

  expect(await tracksIn(target)).toEqual(["of others"]);
});

test("a clone that ended in the middle begins again for the same topics only, and is made once", async () => {
  const [source, target] = [await createDatabase(), await createDatabase()];
  await record(source, "cloned");
  const { client } = target;
  const command: typeof client.command = async (params) => {
    if (params.query.startsWith("ALTER")) await client.command(params);
    if (params.query.startsWith("ALTER")) throw new Error("killed");
    return client.command(params);
  };
  const killed = Object.assign(Object.create(client), { command });
  await expect(cloneInto(target, source, "a", { target: killed })).rejects.toThrow("killed");

  await expect(cloneInto(target, source, "b")).rejects.toThrow("has rows");
  expect(await cloneInto(target, source, "a")).toBeGreaterThan(0);
  expect(await cloneInto(target, source, "a")).toBe(0);

  expect(await tracksIn(target)).toEqual(["cloned"]);
});
