// The endpoints of live state over states that the fold has made. test/unit/projections/live/views.test.ts has the
// rules of each member.

import { afterEach, expect, test } from "vitest";
import { createCatalog } from "../../../../../projections/catalog/catalog.ts";
import { letEverybodyIn } from "../../../../../projections/catalog/tokens.ts";
import { createZonesView } from "../../../../../projections/catalog/zones-view.ts";
import { everything } from "../../../../../projections/live/persist.ts";
import { stamp } from "../../../../../projections/live/stored.ts";
import { activeTrackFields, zoneState } from "../../../../../projections/live/views.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { createStateServer } from "../../../../../services/state-api/http/server.ts";
import type { Moments } from "../../../../../services/state-api/live/moments.ts";
import type { ReadLive } from "../../../../../services/state-api/live/read-live.ts";
import { liveRoutes } from "../../../../../services/state-api/live/routes.ts";
import {
  dataSourceCreated,
  dataSourceUpdated,
  deviceCreated,
  siteCreated,
} from "../../../../support/scenes/catalog.ts";
import { trackTexts } from "../../../../support/scenes/stored-state.ts";
import {
  type Camera,
  createCamera,
  drawn,
  expired,
  INSIDE,
  recorded,
  recordedBy,
  seen,
  T0,
  zone,
} from "../../../projections/live/camera.ts";

const HOUR_MS = 3_600_000;
const iso = (at: number): string => new Date(T0 + at).toISOString();

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const noMoments: Moments = { track: async () => undefined, zone: async () => undefined };

/** `now`: ms after T0. */
function serve(live: ReadLive, { now = 0, moments = noMoments }: { now?: number; moments?: Moments } = {}) {
  const catalog = createCatalog();
  const zones = createZonesView();
  const routes = liveRoutes({
    live,
    moments,
    catalog,
    zones,
    partitionOf: () => 3,
    endedTrackMs: HOUR_MS,
    now: () => T0 + now,
  });
  const { app } = createStateServer({
    ...{ host: "127.0.0.1", port: 0, bodyLimitBytes: 1_000, maxRequests: 10, routes },
    ...{ authenticate: letEverybodyIn, log: createLog("test", "silent") },
  });
  closing.push(() => app.close());
  const ask = async (url: string) => {
    const reply = await app.inject({ method: "GET", url });
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
  };
  return { catalog, zones, ask };
}

/**
 * Reads the cameras' states as the state machine stored them at this time (ms after T0), each in a partition of its
 * own.
 */
function storedBy(cameras: readonly Camera[], writtenAt = 0): ReadLive {
  const states = cameras.map(({ state }) => everything(state));
  const stored = (json: string | null | undefined) => (json == null ? null : stamp(json, T0 + writtenAt));
  return {
    track: async (id) =>
      states.flatMap(({ tracks, past }) => {
        const text = stored(tracks.get(id));
        return text === null ? [] : [trackTexts(text, past)];
      }),
    zone: async (id) => {
      for (const { zones, tracks } of states) {
        const text = stored(zones.get(id));
        if (text !== null)
          return zoneState(
            text,
            activeTrackFields(text).map((field) => stored(tracks.get(field))),
          );
      }
      return undefined;
    },
  };
}

const version = { zoneId: "z", dataSourceId: "cam", movedTo: null, refusal: null, partition: 3, offset: 0 };

test("a track and a zone name their data source, device and site", async () => {
  const camera = createCamera();
  camera.fold(drawn(), recorded(seen(0, INSIDE)));
  const { catalog, zones, ask } = serve(storedBy([camera], 700));
  zones.apply({ ...version, zone: zone() });

  const names = (body: object) => Object.entries(body).filter(([name]) => /^(device|datasource|site)_/.test(name));
  const known = { datasource_id: "cam", datasource_name: null, device_id: null, site_id: null, site_name: null };
  expect(Object.fromEntries(names((await ask("/api/tracks/t")).body))).toEqual(known);

  catalog.apply(dataSourceCreated("cam", { name: "Yard camera" }), 0);
  catalog.apply(siteCreated("s", { name: "Yard" }), 1);
  catalog.apply(deviceCreated("d", { dataSourceId: "cam", siteId: "s" }), 2);
  const all = { ...known, datasource_name: "Yard camera", device_id: "d", site_id: "s", site_name: "Yard" };
  for (const path of ["/api/tracks/t", "/api/zones/z"]) {
    const { status, body } = await ask(path);
    expect([status, Object.fromEntries(names(body))]).toEqual([200, all]);
    expect(body).toMatchObject({ updated_at: iso(0), applied_at: iso(700) });
  }
});

test.each([
  ["of the later detection", 500, 400],
  ["of the smaller data source at the same instant", 500, 500],
])("of the tracks with one id in several partitions the one %s is answered", async (_rule, camAt, otherAt) => {
  const [cam, other] = [createCamera(), createCamera()];
  cam.fold(recorded(seen(camAt, INSIDE)));
  other.fold(recordedBy("other", seen(otherAt, INSIDE)));

  for (const cameras of [
    [cam, other],
    [other, cam],
  ]) {
    expect((await serve(storedBy(cameras)).ask("/api/tracks/t")).body.datasource_id).toBe("cam");
  }
});

