import { expect, test, vi } from "vitest";
import { withCachedLinks } from "../../../../../services/common/media/cached-links.ts";
import type { MediaStore } from "../../../../../services/common/media/store.ts";

function cached() {
  const clock = { ms: 0 };
  const signedUrl = vi.fn(async (path: string) => `${path}?at=${clock.ms}`);
  // Only links are asked for.
  const store = withCachedLinks({ signedUrl } as Partial<MediaStore> as MediaStore, 100, () => clock.ms);
  return { clock, signedUrl, store };
}

test("a link is signed once for a tenth of its life", async () => {
  const { clock, signedUrl, store } = cached();

  const links = await Promise.all(Array.from({ length: 1_000 }, () => store.signedUrl("a")));
  clock.ms = 9_999;
  expect(new Set([...links, await store.signedUrl("a")])).toEqual(new Set(["a?at=0"]));
  clock.ms = 10_000;
  expect(await store.signedUrl("a")).toBe("a?at=10000");
  expect(await store.signedUrl("b")).toBe("b?at=10000");

  expect(signedUrl).toHaveBeenCalledTimes(3);
});

test("a link that was not signed is tried again", async () => {
  const { signedUrl, store } = cached();
  signedUrl.mockRejectedValueOnce(new Error("away"));

  await expect(store.signedUrl("a")).rejects.toThrow("away");

  expect(await store.signedUrl("a")).toBe("a?at=0");
});

test("others have their turn while many links are signed", async () => {
  const { signedUrl, store } = cached();

  const all = Promise.all(Array.from({ length: 100 }, (_, i) => store.signedUrl(`${i}`)));
  await new Promise((resolve) => setImmediate(resolve));

  expect(signedUrl.mock.calls.length).toBeLessThan(100);
  await all;
  expect(signedUrl).toHaveBeenCalledTimes(100);
});
