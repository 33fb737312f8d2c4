import { expect, onTestFinished, test } from "vitest";
import { recordMessage } from "../../../schemas/record-message.ts";
import { createLog } from "../../../services/common/log.ts";
import { registryCheck } from "../../../services/common/registry/registry-check.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { tokenCreated } from "../../support/scenes/catalog.ts";

const log = createLog("test", "silent");

async function withCatalog() {
  const installation = await provideInstallation("registry");
  onTestFinished(installation.remove);
  const { kafka, codec, namespace, topic } = installation;
  const publisher = await installation.openPublisher();
  const message = recordMessage(codec, namespace, tokenCreated("t"), { source: "test", timeMs: 0 });
  return {
    codec,
    check: () => registryCheck({ kafka, codec, log, topic: topic("catalog"), patienceMs: 0 }).start(),
    /** Writes a token, as it looks when the registry has this under the id of its schema. */
    write: (value = message.value) => publisher.publish([{ ...message, value }]),
  };
}

test("an installation without messages starts, and one whose registry knows them", async () => {
  const { check, write } = await withCatalog();

  await check();
  await write();
  await check();
});

test("a registry that does not know the schema of what was written is noticed", async () => {
  const { codec, check, write } = await withCatalog();
  const value = Buffer.from(
    codec.encode("ZoneDeleted", { zoneId: "z", dataSourceId: "d", deletedAt: 0, movedTo: null, ifUpdatedAt: null }),
  );
  value.writeUInt32BE(2_000_000_000, 1);
  await write(value);

  await expect(check()).rejects.toThrow(/unknown schema id 2000000000.*TokenChanged: the registry has lost its data/);
});

test("so is one that has given the id to another schema", async () => {
  const { codec, check, write } = await withCatalog();
  await write(
    codec.encode("ZoneDeleted", { zoneId: "z", dataSourceId: "d", deletedAt: 0, movedTo: null, ifUpdatedAt: null }),
  );

  await expect(check()).rejects.toThrow(/ZoneDeleted, but .*TokenChanged: the registry has lost its data/);
});
