import { expect, test } from "vitest";
import { createSubscriptions } from "../../../../../projections/webhooks/subscriptions/subscriptions.ts";
import { createSubscriptionPlaces } from "../../../../../services/state-api/subscriptions/subscription-places.ts";
import { createRandom } from "../../../projections/live/random-log.ts";
import { subscriptionSet, subscriptionStopped } from "../../../projections/webhooks/subscriptions/subscription.ts";

type Given = Parameters<typeof subscriptionSet>[0];

function createDoor(maxBytes = 1024 ** 3, maxPerSource = 50) {
  const view = createSubscriptions();
  const places = createSubscriptionPlaces({ view, max: 10_000, maxPerToken: 10_000, maxPerSource, maxBytes });
  let offset = 0;
  const set = (key: string, given: Given) => subscriptionSet({ key, ...given }).event;
  /** Whether it was let in. */
  function post(key: string, given: Given): boolean {
    const event = set(key, given);
    try {
      places.enter(view.get(key), event)();
    } catch (error) {
      expect(error).toMatchObject({ kind: "too-many-subscriptions", status: 409 });
      return false;
    }
    view.apply({ type: "SubscriptionSet", event }, offset++);
    return true;
  }
  const take = (record: Parameters<typeof view.apply>[0]): void => view.apply(record, offset++);
  return { post, take, enter: (key: string, given: Given) => places.enter(undefined, set(key, given)) };
}

const batch = (pixels: number, given: Given = {}): NonNullable<Given> => ({
  ...{ mode: "batch", pixelProximityThreshold: pixels },
  ...given,
});
const at = (...dataSourceIds: string[]): Given => ({ filters: { dataSourceIds } });
const inSite = (...siteIds: string[]): Given => ({ filters: { siteIds } });

test("a token's subscriptions have few different settings at a data source, and leave room to those of others", () => {
  const { post } = createDoor();

  const own = [0, 1, 2].map((i) => post(`own-${i}`, batch(i)));
  const others = [3, 4].map((i) => post(`other-${i}`, batch(i, { tokenId: "token-2" })));

  expect(own).toEqual([true, true, false]);
  expect(others).toEqual([true, true]);
  expect(post("same", batch(1))).toBe(true);
  expect(post("own-0", batch(2))).toBe(true);
  expect(post("chronicles", { signalType: "activity_chronicle" })).toBe(true);
});

test("all tokens together have a bound as well, but nobody can take away what is usual", () => {
  const { post } = createDoor();
  const answers = Array.from({ length: 9 }, (_, i) => post(`s${i}`, batch(i, { tokenId: `token-${i >> 1}` })));

  expect(answers).toEqual([...Array.from({ length: 8 }, () => true), false]);
  expect(post("usual", batch(50))).toBe(true);
});

test.each([50, 200])("a token may have as many subscriptions to a data source as the setting says: %i", (most) => {
  const { post } = createDoor(1024 ** 3, most);
  const answers = Array.from({ length: most + 1 }, (_, i) => post(`s${i}`, at("cam")));

  expect(answers.indexOf(false)).toBe(most);
  expect(post("elsewhere", at("other"))).toBe(true);
  expect(post("other-token", { ...at("cam"), tokenId: "token-2" })).toBe(most < 200);
});

test("lists of tags are bounded, all tags are not", () => {
  const { post } = createDoor();
  const tags = (i: number): Given => ({ signalType: "zone_state", filters: { tags: [`t${i}`] } });

  const answers = Array.from({ length: 9 }, (_, i) => post(`s${i}`, tags(i)));

  expect(answers).toEqual([...Array.from({ length: 8 }, () => true), false]);
  expect(post("all-tags", { signalType: "zone_state" })).toBe(true);
});

test("those that name a data source, those to each site and those to all are counted apart", () => {
  const { post } = createDoor();
  const places = { a: at("a"), b: at("b", "c"), here: inSite("here"), there: inSite("there", "a"), all: {} };
  for (const [name, place] of Object.entries(places)) {
    for (let i = 0; i < 2; i++) expect(post(`${name}-${i}`, batch(i, place)), name).toBe(true);
  }

  for (const place of Object.values(places)) expect(post("more", batch(2, place))).toBe(false);
  expect(post("more", batch(2, at("d", "c")))).toBe(false);
  expect(post("more", batch(1, at("a", "b", "c", "d")))).toBe(true);
  expect(post("more-d", batch(2, at("d")))).toBe(true);
});

