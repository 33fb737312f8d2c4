// A change that one instance has acknowledged: another instance that is asked at once neither misses nor forgets it.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createClient, createInstallation, WAIT } from "./services.ts";

const TIMES = 20;

let installation: Awaited<ReturnType<typeof createInstallation>>;
let first: ReturnType<typeof createClient>;
let second: ReturnType<typeof createClient>;

beforeAll(async () => {
  installation = await createInstallation();
  installation.start("state-machine");
  const urls = await Promise.all([installation.startApi(), installation.startApi()]);
  const token = await installation.createToken("read,write");
  [first, second] = [createClient(urls[0] ?? "", token), createClient(urls[1] ?? "", token)];
  for (const ask of [first, second])
    await vi.waitFor(async () => expect((await ask("{ zones { totalCount } }")).status).toBe(200), WAIT);
});

afterAll(() => installation.stop());

const create = (ask: typeof first, type: string, input: object) => {
  const member = type === "DeviceCalibration" ? "calibration" : type.charAt(0).toLowerCase() + type.slice(1);
  return ask(`mutation ($input: Create${type}Input!) { made: create${type}(${member}: $input) { id } }`, { input });
};

async function made(ask: typeof first, type: string, input: object): Promise<string> {
  const { body } = await create(ask, type, input);
  expect(body.errors).toBeUndefined();
  return body.data.made.id;
}

test("what one instance has just created can be referred to at the other one", { timeout: 60_000 }, async () => {
  const polygon = {
    coordinates: [
      [
        [0, 0],
        [9, 0],
        [0, 9],
        [0, 0],
      ],
    ],
  };
  for (let time = 0; time < TIMES; time++) {
    const siteId = await made(first, "Site", { name: "site" });
    await made(second, "Device", { name: "device", enabled: true, siteId });
    const dataSourceId = await made(second, "DataSource", { name: "camera", type: "FOLDER" });
    const zone = await made(first, "Zone", { name: "zone", dataSourceId, polygon });
    const { body } = await second("mutation ($id: ID!) { deleteZone(id: $id) { id } }", { id: zone });
    expect(body.errors).toBeUndefined();
  }
});

test("what one instance has just written to refer to an object keeps the other one from deleting it", {
  timeout: 60_000,
}, async () => {
  for (let time = 0; time < TIMES; time++) {
    const siteId = await made(first, "Site", { name: "site" });
    const device = await made(first, "Device", { name: "device", enabled: true, siteId });
    const { body } = await second("mutation ($id: ID!) { deleteSite(id: $id) { id } }", { id: siteId });
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: "CONFLICT", referrers: [device] });
  }
});

test("a mutation judges by the position that its caller has seen", { timeout: 60_000 }, async () => {
  const id = await made(first, "Site", { name: "site" });
  for (let time = 0; time < TIMES; time++) {
    const written = await first("mutation ($s: UpdateSiteInput!) { updateSite(site: $s) { id } }", {
      s: { id, name: `${time}` },
    });
    const position = { "x-min-position": written.body.extensions.position };
    const touched = await second(
      "mutation ($s: UpdateSiteInput!) { updateSite(site: $s) { name } }",
      { s: { id } },
      position,
    );
    expect(touched.body.data.updateSite.name).toBe(`${time}`);
  }
});

test("a track's id that another data source's track has is refused with CONFLICT, at every instance", async () => {
  const [left, right] = [
    await made(first, "DataSource", { name: "left", type: "FOLDER" }),
    await made(first, "DataSource", { name: "right", type: "FOLDER" }),
  ];
  const track = { id: "17", tag: "car", startTime: "2026-01-01T00:00:00.000Z", detections: [] };
  await made(first, "Track", { ...track, dataSourceId: left });

  for (const ask of [first, second]) {
    const { body } = await create(ask, "Track", { ...track, dataSourceId: right });
    expect(body.errors?.[0]?.extensions.code).toBe("CONFLICT");
  }
  expect(await made(second, "Track", { ...track, dataSourceId: left })).toBe("17");
});

test("a detection is placed by the calibration whose position its caller has seen", { timeout: 60_000 }, async () => {
  const dataSourceId = await made(first, "DataSource", { name: "camera", type: "FOLDER" });
  const deviceId = await made(first, "Device", { name: "device", enabled: true, dataSourceId });
  const start = Date.UTC(2026, 0, 1);
  const track = { tag: "car", startTime: new Date(start).toISOString(), detections: [] };
  const trackId = await made(second, "Track", { ...track, dataSourceId });
  const corners = [
    [0, 0],
    [100, 0],
    [100, 100],
    [0, 100],
    [0, 0],
  ] as const;
  for (let time = 0; time < TIMES; time++) {
    const timestamp = new Date(start + time * 1_000).toISOString();
    const markers = corners.slice(1).map(([x, y], i) => ({
      name: `${i}`,
      position: { coordinates: [time + x * 1e-6, y * 1e-6] },
      pixel: { coordinates: [x, y] },
    }));
    const calibrated = await create(first, "DeviceCalibration", { deviceId, timestamp, markers });
    const detected = await second(
      "mutation ($d: CreateDetectionInput!) { createDetection(detection: $d) { position { coordinates } } }",
      { d: { trackId, timestamp, polygon: { coordinates: [corners] } } },
      { "x-min-position": calibrated.body.extensions.position },
    );
    expect(detected.body.data.createDetection.position.coordinates[0]).toBeCloseTo(time + 50e-6, 6);
  }
});
