import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SignalRaised } from "../../../../../schemas/records/signal-raised.ts";
import { openSignalFile } from "../../../../../services/cli/replay/signal-file.ts";
import { signalLine } from "../../../../../services/cli/replay/signal-line.ts";
import { signalRaised } from "../../../../support/scenes/signals.ts";

async function inFolder() {
  const folder = await mkdtemp(join(tmpdir(), "tracklog-signals-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { folder, path: join(folder, "x.ndjson") };
}

const stepOf = (...signals: SignalRaised[]) => ({
  ...{ partition: 0, offset: 0, recordedAt: 0, share: 0, begins: false, detectedAt: null },
  signals,
});

test("the file has its name when it is complete", async () => {
  const { folder, path } = await inFolder();
  const file = await openSignalFile({ path, force: false, lineOf: signalLine });
  const signals = Array.from({ length: 3_000 }, (_, n) => signalRaised("s", n, {}));

  for (const signal of signals) await file.take(stepOf(signal));

  expect(await readdir(folder)).toEqual(["x.ndjson.part"]);
  await file.finish();
  expect(await readdir(folder)).toEqual(["x.ndjson"]);
  expect(await readFile(path, "utf8")).toBe(signals.map((signal) => `${signalLine(signal)}\n`).join(""));
});

test("nothing is left of a run that failed, and an existing file stays", async () => {
  const { folder, path } = await inFolder();
  await writeFile(path, "earlier");
  await expect(openSignalFile({ path, force: false, lineOf: signalLine })).rejects.toThrow("exists already");
  const other = await openSignalFile({ path: `${path}2`, force: false, lineOf: signalLine });
  await expect(openSignalFile({ path: `${path}2`, force: false, lineOf: signalLine })).rejects.toThrow("another run");
  await other.abandon();

  const file = await openSignalFile({ path, force: true, lineOf: signalLine });
  await file.take(stepOf(signalRaised("s", 1, {})));
  await file.abandon();

  expect(await readdir(folder)).toEqual(["x.ndjson"]);
  expect(await readFile(path, "utf8")).toBe("earlier");
});

test("a line has the members in one order, and nothing that differs from run to run", () => {
  const state = '{"track_id":"z","datasource_id":"cam","n":1}';
  const zone = signalRaised("s", 1, { signal: "zone_updated", subjectId: "z", state, emitReason: "heartbeat" });

  expect(signalLine(zone)).toBe(
    '{"signal_type":"zone_state","signal":"zone_updated","subject_id":"z","data_source_id":"cam",' +
      '"timestamp":"2026-01-01T00:00:00.001Z","emit_reason":"heartbeat","expired_by":null,' +
      `"state":${state}}`,
  );
  expect(signalLine(zone, "gates")).toMatch(/^\{"subscription_id":"gates","signal_type"/);
});
