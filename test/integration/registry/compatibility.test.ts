import { expect, test } from "vitest";
import { eventTypes, records } from "../../../schemas/events.ts";
import { loadConfig, registryEnv } from "../../../services/common/config.ts";
import { openRegistry } from "../../../services/common/registry/client.ts";
import { createCodec, registrySubjectOf } from "../../../services/common/registry/codec.ts";
import { useStack } from "../../support/running/stack.ts";

test("registering is idempotent, and the registry refuses a schema that could not read what is written", async () => {
  const config = loadConfig(registryEnv, useStack().env);
  await createCodec(config);
  const again = await createCodec(config);
  const registry = openRegistry(config);
  const incompatible = structuredClone(records.TrackExpired) as unknown as { fields: unknown[] };
  incompatible.fields.push({ name: "camera", type: "string" });

  const refused = registry.register(incompatible as never, {
    subject: registrySubjectOf("TrackExpired"),
    compatibility: "BACKWARD_TRANSITIVE" as never,
  });

  await expect(refused).rejects.toThrow();
  const event = { trackId: "t", dataSourceId: "d", endTime: 5, reason: "expired", readUpTo: 7 } as const;
  expect(again.decode(again.encode("TrackExpired", event))).toMatchObject({ ok: true, type: "TrackExpired", event });
  expect(eventTypes).toContain("TrackExpired");
});
