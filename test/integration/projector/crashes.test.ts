import { expect, onTestFinished, test, vi } from "vitest";
import { namedKinds } from "../../../projections/history/kinds.ts";
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import { groupName } from "../../../schemas/topics.ts";
import { topicIds } from "../../../services/common/kafka/log-id.ts";
import { createGroupReader } from "../../../services/common/kafka/read/group-reader.ts";
import type { SendDeadLetters } from "../../../services/projector/dead-letters.ts";
import { createHistoryStore, type HistoryStore } from "../../../services/projector/history-store.ts";
import { createProjector } from "../../../services/projector/projector.ts";
import { howMany } from "../../support/random/how-many.ts";
import { createWorld, seeded } from "../history/world.ts";
import { createInstallation, expectProjected, type Installation, shareInstallation } from "./installation.ts";

const sharedInstallation = shareInstallation();

interface Ports {
  readonly store: HistoryStore;
  readonly sendDeadLetters: SendDeadLetters;
}

const never = (): Promise<never> => Promise.reject(new Error("the process is gone"));

/** Starts a projector over the ports; the returned function stops it, or else the end of the test. */
async function startWith(installation: Installation, { store, sendDeadLetters }: Ports, flushMs = 10) {
  const { kafka, log, codec, config, topic } = installation;
  const cameraLog = topic("camera-log");
  const intersections = topic("zone-intersections");
  const groupId = `${installation.namespace}.crashing`;
  const projector = createProjector({
    reader: createGroupReader({
      kafka,
      groupId,
      topics: [cameraLog, intersections],
      log,
      loadSchemas: codec.loadSchemas,
    }),
    store,
    sendDeadLetters,
    logIds: (names) => topicIds(kafka, names),
    log,
    project: { codec, topics: namedKinds(installation.namespace), bounds: eventBoundsOf(config), maxRows: 100 },
    flushMs,
    maxFlushMs: flushMs,
  });
  await projector.start();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= projector.stop();
    return stopped;
  };
  onTestFinished(stop);
  return stop;
}

// Every point at which a process may die, as a port that works up to that point and never again.
const deaths: readonly [where: string, dying: (ports: Ports, onDeath: () => void) => Ports][] = [
  [
    "before the insert",
    (ports, onDeath) => ({
      ...ports,
      store: {
        ...ports.store,
        insert: () => {
          onDeath();
          return never();
        },
      },
    }),
  ],
  [
    "between the inserts into two tables",
    (ports, onDeath) => ({
      ...ports,
      store: {
        ...ports.store,
        async insert(tables, covered) {
          await ports.store.insert(tables.slice(0, 1), covered);
          onDeath();
          return never();
        },
      },
    }),
  ],
  [
    "between insert and dead letters",
    (ports, onDeath) => ({
      ...ports,
      store: {
        ...ports.store,
        async savePositions() {
          onDeath();
          return never();
        },
      },
      sendDeadLetters: () => {
        onDeath();
        return never();
      },
    }),
  ],
  [
    "between dead letters and position",
    (ports, onDeath) => ({
      ...ports,
      store: {
        ...ports.store,
        savePositions: () => {
          onDeath();
          return never();
        },
      },
    }),
  ],
  [
    "between position and commit",
    (ports, onDeath) => ({
      ...ports,
      store: {
        ...ports.store,
        async savePositions(covered) {
          await ports.store.savePositions(covered);
          onDeath();
          return never();
        },
      },
    }),
  ],
];

test.each(deaths)("a projector killed %s loses and doubles nothing", async (where, dying) => {
  const installation = sharedInstallation();
  const { client, publish, topic } = installation;
  await installation.record(createWorld(51, 200), where);
  const [bad] = await publish([{ topic: topic("camera-log"), key: "ds-a", value: Buffer.from("garbage") }]);
  await installation.record(createWorld(52, 200), where);
  const sent: string[] = [];
  const ports: Ports = {
    store: createHistoryStore(client),
    sendDeadLetters: async (letters) => {
      sent.push(...letters.map(({ id }) => id));
    },
  };

  const died = Promise.withResolvers<void>();
  const stop = await startWith(installation, dying(ports, died.resolve));
  await died.promise;
  await stop();
  await startWith(installation, ports);
  await installation.caughtUp();

  await expectProjected(installation);
  expect([...new Set(sent)]).toEqual([`${bad?.topic}/${bad?.partition}/${bad?.offset}`]);
});

