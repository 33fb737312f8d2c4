import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FetchSchema } from "../../../../../services/common/registry/fetch-schema.ts";
import { RegistryUnavailable } from "../../../../../services/common/registry/registry-unavailable.ts";
import { createSchemasById } from "../../../../../services/common/registry/schemas-by-id.ts";

beforeEach(() => void vi.useFakeTimers({ loopLimit: 100_000 }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const found = { ok: true, schema: "{}" } as const;

/** A registry that has the ids up to 9. */
function createAsked(
  fetchSchema: FetchSchema = async (id) => (id < 10 ? found : undefined),
  readerOf = () => ({ name: "reader" }),
) {
  const asked: number[] = [];
  const schemas = createSchemasById(async (id) => {
    asked.push(id);
    return fetchSchema(id);
  }, readerOf);
  const load = async (ids: readonly number[]) => {
    const [outcome] = await Promise.all([schemas.load(ids).then(() => "loaded", String), vi.runAllTimersAsync()]);
    return outcome;
  };
  return { schemas, asked, load };
}

test("an id that the registry does not have is asked for three times, and then refused without a question", async () => {
  const { schemas, asked, load } = createAsked();

  expect(await load([70])).toBe("loaded");
  expect(schemas.get(70)).toBe("unknown schema id 70");
  expect(asked).toEqual([70, 70, 70]);
});

test("an id that another instance of the registry has only later is loaded", async () => {
  let answers = 0;
  const { schemas, load } = createAsked(async () => (++answers < 3 ? undefined : found));

  await load([5]);

  expect(schemas.get(5)).toEqual({ name: "reader" });
});

const INVENTED = Array.from({ length: 20_000 }, (_, i) => 1_000 + i);

test("in a flood of invented ids no id is refused unasked, and those that the registry has are loaded", async () => {
  const { schemas, asked, load } = createAsked();

  await load([1, ...INVENTED, 2, 3]);

  for (const id of [1, 2, 3]) expect(schemas.get(id)).toEqual({ name: "reader" });
  expect(new Set(asked)).toEqual(new Set([1, ...INVENTED, 2, 3]));
});

test("a flood of 20 000 invented ids costs the registry 50 questions a second, and no more than 32 second ones", async () => {
  const { asked, load } = createAsked();
  const startedAt = performance.now();

  await load(INVENTED);

  const seconds = (performance.now() - startedAt) / 1_000;
  expect(asked.length).toBeLessThanOrEqual(INVENTED.length + 32);
  // The questions of one second may come all at once.
  expect(asked.length).toBeLessThanOrEqual(50 * (seconds + 1) + 1);
});

test("while one partition asks for a flood of ids, another one gets the id that it waits for", async () => {
  const { schemas, asked } = createAsked();
  const flood = schemas.load(INVENTED);
  await vi.advanceTimersByTimeAsync(10_000);
  const before = asked.length;

  await Promise.all([schemas.load([5]), vi.advanceTimersByTimeAsync(1_000)]);

  expect(schemas.get(5)).toEqual({ name: "reader" });
  expect(asked.indexOf(5) - before).toBeLessThan(10);
  await Promise.all([flood, vi.runAllTimersAsync()]);
});

test("a registry that goes away in the middle of a flood is asked no further", async () => {
  let answers = 0;
  const { asked, load } = createAsked(async () => {
    if (++answers === 100) throw new RegistryUnavailable("away");
    return undefined;
  });

  expect(await load(INVENTED)).toBe("RegistryUnavailable: away");
  expect(asked.length).toBeLessThan(110);
});

test("a trickle of invented ids holds up nobody for long: after ten waits in a minute each is asked for once", async () => {
  const { asked, load } = createAsked();
  const startedAt = performance.now();

  for (let id = 100; id < 200; id++) await load([id]);

  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(asked.length).toBeLessThan(120);
});

test("few questions are under way at once, and those for one id are one", async () => {
  let underWay = 0;
  let most = 0;
  const { asked, schemas } = createAsked(async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 1));
    underWay -= 1;
    return found;
  });
  const ids = Array.from({ length: 50 }, (_, i) => i);

  await Promise.all([schemas.load(ids), schemas.load(ids), schemas.load(ids), vi.runAllTimersAsync()]);

  expect(most).toBe(4);
  expect(asked).toHaveLength(50);
});

