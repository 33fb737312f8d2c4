import { expect, test } from "vitest";
import type { Detection } from "../../../../../schemas/events.ts";
import { createGatherer } from "../../../../../services/api/write/gather-detections.ts";
import { traceAll } from "../../common/tracing/use-tracing.ts";

const detection = { trackId: "t", timestamp: 1 } as unknown as Detection;

test("an event belongs to the traces of its own mutations, whichever came first", async () => {
  const { tracing } = await traceAll();
  const causes = new Map<string, readonly string[]>();
  const gatherer = createGatherer({
    lingerMs: 1,
    maxDetections: 50,
    record: async (dataSourceId) => void causes.set(dataSourceId, tracing.causes()),
  });
  const spans = ["a", "b"].map((name) => tracing.begin({ name, kind: "server" }));
  const [first, second] = spans;

  await Promise.all([
    gatherer.add("both", [detection]),
    first?.run(() => gatherer.add("both", [detection])),
    second?.run(() => gatherer.add("both", [detection])),
    second?.run(() => gatherer.add("one", [detection])),
    gatherer.add("none", [detection]),
  ]);

  expect(causes.get("both")).toEqual([first?.traceParent, second?.traceParent]);
  expect(causes.get("one")).toEqual([second?.traceParent]);
  expect(causes.get("none")).toEqual([]);
});
