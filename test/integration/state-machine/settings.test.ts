import { expect, onTestFinished, test } from "vitest";
import { groupName } from "../../../schemas/topics.ts";
import { createGroupReader } from "../../../services/common/kafka/read/group-reader.ts";
import { settingsCheck } from "../../../services/common/kafka/read/settings-check.ts";
import { createLog } from "../../../services/common/log.ts";
import { quickSettings } from "../../support/running/final-state-settings.ts";
import { spawnService, until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";
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

test("a process whose settings differ from those of the state machines at work ends and names both", async () => {
  const { variables, redis, keys, startMachine } = await createInstallation();
  startMachine(AN_HOUR);
  await until(async () => (await redis.hget(keys.position, "settings")) !== null);
  const env = { ...variables, ...settings, MAX_FUTURE_MS: "1000" };

  const services = await Promise.all([
    spawnService("projector", env),
    spawnService("replay", { ...env, TRACK_TTL: "7200" }),
  ]);
  for (const { kill } of services) onTestFinished(kill);
  const [projector, replay] = services;

  await expect(projector.ready).rejects.toThrow(
    "other settings (MAX_FUTURE_MS=300000) than this process (MAX_FUTURE_MS=1000)",
  );
  await expect(replay.ready).rejects.toThrow(
    "other settings (MAX_FUTURE_MS=300000 TRACK_TTL=3600) than this process (MAX_FUTURE_MS=1000 TRACK_TTL=7200)",
  );
});

test("without a state machine at work any settings start, and a process that is at work goes on and reports a difference", async () => {
  const { kafka, namespace, startMachine } = await createInstallation();
  const lines: string[] = [];
  const log = Object.assign(createLog("test", "silent"), {
    error: (fields: object, text: string) => lines.push(`${text} ${JSON.stringify(fields)}`),
  });
  const config = { TRACK_TTL: 7_200, LOG_LEVEL: "info" };
  const check = settingsCheck({ kafka, namespace, config, sessionTimeoutMs: 6_000, log, everyMs: 20 });
  onTestFinished(check.stop);
  await check.start();

  const machine = startMachine(AN_HOUR);

  await until(() => lines.length > 0);
  expect(lines[0]).toMatch(/other settings.*"theirs":"TRACK_TTL=3600","ours":"TRACK_TTL=7200"/);
  await machine.stop();
  const next = settingsCheck({ kafka, namespace, config, sessionTimeoutMs: 6_000, log });
  onTestFinished(next.stop);
  await next.start();
});

test("beside state machines without a version of the fold none of the new ones, and no process that folds, starts until they are gone; a process that does not fold does", async () => {
  const { kafka, namespace, log, topic, variables, redis, keys, startMachine } = await createInstallation();
  const groupId = groupName(namespace, "state-machine");
  const old = createGroupReader({ kafka, groupId, topics: [topic("camera-log")], log, agreement: "TRACK_TTL=4" });
  await old.start();
  await until(async () => (await old.next(100)).assigned !== undefined);
  const env = { ...variables, ...settings };

  const folding = await Promise.all([spawnService("projector", env), spawnService("api", { ...env, API_PORT: "0" })]);
  for (const { kill } of folding) onTestFinished(kill);
  const refused = startMachine(settings);
  const stateApi = await spawnService("state-api", { ...env, STATE_API_PORT: "0" });
  onTestFinished(stateApi.kill);

  await stateApi.ready;
  for (const { ready } of folding) {
    await expect(ready).rejects.toThrow(
      /other settings \(no FOLD_VERSION\) than this process \(FOLD_VERSION=\d+\).*upgrading/,
    );
  }
  await expect(refused.failed).rejects.toThrow(
    /other settings \(TRACK_TTL=4\) than this one \(FOLD_VERSION=\d+ .*\).*upgrading/,
  );
  await old.stop();
  startMachine(settings);
  await until(async () => (await redis.hget(keys.position, "settings"))?.startsWith("FOLD_VERSION="));
});
