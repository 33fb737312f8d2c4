import { afterAll, beforeAll, expect, test } from "vitest";
import { createStateApi } from "./services.ts";

let api: Awaited<ReturnType<typeof createStateApi>>;
beforeAll(async () => {
  api = await createStateApi();
});
afterAll(() => api.stop());

test("whether the service runs is open to everybody", async () => {
  const { status, body } = await api.ask("GET", "/health", undefined, {});

  expect([status, body]).toEqual([200, { status: "ok" }]);
});