test("the track seen last is the one that the id means, also when it ended too long ago to be shown", async () => {
  const [cam, other, both] = [createCamera(), createCamera(), createCamera()];
  const [first, last] = [recordedBy("other", seen(400, INSIDE)), recorded(seen(500, INSIDE))];
  cam.fold(last, expired(500));
  other.fold(first);
  both.fold(first, last, expired(500));

  for (const cameras of [[cam, other], [both]]) {
    expect((await serve(storedBy(cameras), { now: 2 * HOUR_MS }).ask("/api/tracks/t")).status).toBe(404);
  }
});

test("the names around a zone are those of now, also when its state is the one of the last answer", async () => {
  const camera = createCamera();
  camera.fold(drawn());
  const state = await storedBy([camera]).zone("z", 3);
  const { catalog, zones, ask } = serve({ track: async () => [], zone: async () => state });
  zones.apply({ ...version, zone: zone() });
  const name = async () => (await ask("/api/zones/z")).body.datasource_name;

  const names = [await name()];
  const changes = [dataSourceCreated("cam", { name: "Yard" }), dataSourceUpdated("cam", { name: "Gate" })];
  for (const [offset, change] of changes.entries()) {
    catalog.apply(change, offset);
    names.push(await name(), await name());
  }

  expect(names).toEqual([null, "Yard", "Yard", "Gate", "Gate"]);
});

test("a zone lists the tracks in it", async () => {
  const camera = createCamera();
  camera.fold(drawn(), recorded(seen(0, INSIDE), seen(0, INSIDE, { trackId: "__proto__" })));
  const { zones, ask } = serve(storedBy([camera]));
  zones.apply({ ...version, zone: zone() });

  const { body } = await ask("/api/zones/z");

  expect(body.track_count).toBe(2);
  expect(Object.keys(body.active_tracks).sort()).toEqual(["__proto__", "t"]);
});

test("a zone that nobody entered has zeros and nulls, also before the state machine has stored it", async () => {
  const camera = createCamera();
  camera.fold(drawn());
  const empty = { track_count: 0, active_tracks: {}, updated_at: null, trigger_track_id: null, trigger_tag: null };
  const [stored, unstored] = [serve(storedBy([camera], 5)), serve(storedBy([]))];
  for (const { zones } of [stored, unstored]) zones.apply({ ...version, zone: zone() });

  expect((await stored.ask("/api/zones/z")).body).toMatchObject({ ...empty, zone_name: "door", applied_at: iso(5) });
  const { status, body } = await unstored.ask("/api/zones/z");
  expect([status, body]).toMatchObject([200, { ...empty, zone_id: "z", datasource_id: "cam", applied_at: null }]);
});

test("what is not known is not found", async () => {
  const camera = createCamera();
  camera.fold(drawn(), recorded(seen(0, INSIDE)));
  const { zones, ask } = serve(storedBy([camera]));

  for (const path of ["/api/tracks/u", "/api/zones/z", "/api/tracks/__proto__"]) {
    const { status, headers, body } = await ask(path);
    expect([status, headers["content-type"]]).toEqual([404, "application/problem+json; charset=utf-8"]);
    expect(body).toMatchObject({ type: "urn:tracklog:problem:not-found", status: 404 });
  }
  zones.apply({ ...version, zone: zone() });
  zones.apply({ ...version, offset: 1, zone: null });
  expect((await ask("/api/zones/z")).status).toBe(404);
});

test("an expired track keeps its final state for an hour, and is not found after that", async () => {
  const camera = createCamera();
  camera.fold(recorded(seen(0, INSIDE)));
  camera.setBrokerTime(20_000);
  camera.fold(expired(0));

  const { status, body } = await serve(storedBy([camera]), { now: 20_000 + HOUR_MS }).ask("/api/tracks/t");
  expect([status, body]).toMatchObject([200, { track_end: iso(15_000), zones: { active: {} } }]);
  const later = serve(storedBy([camera]), { now: 20_001 + HOUR_MS });
  expect((await later.ask("/api/tracks/t")).status).toBe(404);
});

test("of two tracks with the same id the one seen last is answered", async () => {
  const [early, late] = [createCamera(), createCamera()];
  early.fold(recorded(seen(0, INSIDE)));
  late.fold(recorded(seen(1_000, INSIDE)));

  for (const cameras of [
    [early, late],
    [late, early],
  ]) {
    expect((await serve(storedBy(cameras)).ask("/api/tracks/t")).body.last_seen).toBe(iso(1_000));
  }
});

test("while Redis is away, a caller is asked to come again", async () => {
  const away = async () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
  const { ask } = serve({ track: away, zone: away });

  const { status, headers, body } = await ask("/api/tracks/t");

  expect([status, headers["retry-after"], body.type]).toEqual([503, "1", "urn:tracklog:problem:unavailable"]);
});
