import { expect, test } from "vitest";
import { LOG_ID, logOf } from "../../../schemas/headers.ts";
import { topicIds } from "../../../services/common/kafka/log-id.ts";
import { readAll } from "../../../services/common/kafka/read/read-some.ts";
import { until } from "../../support/running/processes.ts";
import { drawn, PATIENT, seen, startsOf } from "./events.ts";
import { createInstallation, type Installation } from "./installation.ts";

const processedUpTo = ({ redis, keys }: Installation, offset: number) =>
  until(async () => (await redis.hget(keys.position, "next")) === String(offset));

/** A machine has seen these tracks enter a zone, each in a separate message, and stopped. */
async function worked(...trackIds: readonly string[]): Promise<Installation> {
  const installation = await createInstallation();
  await installation.record([drawn("door"), ...trackIds.map((id) => seen(id))]);
  const machine = installation.startMachine(PATIENT);
  await processedUpTo(installation, trackIds.length + 1);
  await machine.stop();
  return installation;
}

test("behind another log of the same name the machine does not go on, and says what to do", async () => {
  const installation = await worked("first");
  await installation.replaceCameraLog();

  const { failed } = installation.startMachine(PATIENT);

  await expect(failed).rejects.toThrow(/another log of that name.*npm run reconcile/);
});

test("a position beyond the end of the log ends the machine, and is left as it is", async () => {
  const { startMachine, redis, keys } = await worked("first");
  await redis.hset(keys.position, "next", 500);

  await expect(startMachine(PATIENT).failed).rejects.toThrow(/500.*beyond the end.*npm run reconcile/);

  expect(await redis.hget(keys.position, "next")).toBe("500");
});

test("once the position is forgotten, the new log keeps the zones, and its outputs are not taken for written", async () => {
  const installation = await worked("first", "second", "third");
  await installation.replaceCameraLog();
  await installation.redis.del(installation.keys.position);
  await installation.record([seen("fourth"), seen("fifth")]);

  const machine = installation.startMachine(PATIENT);
  await processedUpTo(installation, 2);
  await machine.stop();
  await installation.record([seen("sixth")]);
  installation.startMachine(PATIENT);
  await processedUpTo(installation, 3);

  expect(await startsOf(installation)).toEqual(["first", "second", "third", "fourth", "fifth", "sixth"]);
});

test("outputs of an end that the log has lost do not pass for those of what came in its place", async () => {
  const installation = await worked("first");
  const { kafka, codec, write, topic, record, redis, keys, startMachine } = installation;
  const logId = (await topicIds(kafka, [topic("camera-log")])).get(topic("camera-log")) ?? "";
  const lost = codec.encode("ZoneIntersectionChanged", {
    ...{ intersectionId: "i", zoneId: "door", trackId: "lost", dataSourceId: "cam", tag: "", state: "START" },
    ...{ startTime: 1_000, endTime: null, lastInside: 1_000, cause: { partition: 0, offset: 3, index: 0 } },
  });
  await write("zone-intersections", [{ key: "cam", value: lost, headers: { [LOG_ID]: logId } }]);
  await redis.del(keys.position);

  const machine = startMachine(PATIENT);
  await processedUpTo(installation, 2);
  await machine.stop();
  await record([seen("second"), seen("third")]);
  startMachine(PATIENT);
  await processedUpTo(installation, 4);

  expect(await startsOf(installation)).toEqual(["first", "lost", "second", "third"]);
  const [first, ofLost, second, third] = await logsOf(installation);
  expect([ofLost, third]).toEqual([first, second]);
  expect(second).toMatch(new RegExp(`^${logId} from 2-`));
});

/** The log that subscribers take each output for, in the order of the topic. */
async function logsOf({ kafka, log, namespace, topic }: Installation) {
  const messages = await readAll({ kafka, groupPrefix: `${namespace}.logs`, topic: topic("zone-intersections"), log });
  return messages.map(({ message: { headers } }) => logOf(headers as Parameters<typeof logOf>[0]));
}

test("a position from before logs were remembered belongs to the log that holds it", async () => {
  const installation = await worked("first");
  const { redis, keys, record, startMachine } = installation;
  const logId = await redis.hget(keys.position, "logId");
  await redis.hdel(keys.position, "logId");
  await record([seen("second")]);

  startMachine(PATIENT);
  await processedUpTo(installation, 3);

  expect(await startsOf(installation)).toEqual(["first", "second"]);
  expect(await redis.hget(keys.position, "logId")).toBe(logId);
});
