import { expect, test } from "vitest";
import { perOutput } from "../../../schemas/outputs.ts";
import type { OutMessage } from "../../../services/common/kafka/publisher.ts";
import { createLog } from "../../../services/common/log.ts";
import { finishRound } from "../../../services/state-machine/finish-round.ts";
import { createOwned } from "../../../services/state-machine/owned.ts";
import { freshPartition, storeOf } from "./machine.ts";

const MIB = 1024 * 1024;

test("the messages of a round that are too many for the memory are made and written in portions, in their order", async () => {
  let made = 0;
  const written: { readonly made: number; readonly keys: readonly string[] }[] = [];
  function* messages(): Generator<OutMessage, void> {
    for (; made < 50; made++) yield { topic: "signals", key: `${made}`, value: Buffer.alloc(MIB) };
  }
  const owned = createOwned(freshPartition(0), 0, 1);

  await finishRound(
    { owned, messages: messages(), save: undefined },
    {
      publishers: {
        publish: async (_, portion) => {
          written.push({ made, keys: portion.map(({ key }) => `${key}`) });
          return [];
        },
        reset: async () => undefined,
      },
      store: storeOf([], async () => "saved"),
      outputTopics: perOutput((topic) => topic),
      isOurs: () => true,
      log: createLog("test", "silent"),
      patience: { log: createLog("test", "silent"), signal: new AbortController().signal },
    },
  );

  expect(written.flatMap(({ keys }) => keys)).toEqual(Array.from({ length: 50 }, (_, i) => `${i}`));
  expect(written.map(({ keys }) => keys.length)).toEqual([16, 16, 16, 2]);
  expect(written.map((each) => each.made)).toEqual([15, 31, 47, 50]);
  expect(owned.failures).toBe(0);
});