test("while the registry is away nothing is refused", async () => {
  const { schemas, load } = createAsked(() => Promise.reject(new RegistryUnavailable("away")));

  expect(await load([7])).toBe("RegistryUnavailable: away");
  expect(schemas.get(7)).toBeUndefined();
});

const LARGE = { ok: true, schema: "x".repeat(32 * 1024) } as const;
const ids = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

test("the schema that was not named for longest makes room for another one, and is loaded again", async () => {
  const { schemas, load } = createAsked(async () => LARGE);
  schemas.set(500, { name: "own" });
  await load(ids(1, 64));
  schemas.get(1);

  await load([100]);

  expect(schemas.get(2)).toBeUndefined();
  for (const id of [1, ...ids(3, 62), 100, 500]) expect(schemas.get(id)).toBeTypeOf("object");
  await load([2]);
  expect(schemas.get(2)).toEqual({ name: "reader" });
});

test("a schema that cannot be read is fetched once, however long messages name it", async () => {
  const { schemas, asked, load } = createAsked(async () => ({ ok: false, reason: "too large" }));
  await load([1]);

  await vi.advanceTimersByTimeAsync(3_600_000);

  expect(schemas.get(1)).toBe("schema id 1 cannot be read: too large");
  expect(asked).toEqual([1]);
});

test("schemas that take long to compile leave the process four fifths of its time", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const compiledAt: number[] = [];
  const { schemas } = createAsked(
    async () => found,
    () => {
      compiledAt.push(Date.now());
      now += 50;
      return { name: "reader" };
    },
  );
  const startedAt = Date.now();

  await Promise.all([schemas.load(ids(1, 4)), vi.runAllTimersAsync()]);

  expect(compiledAt.map((at) => at - startedAt)).toEqual([0, 200, 400, 600]);
});

const PATIENCE_MS = 60_000;

test("a schema of tracklog that the registry does not have yet is waited for, not refused", async () => {
  let answer: typeof found | undefined;
  const { schemas } = createAsked(async () => answer);

  await expect(schemas.loadOwn([5], PATIENCE_MS)).rejects.toThrow(RegistryUnavailable);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1_000);
  await expect(schemas.loadOwn([5], PATIENCE_MS)).rejects.toThrow(RegistryUnavailable);
  expect(schemas.getOwn(5)).toBeUndefined();
  answer = found;
  await schemas.loadOwn([5], PATIENCE_MS);

  expect(schemas.getOwn(5)).toEqual({ name: "reader" });
});

test("it is refused only after the registry has not had it for long", async () => {
  const { schemas } = createAsked(async () => undefined);
  await expect(schemas.loadOwn([5], PATIENCE_MS)).rejects.toThrow(RegistryUnavailable);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);

  await schemas.loadOwn([5], PATIENCE_MS);

  expect(schemas.getOwn(5)).toBe("unknown schema id 5");
});

test("an id that was invented before the registry gave it to a schema of tracklog is loaded all the same", async () => {
  let answer: typeof found | undefined;
  const { schemas, load } = createAsked(async () => answer);
  await load([5]);
  answer = found;

  await schemas.loadOwn([5], PATIENCE_MS);

  expect(schemas.get(5)).toEqual({ name: "reader" });
});

test("a schema of tracklog stays, whatever other producers name", async () => {
  const { schemas, load } = createAsked(async () => LARGE);
  await load([1]);
  await schemas.loadOwn([1, 2], PATIENCE_MS);

  await load(ids(100, 200));

  for (const id of [1, 2]) expect(schemas.getOwn(id)).toEqual({ name: "reader" });
});

test("an id that no registry can have is refused unasked", () => {
  const { schemas } = createAsked();

  expect(schemas.get(2 ** 32 - 1)).toBe("unknown schema id 4294967295");
});
