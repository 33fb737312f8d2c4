import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { inOrder, readEverything } from "../history/everything.ts";
import { createWorld } from "../history/world.ts";
import { createInstallation, expectProjected, type Installation } from "./installation.ts";

const rebuildMain = fileURLToPath(new URL("../../../services/projector/rebuild.ts", import.meta.url));

const rebuild = ({ variables }: Installation, database: string) =>
  promisify(execFile)(process.execPath, [rebuildMain, "--database", database], {
    env: { ...process.env, ...variables, LOG_LEVEL: "fatal" },
  });

test("the log projected anew into another database gives the same rows", async () => {
  const installation = await createInstallation();
  await installation.record(createWorld(61));
  await installation.publish([{ topic: installation.topic("camera-log"), key: "ds-a", value: Buffer.from("garbage") }]);
  const projector = await installation.spawnProjector();
  await installation.caughtUp();
  await projector.stop();
  const letters = await installation.deadLetters();

  const database = `${installation.namespace}_again`;
  const client = createClickHouse(installation.config, database);
  onTestFinished(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
    await client.close();
  });
  const { stdout } = await rebuild(installation, database);

  const world = await installation.recorded();
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({
    database,
    rows: {
      detections: world.detections.length,
      tracks: world.tracks.length,
      zoneIntersections: world.intersections.length,
    },
  });
  expect(inOrder(await readEverything(client))).toEqual(inOrder(await readEverything(installation.client)));
  await expectProjected(installation, client);
  expect(await installation.deadLetters()).toEqual(letters);
});

test("a rebuild refuses a database that already holds rows", async () => {
  const installation = await createInstallation();
  await installation.record(createWorld(62, 20));
  const projector = await installation.spawnProjector();
  await installation.caughtUp();
  await projector.stop();

  await expect(rebuild(installation, installation.namespace)).rejects.toThrow();
  await expectProjected(installation);
});
