import { expect, test } from "vitest";
import type { Codec } from "../../../../../schemas/codec.ts";
import { createLogMessages } from "../../../../../services/state-machine/rounds/log-messages.ts";

test("the ends of tracks of one id, of two cameras at one time, are two events", () => {
  // Ids do not depend on the values.
  const codec: Pick<Codec, "encode"> = { encode: () => Buffer.alloc(0) };
  const { endMessages } = createLogMessages(codec, "camera-log");
  const ended = ["left", "right"].map((dataSourceId) => {
    return { trackId: "17", dataSourceId, endTime: 1_000, reason: "expired" as const, readUpTo: 5 };
  });

  const ids = endMessages(0, ended, 2_000).map(({ headers }) => headers?.["ce_id"]);

  expect(new Set(ids).size).toBe(2);
  expect(endMessages(0, ended, 3_000).map(({ headers }) => headers?.["ce_id"])).toEqual(ids);
});
