// Two instances, a thousand concurrent updates of different fields of the same objects. Each field has a writer,
// which continues when one of the two instances has acknowledged its last value. The last acknowledged value must be
// there at the end.
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseZone } from "../../../projections/live/stored.ts";
import type { Zone } from "../../../schemas/events.ts";
import { type PartitionKeys, partitionKeys } from "../../../schemas/redis-keys.ts";
import { toPolygon } from "../../../services/api/fields/types/geo.ts";
import { readGeofences } from "../../support/oracles/final-state-live.ts";
import { createClient, createInstallation, WAIT } from "./services.ts";

type Client = ReturnType<typeof createClient>;

/** For one object, the values of each field in the order in which its writer sends them. */
interface Subject {
  readonly type: "Zone" | "Site" | "Device" | "Geofence";
  readonly id: string;
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
}

const OBJECTS = 8;
const PARTITIONS = 3;

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const triangle = (size: number) => [
  [
    [0, 0],
    [size + 1, 0],
    [0, size + 1],
    [0, 0],
  ],
];
const polygon = (size: number) => ({ coordinates: triangle(size) });

let installation: Awaited<ReturnType<typeof createInstallation>>;
let clients: readonly Client[];
let token: Record<string, string>;

beforeAll(async () => {
  installation = await createInstallation();
  installation.start("state-machine");
  const urls = await Promise.all([installation.startApi(), installation.startApi()]);
  token = { ...(await installation.createToken("read,write")) };
  clients = urls.map((url) => createClient(url, token));
  for (const ask of clients)
    await vi.waitFor(async () => expect((await ask("{ zones { totalCount } }")).status).toBe(200), WAIT);
});

afterAll(() => installation.stop());

const clientOf = (turn: number): Client => {
  const client = clients[turn % clients.length];
  if (client === undefined) throw new Error("no client");
  return client;
};

/** Sends the update until an instance acknowledges it: an instance may answer UNAVAILABLE. */
async function acknowledged(ask: Client, query: string, variables: object): Promise<Record<string, string>> {
  for (;;) {
    const { body } = await ask(query, variables);
    if (body.errors === undefined) return Object.values<Record<string, string>>(body.data)[0] ?? {};
    if (body.errors[0].extensions.code !== "UNAVAILABLE") throw new Error(JSON.stringify(body.errors));
  }
}

async function createSubjects(): Promise<readonly Subject[]> {
  const create = async (type: string, input: object): Promise<string> => {
    const member = type.charAt(0).toLowerCase() + type.slice(1);
    const query = `mutation ($input: Create${type}Input!) { create${type}(${member}: $input) { id } }`;
    return (await acknowledged(clientOf(0), query, { input }))["id"] ?? "";
  };
  const cameras = await Promise.all(range(4).map((i) => create("DataSource", { name: `camera ${i}`, type: "FOLDER" })));
  const subjects = await Promise.all(
    range(OBJECTS).map(async (i): Promise<Subject[]> => {
      const site = await create("Site", { name: "site" });
      const device = await create("Device", { name: "device", enabled: true });
      const zone = await create("Zone", { name: "zone", dataSourceId: cameras[0], polygon: polygon(0) });
      const geofenced = { name: "geofence", siteId: site, bounds: { polygon: polygon(0) }, active: true };
      const geofence = await create("Geofence", geofenced);
      const steps = range(10);
      const names = steps.map((step) => `${i} ${step}`);
      const places = steps.map((step) => ({ coordinates: [step, i] }));
      const positions = { name: names, position: places };
      const zoned = steps.slice(0, 6);
      return [
        {
          type: "Site",
          id: site,
          fields: {
            ...positions,
            timezone: steps.map((n) => `Etc/GMT+${n}`),
            polygon: steps.map((n) => ({ coordinates: [triangle(n)] })),
          },
        },
        {
          type: "Device",
          id: device,
          fields: {
            ...positions,
            enabled: steps.map((n) => n % 2 === 0),
            externalId: names,
            address: names,
            transcoderId: names,
            siteId: steps.map((n) => (n % 2 === 0 ? site : null)),
          },
        },
        {
          type: "Zone",
          id: zone,
          fields: {
            name: names.slice(0, 6),
            polygon: zoned.map(polygon),
            active: zoned.map((n) => n % 2 === 0),
            dataSourceId: zoned.map((n) => cameras[(n + i + 1) % 4]),
          },
        },
        {
          type: "Geofence",
          id: geofence,
          fields: {
            name: names.slice(0, 6),
            labels: zoned.map((n) => [`${i}`, `${n}`]),
            bounds: zoned.map((n) => ({ polygon: polygon(n) })),
            active: zoned.map((n) => n % 2 === 1),
          },
        },
      ];
    }),
  );
  return subjects.flat();
}

/** Waits until both instances know the objects: before that they would refuse the updates. */
async function known(subjects: readonly Subject[]): Promise<void> {
  for (const ask of clients) {
    await vi.waitFor(async () => {
      expect(await Promise.all(subjects.map((each) => readOf(ask, each)))).not.toContain(null);
    }, WAIT);
  }
}

