import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type BoundedRuns, createBoundedRuns, orEnd } from "../../../../services/recorded/bounded-runs.ts";
import { SessionFailed } from "../../../../services/recorded/failed.ts";

const NEVER = new AbortController().signal;
const caller = { tokenId: "a", gone: NEVER };
const create = (options: { readonly most?: number; readonly limitMs?: number } = {}): BoundedRuns =>
  createBoundedRuns({ most: 16, running: 2, limitMs: 60_000, tooLong: "too long", ...options });
const hangs = () => new Promise<never>(() => {});

test("work that a store holds up is refused in time, and so is what waits for it", async () => {
  const runs = create({ limitMs: 20 });

  const refused = await Promise.allSettled([1, 2, 3].map(() => runs(caller, hangs)));

  for (const each of refused) expect(each).toMatchObject({ reason: { code: "QUERY_TOO_HEAVY", message: "too long" } });
});

test("work ends with its caller, also before it begins", async () => {
  const leaving = new AbortController();
  const runs = create();
  let isOver: (() => boolean) | undefined;
  const running = runs({ ...caller, gone: leaving.signal }, async ({ ending }) => {
    isOver = () => ending.signal.aborted;
    return hangs();
  });
  await delay(1);

  leaving.abort();

  await expect(running).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(isOver?.()).toBe(true);
  await expect(runs({ ...caller, gone: leaving.signal }, async () => 1)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("a caller has three quarters of the places, and gets them back", async () => {
  const runs = create({ most: 4 });
  const release = Promise.withResolvers<number>();
  const taken = [1, 2, 3].map(() => runs(caller, () => release.promise));

  await expect(runs(caller, async () => 1)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  const other = runs({ ...caller, tokenId: "b" }, async () => 2);
  release.resolve(7);

  expect(await Promise.all([...taken, other])).toEqual([7, 7, 7, 2]);
  expect(await runs(caller, async () => 3)).toBe(3);
});

test("a store that fails ends the work with its error, a mistake leaves it to the work", async () => {
  const away = Object.assign(new Error("away"), { code: "ECONNREFUSED" });
  const failing = (error: Error) =>
    create()(caller, async ({ ending }) => {
      // Sessions would wait here for an hour.
      await orEnd(Promise.reject(error), ending).catch(() => hangs());
    });

  await expect(failing(away)).rejects.toBe(away);
  await expect(create()(caller, ({ ending }) => orEnd(Promise.reject(new Error("wrong")), ending))).rejects.toThrow(
    "wrong",
  );
  await expect(
    create()(caller, async () => {
      throw new SessionFailed("the log no longer has it");
    }),
  ).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("long work leaves the event loop to others again and again", async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 1);

  await create()(caller, async ({ pace }) => {
    for (const end = performance.now() + 200; performance.now() < end; ) await pace();
  });
  clearInterval(counting);

  expect(turns).toBeGreaterThan(3);
});
