// The state of a track or a zone, at present or at a past moment.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import { locationOf } from "../../../projections/catalog/place-of.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import { parseTrack } from "../../../projections/live/stored.ts";
import type { TrackState, ZoneState } from "../../../projections/live/view-types.ts";
import { trackState } from "../../../projections/live/views.ts";
import { seenLast } from "../../../projections/track/seen-last.ts";
import { badInput, notFound } from "../../../schemas/errors.ts";
import type { Zone } from "../../../schemas/events.ts";
import { isoTime } from "../../../schemas/identity.ts";
import * as answers from "../../../schemas/rest/live.ts";
import type { RunCaller } from "../../recorded/bounded-runs.ts";
import { type Route, route } from "../http/route.ts";
import type { Moments } from "./moments.ts";
import type { ReadLive } from "./read-live.ts";

export interface LiveDeps {
  readonly live: ReadLive;
  readonly moments: Moments;
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
        `default). ${AT_A_MOMENT}`,
      scope: "read",
      query: answers.momentQuery,
      answers: {
        200: { description: "The state of the track.", schema: answers.trackStateSchema },
        404: { description: "The track is unknown, has no detection yet, or ended too long ago." },
        ...refusedMoments,
      },
      handle: async ({ params: { track_id = "" }, query: { at }, principal: { tokenId }, gone }) => {
        if (at === undefined) return { status: 200, body: await readTrack(deps, track_id) };
        return { status: 200, body: await readTrackAt(deps, track_id, at, { tokenId, gone: gone() }) };
      },
    }),
    route({
      method: "GET",
      path: "/api/zones/{zone_id}",
      params: { zone_id: "Id of the zone, as in the GraphQL API" },
      summary: "Returns the live state of a zone, with the tracks in it",
      description: `The state is the one that was stored last. It has all tracks, whatever their tags. ${AT_A_MOMENT}`,
      scope: "read",
      query: answers.momentQuery,
      answers: {
        200: {
          description: "The state of the zone; one that no track has entered has no tracks and no times.",
          schema: answers.zoneStateSchema,
        },
        404: { description: "There is no such zone." },
        ...refusedMoments,
      },
      handle: async ({ params: { zone_id = "" }, query: { at }, principal: { tokenId }, gone }) => {
        if (at === undefined) return { status: 200, body: await readZone(zone_id) };
        return { status: 200, body: await readZoneAt(deps, zone_id, at, { tokenId, gone: gone() }) };
      },
    }),
  ];
}

const AT_A_MOMENT =
  "With `at`, the answer is the one of that moment, by the clock of the log; names of devices and sites are the present " +
  "ones.";

const refusedMoments = {
  422: { description: "With `at`: so much of the log would have to be folded that it takes too long." },
  429: {
    description:
      "With `at`: too many such requests are in progress, of all tokens or of this one (STATE_API_PAST_QUERIES), or the " +
      "token exceeds STATE_API_TOKEN_REQUESTS_PER_S or STATE_API_TOKEN_BYTES_PER_S.",
  },
  503: {
    description:
      "A store does not answer, too many requests are in progress, or with `at`, the history does not have everything " +
      "of that time yet.",
  },
} as const;

async function readTrackAt(
  { moments, catalog, endedTrackMs, now }: LiveDeps,
  trackId: string,
  at: number,
  caller: RunCaller,
): Promise<TrackState> {
  const found = isRecorded(at, now()) ? await moments.track(trackId, at, caller) : undefined;
  const state = found && trackState(found.texts, at - endedTrackMs);
  if (found === undefined || state == null) throw notFound(`at ${isoTime(at)}, live state of track`, trackId);
  return { ...state, ...locationOf(state.datasource_id, catalog), as_of: { at: isoTime(at), log: found.log } };
}

async function readZoneAt(
  { moments, catalog, now }: LiveDeps,
  zoneId: string,
  at: number,
  caller: RunCaller,
): Promise<object> {
  const found = isRecorded(at, now()) ? await moments.zone(zoneId, at, caller) : undefined;
  if (found === undefined) throw notFound(`at ${isoTime(at)}, zone`, zoneId);
  const { zone, state = neverEntered(zone), log } = found;
  return { ...state, ...locationOf(zone.dataSourceId, catalog), as_of: { at: isoTime(at), log } };
}

/**
 * Throws BAD_USER_INPUT for a time in the future, whose messages are not recorded yet.
 * @returns false for a time before every clock of a broker.
 */
function isRecorded(at: number, nowMs: number): boolean {
  if (at > nowMs) throw badInput("lies in the future", ["query", "at"]);
  return at >= 0;
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