/** Resolves with the number of acknowledged updates. */
async function updateAll({ type, id, fields }: Subject, first: number): Promise<number> {
  const query = `mutation ($input: Update${type}Input!) { update${type}(${type.toLowerCase()}: $input) { id } }`;
  const counts = await Promise.all(
    Object.entries(fields).map(async ([field, values], i) => {
      for (const [turn, value] of values.entries()) {
        await acknowledged(clientOf(first + i + turn), query, { input: { id, [field]: value } });
      }
      return values.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const selections = {
  Zone: "name active polygon { coordinates } dataSource { id }",
  Site: "name timezone position { coordinates } polygon { coordinates }",
  Device: "name enabled externalId address transcoderId position { coordinates } site { id }",
  Geofence: "name labels active bounds { polygon { coordinates } }",
};

async function readOf(ask: Client, { type, id }: Subject): Promise<unknown> {
  const { body } = await ask(`{ it: ${type.toLowerCase()}(id: "${id}") { ${selections[type]} } }`);
  return body.data.it;
}

/** The object that must be there when all writers are done. */
function endOf({ fields }: Subject): object {
  const last = Object.entries(fields).map(([field, values]) => [field.replace(/Id$/, ""), values.at(-1)] as const);
  const members = last.map(([field, value]) => {
    if (field === "dataSource" || field === "site") return [field, value === null ? null : { id: value }];
    return [field === "external" || field === "transcoder" ? `${field}Id` : field, value];
  });
  return Object.fromEntries(members);
}

/** Reads something of the live state of each partition. */
async function ofPartitions<T>(read: (redis: Redis, keys: PartitionKeys) => Promise<T>): Promise<readonly T[]> {
  const redis = new Redis(installation.env["REDIS_URL"] ?? "");
  try {
    const keys = range(PARTITIONS).map((i) => partitionKeys(installation.env.TRACKLOG_NAMESPACE, i));
    return await Promise.all(keys.map((each) => read(redis, each)));
  } finally {
    redis.disconnect();
  }
}

async function liveZones(): Promise<readonly Zone[]> {
  const texts = await ofPartitions((redis, { zones }) => redis.hvals(zones));
  return texts.flat().map((text) => parseZone(text).definition);
}

/** Resolves with the catalog's offset up to which each partition knows the geofences. */
const geofencesUpTo = () =>
  ofPartitions(async (redis, { position }) => Number(await redis.hget(position, "geofences")));

const asAnswered = ({ name, active, polygon: { rings }, dataSourceId }: Zone) => ({
  name,
  active,
  polygon: { coordinates: toPolygon({ rings, crs: null }).coordinates },
  dataSource: { id: dataSourceId },
});

test("no acknowledged change is lost, and all views and the live state agree at the end", {
  timeout: 180_000,
}, async () => {
  const subjects = await createSubjects();
  await known(subjects);
  const counts = await Promise.all(subjects.map(updateAll));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1_000);

  const fresh = createClient(await installation.startApi(), token);
  for (const ask of [...clients, fresh]) {
    await vi.waitFor(async () => {
      expect(await Promise.all(subjects.map((each) => readOf(ask, each)))).toEqual(subjects.map(endOf));
    }, WAIT);
  }

  const zones = new Map(subjects.filter(({ type }) => type === "Zone").map((zone) => [zone.id, endOf(zone)]));
  // The state machine saves the live state after it has said what became of a zone.
  await vi.waitFor(async () => {
    const live = await liveZones();
    expect(new Map(live.map((zone) => [zone.zoneId, asAnswered(zone)]))).toEqual(zones);
    expect(live).toHaveLength(zones.size);
  }, WAIT);

  const newest = (await readGeofences(installation)).newest();
  await vi.waitFor(async () => {
    const upTo = await geofencesUpTo();
    expect(new Set(upTo).size).toBe(1);
    // Beyond the newest change of a place there may be changes of names and labels.
    expect(upTo[0]).toBeGreaterThanOrEqual(newest);
  }, WAIT);
});

test("of two moves at once each is acknowledged, and the zone is at one place", { timeout: 120_000 }, async () => {
  const create = async (mutation: string) => (await acknowledged(clientOf(0), mutation, {}))["id"] ?? "";
  const cameras = await Promise.all(
    range(6).map((i) => create(`mutation { createDataSource(dataSource: { name: "${i}", type: FOLDER }) { id } }`)),
  );
  const zoned = "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }";
  const zone = { name: "moved", dataSourceId: cameras[0], polygon: polygon(0) };
  const { id = "" } = await acknowledged(clientOf(0), zoned, { zone });
  await known([{ type: "Zone", id, fields: {} }]);
  const update = "mutation ($zone: UpdateZoneInput!) { updateZone(zone: $zone) { id } }";

  for (const turn of range(8)) {
    const goals = [cameras[(turn + 1) % 6], cameras[(turn + 3) % 6]];
    await Promise.all([
      ...goals.map((dataSourceId, i) => acknowledged(clientOf(i), update, { zone: { id, dataSourceId } })),
      acknowledged(clientOf(turn), update, { zone: { id, name: `turn ${turn}` } }),
    ]);
    await vi.waitFor(async () => {
      const here = (await liveZones()).filter(({ zoneId }) => zoneId === id);
      expect(here.map(({ name }) => name)).toEqual([`turn ${turn}`]);
      expect(goals).toContain(here[0]?.dataSourceId);
      for (const ask of clients) {
        const answer = await readOf(ask, { type: "Zone", id, fields: {} });
        expect(answer).toMatchObject({ name: `turn ${turn}`, dataSource: { id: here[0]?.dataSourceId } });
      }
    }, WAIT);
  }
});