test("a token's 51st subscription to one data source is refused, and so is one that is asked for meanwhile", () => {
  const { post, enter } = createDoor();
  for (let i = 0; i < 49; i++) post(`s${i}`, at("cam"));
  const leave = enter("entering", at("cam"));

  expect(post("last", at("cam"))).toBe(false);
  leave();
  expect(post("last", at("cam"))).toBe(true);
  expect(post("more", at("cam"))).toBe(false);
  expect(post("s0", { ...at("cam"), webhookUrl: "https://hooks.example.com/b" })).toBe(true);
});

test("what is deleted, or stopped because its token was revoked, gives its room back; what only failed does not", () => {
  const { post, take } = createDoor();
  for (let i = 0; i < 50; i++) post(`s${i}`, at("cam"));

  take(subscriptionStopped({ id: "s0" }));
  expect(post("more", at("cam"))).toBe(false);
  take(subscriptionStopped({ id: "s1", reason: "token_revoked" }));
  expect([post("more", at("cam")), post("still-more", at("cam"))]).toEqual([true, false]);
  take(subscriptionSet({ key: "s2", deleted: true }));
  expect([post("last", at("cam")), post("too-many", at("cam"))]).toEqual([true, false]);
});

test("what is let in is what counting all others anew lets in, after any changes", () => {
  const random = createRandom(1);
  const pick = (count: number): number => Math.floor(random() * count);
  const { post, take } = createDoor();
  const present = new Map<string, Given>();
  let refused = 0;
  for (let i = 0; i < 3_000; i++) {
    const key = `s${pick(30)}`;
    const places = ["a", "b", "c"].filter(() => random() < 0.5);
    const place = random() < 0.5 ? at(...places) : inSite(...places);
    const wanted = batch(pick(12), { ...place, tokenId: `token-${pick(6)}` });
    if (random() < 0.2) {
      take(subscriptionSet({ key, deleted: true }));
      present.delete(key);
      continue;
    }
    const others = [...present].flatMap(([other, given]) => (other === key ? [] : [given]));
    const isLetIn = hasRoom(wanted, others) || isSame(wanted, present.get(key));
    expect(post(key, wanted), `step ${i}`).toBe(isLetIn);
    if (isLetIn) present.set(key, wanted);
    else refused++;
  }
  expect(refused).toBeGreaterThan(300);
});

const isSame = (a: NonNullable<Given>, b: Given): boolean => b !== undefined && claimOf(a) === claimOf(b);

const claimOf = (given: NonNullable<Given>): string =>
  JSON.stringify([given.tokenId, given.pixelProximityThreshold, placesOf(given)]);

const placesOf = ({ filters: { dataSourceIds = [], siteIds = [] } = {} }: NonNullable<Given>): string[] =>
  dataSourceIds.length > 0
    ? dataSourceIds.map((id) => `source ${id}`)
    : siteIds.length > 0
      ? siteIds.map((id) => `site ${id}`)
      : ["all"];

/** Checks the bounds on pairs of thresholds only. */
const hasRoom = (wanted: NonNullable<Given>, others: readonly Given[]): boolean =>
  placesOf(wanted).every((place) => {
    const there = others.filter((each) => each !== undefined && placesOf(each).includes(place));
    return [there, there.filter((each) => each?.tokenId === wanted.tokenId)].every((group, i) => {
      const pairs = new Set(group.map((each) => each?.pixelProximityThreshold));
      return pairs.has(wanted.pixelProximityThreshold) || pairs.size < (i === 0 ? 8 : 2);
    });
  });

test("all subscriptions together take a bounded memory, those of one token a fourth of it", () => {
  const { post } = createDoor(1024 * 1024);
  const ids = (count: number, start: string): Given => ({
    filters: { dataSourceIds: Array.from({ length: count }, (_, i) => `${start}-${i}`) },
  });

  const own = [0, 1, 2].map((n) => post(`own-${n}`, ids(200, `own-${n}`)));
  const others = Array.from({ length: 8 }, (_, n) =>
    post(`other-${n}`, { ...ids(200, `other-${n}`), tokenId: `other-${n}` }),
  );

  expect(own).toEqual([true, true, false]);
  expect(others).toEqual([...Array.from({ length: 7 }, () => true), false]);
  expect(post("own-0", { ...ids(200, "own-0"), secrets: [{ sealed: "another one", validUntil: null }] })).toBe(true);
  expect(post("own-0", ids(400, "own-0"))).toBe(false);
  expect(post("own-0", ids(1, "own-0"))).toBe(true);
  expect(post("other-7", { ...ids(50, "other-7"), tokenId: "other-7" })).toBe(true);
});
