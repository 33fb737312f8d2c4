import { expect, test } from "vitest";
import { shareCalls } from "../../../../services/common/share-calls.ts";

test("a burst of callers is answered by two calls, and nobody by one that began before it asked", async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  const ask = shareCalls(() => {
    const call = Promise.withResolvers<void>();
    begun.push(call);
    return call.promise;
  });

  const first = ask();
  const later = [ask(), ask(), ask()];
  begun[0]?.resolve();
  await first;
  await Promise.resolve();
  expect(begun).toHaveLength(2);
  begun[1]?.resolve();
  await Promise.all(later);

  expect(begun).toHaveLength(2);
});

test("a call that fails fails its own callers only", async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  const ask = shareCalls(() => {
    const call = Promise.withResolvers<void>();
    begun.push(call);
    return call.promise;
  });

  const first = ask();
  const second = ask();
  begun[0]?.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  begun[1]?.resolve();

  await expect(second).resolves.toBeUndefined();
});
