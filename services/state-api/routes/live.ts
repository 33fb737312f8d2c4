// The state of a track or a zone as it is now.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import { placeOf } from "../../../projections/catalog/place-of.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { TrackState, ZoneState } from "../../../projections/live/view-types.ts";
import { trackState } from "../../../projections/live/views.ts";
import { notFound } from "../../../schemas/errors.ts";
import type { Zone } from "../../../schemas/events.ts";
import * as answers from "../../../schemas/rest/live.ts";
import { type Route, route } from "../http/route.ts";
import type { ReadLive } from "../live/read-live.ts";

export interface LiveDeps {
  readonly live: ReadLive;
  readonly catalog: Catalog;
  readonly zones: ZonesView;
  readonly partitionOf: (dataSourceId: string) => number;
  /** How long a track is shown after its end, ms. */
  readonly endedTrackMs: number;
  readonly now: () => number;
}

export function liveRoutes(deps: LiveDeps): readonly Route[] {
  const readZone = createReadZone(deps);
  return [
    route({
      method: "GET",
      path: "/api/tracks/{track_id}",
      summary: "The state of a track",
      scope: "read",
      answers: { 200: { description: "The track", schema: answers.trackState } },
      handle: async ({ params: { track_id = "" } }) => ({ status: 200, body: await readTrack(deps, track_id) }),
    }),
    route({
      method: "GET",
      path: "/api/zones/{zone_id}",
      summary: "The state of a zone, with the tracks in it",
      scope: "read",
      answers: { 200: { description: "The zone", schema: answers.zoneState } },
      handle: async ({ params: { zone_id = "" } }) => ({ status: 200, body: await readZone(zone_id) }),
    }),
  ];
}

async function readTrack({ live, catalog, endedTrackMs, now }: LiveDeps, trackId: string): Promise<TrackState> {
  const endedSince = now() - endedTrackMs;
  const [state] = (await live.track(trackId))
    .map((texts) => trackState(texts, endedSince))
    .filter((found) => found !== null)
    .sort((a, b) => Date.parse(b.last_seen) - Date.parse(a.last_seen));
  if (state === undefined) throw notFound("live state of track", trackId);
  return { ...state, ...placeOf(state.datasource_id, catalog) };
}

/** A state is asked for much more often than it changes: `live` gives the same one until then, and its text is kept with it. */
function createReadZone({ live, catalog, zones, partitionOf }: LiveDeps) {
  const texts = new WeakMap<ZoneState, { readonly place: string; readonly text: Uint8Array }>();

  return async (zoneId: string): Promise<object | Uint8Array> => {
    const zone = zones.zone(zoneId);
    if (zone === undefined) throw notFound("zone", zoneId);
    const state = await live.zone(zoneId, partitionOf(zone.dataSourceId));
    if (state === undefined) return { ...neverEntered(zone), ...placeOf(zone.dataSourceId, catalog) };
    const placed = placeOf(state.datasource_id, catalog);
    const place = JSON.stringify(placed);
    const known = texts.get(state);
    if (known?.place === place) return known.text;
    // In memory of its own: a small Buffer would keep the large piece of memory that it is a part of.
    const text = new TextEncoder().encode(JSON.stringify({ ...state, ...placed }));
    texts.set(state, { place, text });
    return text;
  };
}

/** A zone that the state machine has not stored yet. */
const neverEntered = ({ zoneId, name, dataSourceId }: Zone) => ({
  zone_id: zoneId,
  zone_name: name,
  datasource_id: dataSourceId,
  active_tracks: {},
  track_count: 0,
  updated_at: null,
  applied_at: null,
  trigger_track_id: null,
  trigger_tag: null,
});
