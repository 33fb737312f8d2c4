// The command on a namespace that is open: one that it has opened itself, or one of others.
import { expect, test } from "vitest";
import { groupName, type Topic, topics } from "../../../schemas/topics.ts";
import { repartitionEnv } from "../../../services/cli/repartition/config.ts";
import { repartition } from "../../../services/cli/repartition/repartition.ts";
import { alterTopics } from "../../../services/common/kafka/write/compare-topics.ts";
import { FILLING, isFilling } from "../../../services/common/kafka/write/filling.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { provideInstallation } from "../../support/running/installation.ts";

type Installation = Awaited<ReturnType<typeof provideInstallation>>;

async function install(partitions: number): Promise<Installation> {
  const installation = await provideInstallation("grow", { CAMERA_PARTITIONS: String(partitions) });
  atTheEnd(installation.remove);
  return installation;
}

const old = await install(1);
const grown = await install(2);
const filled = (Object.keys(topics) as Topic[]).filter((topic) => topic !== "camera-log").map(grown.topic);
await alterTopics(grown.admin, filled, FILLING);

/** Ends by itself, and does not wait for processes of the old namespace that may still stop. */
function beginAgain(changesOver: boolean): Promise<void> {
  const stop = new AbortController();
  stop.abort();
  return repartition({
    config: old.config(repartitionEnv),
    to: grown.namespace,
    partitions: 2,
    database: undefined,
    changesOver,
    log: old.log,
    print: () => undefined,
    signal: stop.signal,
  });
}

const areFilling = async () => {
  const found = await Promise.all(filled.map((topic) => isFilling(grown.admin, topic)));
  return filled.filter((_, i) => found[i]);
};

test("a namespace that is in use is left as it is", async () => {
  await expect(beginAgain(true)).rejects.toThrow("is in use, and was not copied from this namespace");

  expect(await areFilling()).toEqual(filled);
  expect(await grown.read("camera-log")).toEqual([]);
});

test("a change-over that ended while it opened the topics opens the others when it begins again", async () => {
  const positions = { groupId: groupName(grown.namespace, "repartition"), topic: old.topic("camera-log") };
  await old.admin.setOffsets({ ...positions, partitions: [{ partition: 0, offset: "0" }] });

  await expect(beginAgain(false)).rejects.toThrow("--change-over finishes the change-over");
  await beginAgain(true);

  expect(await areFilling()).toEqual([]);
  expect(await grown.read("camera-log")).toHaveLength(2);
});
