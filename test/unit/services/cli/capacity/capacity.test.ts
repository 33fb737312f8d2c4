import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULTS, type MeasuredCosts, planFor } from "../../../../../services/cli/capacity/plan.ts";
import { pageWith } from "../../../../../services/cli/capacity/tables.ts";

const root = new URL("../../../../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");
const measured: MeasuredCosts = JSON.parse(textOf("services/cli/capacity/measured.json"));

const costing = (secondsPerMillion: number, baseCores = 0) => ({ secondsPerMillion, baseCores });

const EASY: MeasuredCosts = {
  machine: "",
  load: { cameras: [1, 2], boxes: 1, fps: 1, zonesPerCamera: 1, trackSeconds: 1, seconds: 1, detections: 1 },
  cpu: {
    ...{ api: costing(20), "state-machine": costing(10), projector: costing(10), webhooks: costing(1) },
    ...{ "state-api": costing(0), kafka: costing(5), redis: costing(2), clickhouse: costing(10) },
  },
  kafkaBytesPerDetection: { "camera-log": 90, "zone-intersections": 10 },
  clickhouseBytesPerDetection: { detections_v1: 30 },
  redisBytes: { track: 1_000, zone: 500 },
  residentMib: { api: 200, "state-machine": 200, projector: 200, webhooks: 200, "state-api": 200 },
};

test("a plan follows from the costs of a detection", () => {
  const plan = planFor({ ...DEFAULTS, cameras: 1_000 }, EASY);

  expect(plan).toMatchObject({
    detectionsPerSecond: 50_000,
    partitions: 12,
    // A million detections in 20 s: the API is busy for a whole core, so two processes are busy for a half each.
    processes: { api: 2, "state-machine": 2, projector: 2, webhooks: 2, "state-api": 2 },
    cores: { roles: 2.05, kafka: 0.75, redis: 0.1, clickhouse: 0.5 },
    machines: 3,
  });
  // 50 000 detections/s of 100 bytes in three copies for a day.
  expect(plan.kafkaGibPerDay).toBeCloseTo((50_000 * 100 * 3 * 86_400) / 1_024 ** 3, 6);
  expect(plan.kafkaGib).toBeCloseTo(plan.kafkaGibPerDay * 7 * 1.125, 6);
  expect(plan.clickhouseGibPerDay).toBeCloseTo((50_000 * 30 * 86_400) / 1_024 ** 3, 6);
});

test("a process that is busy without detections leaves less of its core for them", () => {
  const measured = { ...EASY, cpu: { ...EASY.cpu, api: costing(20, 0.25) } };

  const plan = planFor({ ...DEFAULTS, cameras: 1_000 }, measured);

  // A whole core for detections, of which each process has a quarter.
  expect(plan.processes.api).toBe(4);
  expect(plan.cores.roles).toBeCloseTo(2.05 + 4 * 0.25, 6);
});

test("ten times the cameras take ten times the cores and bytes, and partitions enough for their state machines", () => {
  const [small, large] = [1_000, 10_000].map((cameras) => planFor({ ...DEFAULTS, cameras }, EASY));

  expect(large?.cores.roles).toBeCloseTo((small?.cores.roles ?? 0) * 10, 6);
  expect(large?.kafkaGibPerDay).toBeCloseTo((small?.kafkaGibPerDay ?? 0) * 10, 6);
  expect(large?.processes["state-machine"]).toBe(10);
  expect(large?.partitions).toBe(48);
});

test("memory of live state is bounded by what a partition remembers", () => {
  const plan = planFor({ ...DEFAULTS, cameras: 10_000, trackSeconds: 1 }, EASY);

  expect(plan.redisMib).toBeCloseTo(((100_000 + 48 * 50_000) * 1_000 + 30_000 * 500) / 1_024 ** 2, 3);
});

test("docs/capacity.md has the tables that follow from the measurements (npm run capacity -- --page)", () => {
  const page = textOf("docs/capacity.md");

  expect(page).toBe(pageWith(page, measured));
  expect(page).toContain("| partitions |");
  expect(page).toContain("| ClickHouse, all tables |");
});
