import { expect, test } from "vitest";
import { quickSettings } from "../../support/final-state-settings.ts";
import { until } from "../../support/processes.ts";
import { useStack } from "../../support/stack.ts";
import { drawn, seen, startsOf } from "./events.ts";
import { createInstallation } from "./installation.ts";

/** A machine with other settings gives up a moment after the session of a dead one would have ended. */
const settings = await quickSettings(useStack().env);
const AN_HOUR = { ...settings, TRACK_TTL: "3600" };
const TWO_HOURS = { ...settings, TRACK_TTL: "7200" };

test("a machine with other settings than those at work ends and names both; the others go on undisturbed", async () => {
  const installation = await createInstallation();
  const { record, redis, keys, startMachine } = installation;
  await record([drawn("door"), seen("first")]);
  startMachine(AN_HOUR);
  await until(async () => (await redis.hget(keys.position, "next")) === "2");
  const owner = await redis.hget(keys.position, "owner");

  await expect(startMachine(TWO_HOURS).failed).rejects.toThrow(
    /at work with other settings \(.*TRACK_TTL=3600 .*\) than this one \(.*TRACK_TTL=7200 /,
  );

  await record([seen("second")]);
  await until(async () => (await redis.hget(keys.position, "next")) === "3");
  expect(await redis.hget(keys.position, "owner")).toBe(owner);
  expect(await startsOf(installation)).toEqual(["first", "second"]);
});

test("with all stopped one may start with other settings, and these are on record", async () => {
  const { record, redis, keys, startMachine } = await createInstallation();
  await record([drawn("door")]);
  const before = startMachine(AN_HOUR);
  await until(async () => (await redis.hget(keys.position, "settings"))?.includes("TRACK_TTL=3600"));
  await before.stop();

  startMachine(TWO_HOURS);
  await until(async () => (await redis.hget(keys.position, "settings"))?.includes("TRACK_TTL=7200"));
});
