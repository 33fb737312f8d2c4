import { expect, test } from "vitest";
import { createLog } from "../../../../services/common/log.ts";
import { readMessages } from "../../../../services/recorded/read-messages.ts";

const unused = () => {
  throw new Error("not used here");
};

test("a reader leaves room before each portion, also when it passes over all messages", async () => {
  const done: string[] = [];
  const message = (offset: number) => ({ key: null, value: null, attributes: 0, timestamp: "0", offset: `${offset}` });
  const deps = {
    fetcher: {
      fetch: async (_: object, offset: number) => {
        done.push(`portion at ${offset}`);
        return {
          messages: [
            { ...message(offset), headers: {} },
            { ...message(offset + 1), headers: {} },
          ],
          next: offset + 2,
        };
      },
    },
    codec: { encode: unused, decode: unused, loadSchemas: async () => undefined },
    throttle: async () => void done.push("room"),
    log: createLog("test", "silent"),
    signal: new AbortController().signal,
  };

  for await (const _ of readMessages({ topic: "zones", partition: 0, begin: 0, end: 5 }, deps));

  expect(done).toEqual(["room", "portion at 0", "room", "portion at 2", "room", "portion at 4"]);
});
