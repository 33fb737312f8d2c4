import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { NOTHING, type Summary } from "../../../../../../projections/summaries/shape.ts";
import { ofHistory } from "../../../../../../services/api/fields/summaries/of-history.ts";
import { summaryField } from "../../../../../../services/api/fields/summaries/summary-field.ts";
import { createTestApi } from "../../support.ts";

test("an operation asks the store for two summaries at a time", async () => {
  let [running, most] = [0, 0];
  async function summarize(): Promise<Summary> {
    running += 1;
    most = Math.max(most, running);
    for (let i = 0; i < 5; i++) await setImmediate();
    running -= 1;
    return { overall: { ...NOTHING, total: 1 }, buckets: undefined };
  }
  const videosSummary = summaryField(ofHistory("videosBucket", { dimensions: {}, summarize }, async () => {}));
  const api = await createTestApi({ resolvers: { Query: { videosSummary } } });
  const range = 'startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-02T00:00:00Z"';
  const names = ["a", "b", "c", "d", "e"];

  const { body } = await api.ask(`{ ${names.map((name) => `${name}: videosSummary(${range}) { total }`).join(" ")} }`);

  expect(body.data).toEqual(Object.fromEntries(names.map((name) => [name, { total: 1 }])));
  expect(most).toBe(2);
});
