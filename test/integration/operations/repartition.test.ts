// A change-over that ended between the first topic that it opened and the last.
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
function changeOverAgain(): Promise<void> {
  const stop = new AbortController();
  stop.abort();
  return repartition({
    config: old.config(repartitionEnv),
    to: grown.namespace,
    partitions: 2,
    database: undefined,
    changesOver: true,
    log: old.log,
    print: () => undefined,
    signal: stop.signal,
  });
}

const areFilling = async () => {
  const found = await Promise.all(filled.map((topic) => isFilling(grown.admin, topic)));
  return filled.filter((_, i) => found[i]);
};

test("a change-over that ended while it opened the topics opens the others when it begins again", async () => {
  const positions = { groupId: groupName(grown.namespace, "repartition"), topic: old.topic("camera-log") };
  await old.admin.setOffsets({ ...positions, partitions: [{ partition: 0, offset: "0" }] });

  await changeOverAgain();

  expect(await areFilling()).toEqual([]);
  expect(await grown.read("camera-log")).toHaveLength(2);
});
