import { expect, test } from "vitest";
import { agreedSettings, stateMachineEnv } from "../../../../services/state-machine/config.ts";

const settings = (env: Readonly<Record<string, string>>) =>
  agreedSettings(
    stateMachineEnv.parse({ KAFKA_BROKERS: "k:1", SCHEMA_REGISTRY_URL: "http://r", REDIS_URL: "redis://r", ...env }),
  );

test("instances agree on the version of the fold and on every setting that shapes results, and on no other", () => {
  const all = settings({});

  expect(all.split(" ").map((setting) => setting.split("=")[0])).toEqual(
    expect.arrayContaining(["FOLD_VERSION", "REORDER_MS"]),
  );
  expect(settings({ REORDER_MS: "1" })).not.toBe(all);
  expect(
    settings({ KAFKA_SESSION_TIMEOUT_MS: "6000", LOG_LEVEL: "debug", REBUILD_LOOKBACK_MS: "1", FOLD_GATHER_MS: "0" }),
  ).toBe(all);
  expect(settings({ KAFKA_BROKERS: "other:1", REDIS_URL: "redis://other" })).toBe(all);
});

test("a reader cannot be told to wait for longer than its session", () => {
  expect(() => settings({ FOLD_GATHER_MS: "60000" })).toThrow("FOLD_GATHER_MS");
});
