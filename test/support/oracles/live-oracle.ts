// Computes the expected states of tracks and zones anew for each question, from all detections so far. It shares only
// the shape of the answers with the code under test.
import { type Rings, sharedArea } from "./oracle-area.ts";

type Point = readonly [number, number];

interface Seen {
  readonly at: number;
  readonly ring: readonly Point[];
  /** Its place in the log. */
  readonly order: number;
}

interface Track {
  readonly tag: string;
  readonly startTime: number;
  readonly seen: Seen[];
  end: { readonly at: number; readonly order: number } | undefined;
}

/** The detections inside, from entry to exit. */
interface Visit {
  readonly zoneId: string;
  readonly inside: { readonly seen: Seen; readonly percent: number }[];
  exit: { readonly at: number; readonly order: number; readonly where: Seen } | undefined;
}

export interface OracleZone {
  readonly zoneId: string;
  readonly name: string;
  readonly rings: Rings;
}

/** px²; boxes that share less only touch. */
const MIN_AREA = 1e-9;
const NOTHING = { velocity: null, distance: null, instantaneous_velocity: null, instantaneous_direction: null };
const NO_GROUND = { ...NOTHING, sample_count: null };

/** The caller plays the log: it tells of everything in its order. */
export function createLiveOracle(zones: readonly OracleZone[]) {
  const tracks = new Map<string, Track>();
  let order = 0;

  /** A share in percent never changes, so it is computed once. */
  const percents = new WeakMap<Seen, Map<string, number>>();
  function percentOf(seen: Seen, { zoneId, rings }: OracleZone): number {
    const known = percents.get(seen) ?? new Map<string, number>();
    percents.set(seen, known);
    const shared = known.has(zoneId) ? 0 : sharedArea([seen.ring], rings);
    const percent = known.get(zoneId) ?? (shared > MIN_AREA ? (100 * shared) / areaOf(seen.ring) : 0);
    known.set(zoneId, percent);
    return percent;
  }

  function visitsOf(track: Track, of: readonly OracleZone[] = zones): Visit[] {
    return of.flatMap((zone) => {
      const { zoneId } = zone;
      const visits: Visit[] = [];
      let open: Visit | undefined;
      for (const seen of track.seen) {
        const percent = percentOf(seen, zone);
        if (percent > 0) {
          if (open === undefined) {
            open = { zoneId, inside: [], exit: undefined };
            visits.push(open);
          }
          open.inside.push({ seen, percent });
        } else if (open !== undefined) {
          open.exit = { at: seen.at, order: seen.order, where: seen };
          open = undefined;
        }
      }
      const last = track.seen.at(-1);
      if (open !== undefined && track.end !== undefined && last !== undefined) {
        open.exit = { ...track.end, where: last };
      }
      return visits;
    });
  }

  const nameOf = (zoneId: string) => zones.find((zone) => zone.zoneId === zoneId)?.name;

  const entryOf = (visit: Visit, until: number) => ({
    zone_id: visit.zoneId,
    zone_name: nameOf(visit.zoneId),
    ...figuresOf(visit, until),
    intersection: { ...figuresOf(visit, until).intersection, sample_count: visit.inside.length },
  });

  function figuresOf({ inside }: Visit, until: number) {
    const enteredAt = inside[0]?.seen.at ?? 0;
    const shares = inside.map(({ percent }) => percent);
    return {
      entered_at: iso(enteredAt),
      dwell_time: (until - enteredAt) / 1_000,
      detection_count: inside.length,
      intersection: { current_percent: shares.at(-1), avg_percent: sum(shares) / shares.length },
      motion: { pix: motionOf(inside.map(({ seen }) => seen)), geo: NO_GROUND },
    };
  }

  return {
    started(trackId: string, tag: string, startTime: number): void {
      if (!tracks.has(trackId)) tracks.set(trackId, { tag, startTime, seen: [], end: undefined });
    },

    /** One that is not newer than the last of its track changes nothing. */
    seen(trackId: string, at: number, ring: readonly Point[]): void {
      order++;
      const track = tracks.get(trackId);
      if (track !== undefined && at > (track.seen.at(-1)?.at ?? 0)) track.seen.push({ at, ring, order });
    },

    ended(trackId: string, at: number): void {
      order++;
      const track = tracks.get(trackId);
      if (track !== undefined) track.end ??= { at, order };
    },

    trackIds: (): string[] => [...tracks].filter(([, { seen }]) => seen.length > 0).map(([id]) => id),

    /** Without what only the services know: the data source, its place, and when the state was written. */
    track(trackId: string) {
      const track = tracks.get(trackId);
      const [first, last] = [track?.seen[0], track?.seen.at(-1)];
      if (track === undefined || first === undefined || last === undefined) throw new Error(`${trackId} was not seen`);
      const visits = visitsOf(track);
      const over = visits.flatMap((visit) => (visit.exit === undefined ? [] : [{ visit, exit: visit.exit }]));
      const byExit = over.sort((a, b) => b.exit.at - a.exit.at || (a.visit.zoneId < b.visit.zoneId ? -1 : 1));
      return {
        track_id: trackId,
        tag: track.tag,
        track_start: iso(track.startTime),
        ...(track.end === undefined ? {} : { track_end: iso(track.end.at) }),
        first_seen: iso(first.at),
        last_seen: iso(last.at),
        track_age: ((last.at - first.at) / 1_000).toFixed(3),
        detection_count: track.seen.length,
        position: positionOf(last),
        motion: { pix: motionOf(track.seen), geo: NO_GROUND },
        zones: {
          active: Object.fromEntries(
            visits
              .filter(({ exit }) => exit === undefined)
              .map((visit) => [visit.zoneId, entryOf(visit, last.at)] as const),
          ),
          history: byExit.map(({ visit, exit }) => ({
            ...entryOf(visit, exit.at),
            exited_at: iso(exit.at),
            exit_position: positionOf(exit.where),
          })),
          sequence: sequenceOf(visits),
        },
        interactions: [],
        updated_at: iso(last.at),
      };
    },

    zone(zoneId: string) {
      const here = [...tracks].flatMap(([trackId, track]) =>
        visitsOf(
          track,
          zones.filter((zone) => zone.zoneId === zoneId),
        ).map((visit) => ({ trackId, track, visit })),
      );
      const active = here.filter(({ visit }) => visit.exit === undefined);
      const updates = here.flatMap(({ trackId, track, visit }) => {
        const inside = visit.inside.map(({ seen }) => seen);
        return [...inside, ...(visit.exit === undefined ? [] : [visit.exit])].map(({ at, order: place }) => ({
          ...{ at, place, trackId, tag: track.tag },
        }));
      });
      const newest = updates.sort((a, b) => b.place - a.place)[0];
      return {
        zone_id: zoneId,
        zone_name: nameOf(zoneId),
        active_tracks: Object.fromEntries(
          active.map(({ trackId, track, visit }) => [
            trackId,
            { tag: track.tag, ...figuresOf(visit, track.seen.at(-1)?.at ?? 0) },
          ]),
        ),
        track_count: active.length,
        updated_at: newest === undefined ? null : iso(newest.at),
        trigger_track_id: newest?.trackId ?? null,
        trigger_tag: newest?.tag ?? null,
      };
    },
  };
}

