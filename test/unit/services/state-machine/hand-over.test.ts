import { expect, test } from "vitest";
import { unavailable } from "../../../../schemas/errors.ts";
import { until } from "../../../support/running/processes.ts";
import { createMachine } from "./machine.ts";

test("a machine that is stopped writes its last round and lets go before it leaves the group", async () => {
  const written = Promise.withResolvers<void>();
  const { machine, did } = createMachine({ publish: () => written.promise });
  await machine.start();
  await until(() => did.includes("publish"));

  const stopped = machine.stop();
  written.resolve();
  await stopped;

  expect(did.slice(did.indexOf("publish"))).toEqual(["publish", "written", "save 1", "release", "leave"]);
});

test("outputs that could not be written are not repeated blindly: what stands in the topics is looked up first", async () => {
  let attempts = 0;
  const { machine, did } = createMachine({
    publish: async () => {
      if (++attempts === 1) throw unavailable("the log did not answer in time", 1_000);
    },
  });
  await machine.start();
  await until(() => did.includes("save 1"));
  await machine.stop();

  expect(did.slice(0, did.indexOf("save 1"))).toEqual([
    "take over",
    "publish",
    "release",
    "take over",
    "publish",
    "written",
  ]);
});

test("whoever waits for the log to take its outputs says that it is still at work", async () => {
  const written = Promise.withResolvers<void>();
  const { machine, did } = createMachine({ publish: () => written.promise });
  await machine.start();

  await until(() => did.includes("claim renewed in 0"));
  expect(did).not.toContain("written");
  written.resolve();
  await machine.stop();

  expect(did).toContain("save 1");
});

test("nothing is written while others may own the partition, and it is taken over anew when the group says whose it is", async () => {
  let checks = 0;
  const owns = () => ++checks > 3;
  const { machine, did } = createMachine({ owns });
  await machine.start();
  await until(() => did.includes("save 1"));
  await machine.stop();

  const begin = ["take over", "release", "take over", "publish", "written", "save 1"];
  expect(did.slice(0, begin.length)).toEqual(begin);
});

test("offsets without a message move the position: behind a transaction's mark nothing is unread", async () => {
  const { machine, did } = createMachine({ withoutMessage: 2 });
  await machine.start();
  await until(() => did.includes("save 3"));
  await machine.stop();

  expect(did.filter((step) => step.startsWith("save"))).toEqual(["save 3"]);
});