test("a store that fails for a while holds the projector up and costs nothing", async () => {
  const installation = sharedInstallation();
  await installation.record(createWorld(53, 200), "of a while");
  const store = createHistoryStore(installation.client);
  let failures = 0;
  const sometimes = <T extends unknown[], R>(work: (...args: T) => Promise<R>) => {
    let call = 0;
    return async (...args: T): Promise<R> => {
      call += 1;
      if (call > 4 && call % 5 !== 0) return work(...args);
      failures += 1;
      // For the projector, a lost answer looks the same as a request that never arrived.
      if (call % 2 === 1) await work(...args);
      throw new Error("away");
    };
  };
  await startWith(installation, {
    store: {
      insert: sometimes(store.insert),
      savePositions: sometimes(store.savePositions),
      loadPositions: sometimes(store.loadPositions),
    },
    sendDeadLetters: async () => undefined,
  });
  await installation.caughtUp();

  await expectProjected(installation);
  expect(failures).toBeGreaterThan(8);
});

const KILLS = howMany({ short: 4, full: 10 });

test("kill -9 again and again at any moment: the end is as if nothing had happened", async () => {
  const installation = await createInstallation();
  const random = seeded(54);
  const world = createWorld(55, KILLS * 300, 30);
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await installation.spawnProjector();
    await installation.record({
      log: world.log.slice(kill * 300, (kill + 1) * 300),
      changes: world.changes.slice(kill * 12, (kill + 1) * 12),
    });
    const aim = Math.floor(random() * (kill + 1) * 300);
    await vi.waitFor(async () => expect(await rowsStored(installation)).toBeGreaterThanOrEqual(aim / 2), {
      timeout: 30_000,
      interval: 20,
    });
    await child.kill();
  }
  const last = await installation.spawnProjector();
  await installation.caughtUp();

  await expectProjected(installation);
  expect(await last.stop()).toBe(0);
});

async function rowsStored({ client }: Installation): Promise<number> {
  const result = await client.query({ query: "SELECT count() AS n FROM detections_v1", format: "JSONEachRow" });
  const [row] = await result.json<{ n: string }>();
  return Number(row?.n);
}

test("two projectors share the partitions, and one takes over what the other leaves", async () => {
  const installation = sharedInstallation();
  const world = createWorld(56, 1_200, 20);
  const part = (i: number) => ({
    log: world.log.slice(i * 300, (i + 1) * 300),
    changes: world.changes.slice(i * 30, (i + 1) * 30),
  });
  const first = await installation.spawnProjector();
  await installation.record(part(0), "of two");
  await installation.caughtUp();
  const second = await installation.spawnProjector();
  await installation.record(part(1), "of two");
  await vi.waitFor(async () => expect(await membersWithWork(installation)).toBe(2), { timeout: 30_000, interval: 100 });
  await installation.record(part(2), "of two");
  expect(await first.stop()).toBe(0);
  await installation.record(part(3), "of two");
  await installation.caughtUp();

  await expectProjected(installation);
  expect(await second.stop()).toBe(0);
});

async function membersWithWork({ admin, namespace }: Installation): Promise<number> {
  const { groups } = await admin.describeGroups([groupName(namespace, "projector")]);
  return groups[0]?.members.filter(({ memberAssignment }) => memberAssignment.length > 0).length ?? 0;
}

// The last: its large messages remain in the log.
test("more bad letters than are taken at once are sent one portion after the other", async () => {
  const installation = sharedInstallation();
  const { client, publish, topic } = installation;
  const garbage = () => ({ topic: topic("camera-log"), key: "ds-a", value: Buffer.alloc(3 * 1024 * 1024) });
  const bad = await publish(Array.from({ length: 6 }, garbage));
  const sent: string[] = [];
  const ports: Ports = {
    store: createHistoryStore(client),
    sendDeadLetters: async (letters) => {
      const bytes = letters.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
      if (bytes > 8 * 1024 * 1024) throw new Error("more than is taken at once");
      sent.push(...letters.map(({ id }) => id));
    },
  };
  // Long enough for all of them to be in one flush.
  await startWith(installation, ports, 2_000);
  await installation.caughtUp();

  expect(sent).toEqual(bad.map(({ topic: name, partition, offset }) => `${name}/${partition}/${offset}`));
});