/** Sorts by entry. A return to the zone that the track entered last is no new entry. */
function sequenceOf(visits: readonly Visit[]) {
  const entered = visits.map(({ zoneId, inside }) => ({ zone_id: zoneId, at: inside[0]?.seen.at ?? 0 }));
  return entered
    .sort((a, b) => a.at - b.at || (a.zone_id < b.zone_id ? -1 : 1))
    .filter(({ zone_id }, i, all) => all[i - 1]?.zone_id !== zone_id)
    .map(({ zone_id, at }) => ({ zone_id, entered_at: iso(at) }));
}

/** Computes the mean of the speeds between consecutive detections, the length of the path, and the last step. */
function motionOf(seen: readonly Seen[]) {
  const steps = seen.slice(1).map((to, i) => {
    const from = seen[i] ?? to;
    const [dx, dy] = [centre(to)[0] - centre(from)[0], centre(to)[1] - centre(from)[1]];
    const length = Math.hypot(dx, dy);
    return { dx, dy, length, speed: length / ((to.at - from.at) / 1_000) };
  });
  const last = steps.at(-1);
  if (last === undefined) return { ...NOTHING, distance: 0, sample_count: 0 };
  const degrees = (Math.atan2(last.dx, -last.dy) * 180) / Math.PI;
  return {
    velocity: sum(steps.map(({ speed }) => speed)) / steps.length,
    distance: sum(steps.map(({ length }) => length)),
    instantaneous_velocity: last.speed,
    instantaneous_direction: last.length === 0 ? null : (degrees + 360) % 360,
    sample_count: steps.length,
  };
}

function positionOf(seen: Seen) {
  const [x, y] = centre(seen);
  return { pix: { x, y }, geo: { lon: null, lat: null }, polygon: { coordinates: [seen.ring] } };
}

function centre({ ring }: Seen): Point {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

const areaOf = (ring: readonly Point[]): number => sharedArea([ring], [ring]);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const iso = (at: number): string => new Date(at).toISOString();
