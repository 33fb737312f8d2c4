import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SignalRaised } from "../../../../../schemas/records/signal-raised.ts";
import { compareLines, openFileComparison } from "../../../../../services/cli/replay/compare-file.ts";
import { differenceLines } from "../../../../../services/cli/replay/report.ts";
import { signalLine } from "../../../../../services/cli/replay/signal-line.ts";
import { seeded } from "../../../../integration/history/world.ts";
import { signalRaised } from "../../../../support/scenes/signals.ts";

const lineOf = (offset: number, given: Partial<SignalRaised> = {}) =>
  signalLine(signalRaised("s", offset, { signal: "track_updated", ...given }));

/** Signals of a few tracks, in the order of time. */
const linesOf = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => lineOf(from + n, { subjectId: `t${n % 7}` }));

async function compared(then: readonly string[], now: readonly string[]) {
  const left = [...then];
  const comparison = compareLines(async () => {
    const text = left.shift();
    return text === undefined ? undefined : { text, place: "then" };
  });
  for (const line of now) await comparison.add(line);
  await comparison.end();
  return comparison.differences;
}

const countsOf = async (then: readonly string[], now: readonly string[]) => (await compared(then, now)).counts;

test.each([0, 1, 3_000])("%s lines are equal to themselves", async (count) => {
  const lines = linesOf(count);

  expect(await countsOf(lines, lines)).toEqual({ same: count, changed: 0, missing: 0, new: 0 });
});

test("one signal that is missing, new or changed is found, wherever it is", async () => {
  const random = seeded(7);
  const lines = linesOf(1_200);
  const places = [0, lines.length - 1, ...Array.from({ length: 5 }, () => Math.floor(random() * lines.length))];
  for (const at of places) {
    const without = lines.toSpliced(at, 1);
    const other = lineOf(at, { subjectId: `t${at % 7}`, state: JSON.stringify({ datasource_id: "cam", n: -1 }) });
    const changed = lines.with(at, other);
    const same = lines.length - 1;

    expect((await compared(lines, without)).first).toEqual([{ kind: "missing", earlier: lines[at], now: undefined }]);
    expect((await compared(without, lines)).first).toEqual([{ kind: "new", earlier: undefined, now: lines[at] }]);
    expect((await compared(lines, changed)).first).toEqual([{ kind: "changed", earlier: lines[at], now: other }]);
    expect(await countsOf(lines, changed)).toEqual({ same, changed: 1, missing: 0, new: 0 });
  }
});

test("a signal of another kind at its time and subject has changed", async () => {
  const zone = { subjectId: "z", state: JSON.stringify({ datasource_id: "cam", trigger_track_id: "t1" }) };
  const [then, now] = [lineOf(1, { ...zone, signal: "zone_occupied" }), lineOf(1, { ...zone, signal: "zone_updated" })];

  expect(await countsOf([then], [now])).toEqual({ same: 0, changed: 1, missing: 0, new: 0 });
});

test("outputs that have changed in every line are still compared line by line", async () => {
  const then = linesOf(2_500);
  const now = then.map((line) => line.replace('"n":', '"n":1'));

  expect(await countsOf(then, now)).toEqual({ same: 0, changed: 2_500, missing: 0, new: 0 });
});

test("a part that only one side has is found, even if it is longer than the look-ahead", async () => {
  const lines = linesOf(2_500);

  expect(await countsOf(lines, lines.slice(2_000))).toEqual({ same: 500, changed: 0, missing: 2_000, new: 0 });
  expect(await countsOf(lines.slice(2_000), lines)).toEqual({ same: 500, changed: 0, missing: 0, new: 2_000 });
  expect(await countsOf(lines, lines.toSpliced(200, 2_000))).toMatchObject({ same: 500, missing: 2_000 });
  expect(await countsOf(lines, [])).toEqual({ same: 0, changed: 0, missing: 2_500, new: 0 });
});

test("random edits are never more differences than there were edits", async () => {
  const random = seeded(11);
  for (let round = 0; round < 10; round++) {
    const then = linesOf(400);
    const now = then.flatMap((line, n) => {
      const roll = random();
      if (roll < 0.02) return [];
      if (roll < 0.04) return [line.replace('"n":', '"n":1')];
      return roll < 0.06 ? [line, lineOf(n, { subjectId: "added" })] : [line];
    });
    const edits = [...then, ...now].filter((line) => then.includes(line) !== now.includes(line)).length;

    const { same, changed, missing, new: added } = await countsOf(then, now);

    expect([same + changed + missing, same + changed + added]).toEqual([then.length, now.length]);
    expect(2 * changed + missing + added).toBe(edits);
  }
});

test("a line that is no signal is named", async () => {
  await expect(compared(["{}"], [lineOf(1)])).rejects.toThrow("then: this is no signal of npm run replay.");
});

test("the report has the counts and the members that differ, side by side", async () => {
  const now = lineOf(1, { state: JSON.stringify({ datasource_id: "cam", track_id: "t1", n: 2, more: "\u001b[31m" }) });

  const lines = differenceLines(await compared([lineOf(1), lineOf(5)], [now]));

  expect(lines.join("\n")).toBe(
    [
      "compared  same 0, changed 1, missing 1, new 0",
      "",
      " 1 changed  track_updated t1 2026-01-01T00:00:00.001Z",
      `   ${"".padEnd(34)}  ${"then".padEnd(40)}  now`,
      `   ${"state.n".padEnd(34)}  ${"1".padEnd(40)}  2`,
      `   ${"state.more".padEnd(34)}  ${"".padEnd(40)}  \\u001b[31m`,
      "",
      " 2 missing  track_updated t1 2026-01-01T00:00:00.005Z",
    ].join("\n"),
  );
});

test("a file is compared as it was written, also with other line ends, and is closed when the run fails", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tracklog-compare-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "x.ndjson");
  const signals = Array.from({ length: 1_500 }, (_, n) => signalRaised("s", n, { signal: "track_updated" }));
  await writeFile(path, signals.map((signal) => `${signalLine(signal)}\r\n`).join(""));
  const step = { partition: 0, offset: 0, recordedAt: 0, share: 0, begins: false, detectedAt: null };

  const whole = await openFileComparison(path, signalLine);
  await whole.take({ ...step, signals });
  await whole.finish();
  const failed = await openFileComparison(path, signalLine);
  await failed.take({ ...step, signals: signals.slice(0, 1) });
  await failed.abandon();

  expect(whole.differences.counts).toEqual({ same: 1_500, changed: 0, missing: 0, new: 0 });
});

test("a file with an endless line is refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tracklog-compare-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "x.ndjson");
  await writeFile(path, Buffer.alloc(17 * 1024 * 1024, "x"));
  const comparison = await openFileComparison(path, signalLine);

  await expect(comparison.finish()).rejects.toThrow("longer than any signal");
  await comparison.abandon();
});
