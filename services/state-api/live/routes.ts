// The present state of a track or a zone.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import { locationOf } from "../../../projections/catalog/place-of.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import { parseTrack } from "../../../projections/live/stored.ts";
import type { TrackState, ZoneState } from "../../../projections/live/view-types.ts";
import { trackState } from "../../../projections/live/views.ts";
import { seenLast } from "../../../projections/track/seen-last.ts";
import { notFound } from "../../../schemas/errors.ts";
import type { Zone } from "../../../schemas/events.ts";
import * as answers from "../../../schemas/rest/live.ts";
import { type Route, route } from "../http/route.ts";
import type { ReadLive } from "./read-live.ts";

export interface LiveDeps {
  readonly live: ReadLive;
  readonly catalog: Catalog;
  readonly zones: ZonesView;
  readonly partitionOf: (dataSourceId: string) => number;
  /** Milliseconds for which a track is shown after its end. */
  readonly endedTrackMs: number;
  readonly now: () => number;
}

export function liveRoutes(deps: LiveDeps): readonly Route[] {
  const readZone = createReadZone(deps);
  return [
    route({
      method: "GET",
      path: "/api/tracks/{track_id}",
      params: { track_id: "Id of the track; of several with this id, the one that was seen last is returned" },
      summary: "Returns the live state of a track",
      description:
        "The state is the one that was stored last. An ended track is shown for STATE_API_ENDED_TRACK_MS (1 hour by " +
        "default).",
      scope: "read",
      answers: {
        200: { description: "The state of the track.", schema: answers.trackStateSchema },
        404: { description: "The track is unknown, has no detection yet, or ended too long ago." },
      },
      handle: async ({ params: { track_id = "" } }) => ({ status: 200, body: await readTrack(deps, track_id) }),
    }),
    route({
      method: "GET",
      path: "/api/zones/{zone_id}",
      params: { zone_id: "Id of the zone, as in the GraphQL API" },
      summary: "Returns the live state of a zone, with the tracks in it",
      description: "The state is the one that was stored last. It has all tracks, whatever their tags.",
      scope: "read",
      answers: {
        200: {
          description: "The state of the zone; one that no track has entered has no tracks and no times.",
          schema: answers.zoneStateSchema,
        },
        404: { description: "There is no such zone." },
      },
      handle: async ({ params: { zone_id = "" } }) => ({ status: 200, body: await readZone(zone_id) }),
    }),
  ];
}

async function readTrack({ live, catalog, endedTrackMs, now }: LiveDeps, trackId: string): Promise<TrackState> {
  const found = await live.track(trackId);
  const last = found.length < 2 ? found[0] : seenLast(found, ({ text }) => parseTrack(text));
  const state = last && trackState(last, now() - endedTrackMs);
  if (state == null) throw notFound("live state of track", trackId);
  return { ...state, ...locationOf(state.datasource_id, catalog) };
}

/**
 * Callers read a state much more often than it changes: `live` returns the same object until then, and its text is kept
 * with it.
 */
function createReadZone({ live, catalog, zones, partitionOf }: LiveDeps) {
  const texts = new WeakMap<ZoneState, { readonly place: string; readonly text: Uint8Array }>();

  return async (zoneId: string): Promise<object | Uint8Array> => {
    const zone = zones.zone(zoneId);
    if (zone === undefined) throw notFound("zone", zoneId);
    const state = await live.zone(zoneId, partitionOf(zone.dataSourceId));
    if (state === undefined) return { ...neverEntered(zone), ...locationOf(zone.dataSourceId, catalog) };
    const placed = locationOf(state.datasource_id, catalog);
    const place = JSON.stringify(placed);
    const known = texts.get(state);
    if (known?.place === place) return known.text;
    // The text gets memory of its own: a small Buffer would keep the large block that contains it.
    const text = new TextEncoder().encode(JSON.stringify({ ...state, ...placed }));
    texts.set(state, { place, text });
    return text;
  };
}

/** State of a zone that the state machine has not stored yet. */
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
