import { expect, test } from "vitest";
import { createSchedule } from "../../../../faults/chaos/schedule.ts";

const HOURS_2 = 120;

const isWhom = (name: string): boolean => ["service", "store", "node"].includes(name);

test("the same seed gives the same schedule, another one another", () => {
  expect(createSchedule(7, 10)).toEqual(createSchedule(7, 10));
  expect(createSchedule(7, 10)).not.toEqual(createSchedule(8, 10));
});

test("a longer run begins like a shorter one", () => {
  const [short, long] = [createSchedule(7, 5), createSchedule(7, 10)];

  expect(long.services.slice(0, short.services.length)).toEqual(short.services);
  expect(long.stores.slice(0, short.stores.length)).toEqual(short.stores);
});

test("in time every fault hits every service and every store", () => {
  const { services, stores } = createSchedule(1, HOURS_2);
  const whomOf = (fault: object) => Object.entries(fault).flatMap(([name, value]) => (isWhom(name) ? [value] : []));
  const reported = new Set([...services, ...stores].map(({ fault }) => [fault.kind, ...whomOf(fault)].join(" ")));

  const withEach = (kinds: readonly string[], whom: readonly string[]) =>
    kinds.flatMap((kind) => whom.map((each) => `${kind} ${each}`));
  expect([...reported].sort()).toEqual(
    [
      ...withEach(["kill", "terminate", "hang", "wrong clock"], ["api", "projector", "state-machine"]),
      ...withEach(["kill store", "away", "freeze"], ["kafka", "registry", "redis", "clickhouse"]),
      ...withEach(["broker away", "surge"], ["0", "1", "2"]),
      "kill webhooks",
      "guests",
      "flood",
      "rude subscribers",
      "flush redis",
    ].sort(),
  );
  const times = (strikes: typeof services) => strikes.map(({ atMs }) => atMs);
  for (const lane of [services, stores]) expect(times(lane)).toEqual(times(lane).toSorted((a, b) => a - b));
});
