// Geofence intersections by brute force: each position against each geofence, with a point-in-polygon of its own. It
// shares no code with the fold.

export interface OracleFence {
  /** Rings of points, undefined when the geofence is deleted or not active. */
  readonly rings: readonly (readonly (readonly number[])[])[] | undefined;
}

/** An entry in the partition of one camera. */
export type OracleStep =
  | { readonly kind: "geofence"; readonly id: string; readonly fence: OracleFence }
  | {
      readonly kind: "seen";
      readonly trackId: string;
      readonly at: number;
      readonly position: readonly number[] | null;
    };

export interface OracleStay {
  readonly trackId: string;
  readonly geofenceId: string;
  readonly start: number;
  readonly end: number;
}

interface Open {
  readonly start: number;
  readonly geofenceId: string;
}

/** Every track ends with its last detection; a gap longer than `ttlMs` ends it in between, too. */
export function expectedStays(steps: readonly OracleStep[], ttlMs: number): OracleStay[] {
  const stays: OracleStay[] = [];
  const fences = new Map<string, OracleFence>();
  const tracks = new Map<string, { last: number; place: readonly number[] | null; open: Open[] }>();

  const close = (trackId: string, { geofenceId, start }: Open, end: number) =>
    stays.push({ trackId, geofenceId, start, end });

  for (const step of steps) {
    if (step.kind === "geofence") {
      fences.set(step.id, step.fence);
      for (const [trackId, track] of tracks) {
        for (const open of track.open.filter(({ geofenceId }) => geofenceId === step.id)) {
          if (track.place !== null && isStrictlyInside(track.place, step.fence)) continue;
          close(trackId, open, track.last);
          track.open = track.open.filter((each) => each !== open);
        }
      }
      continue;
    }
    const { trackId, at, position } = step;
    const known = tracks.get(trackId);
    const isNewStretch = known === undefined || at - known.last > ttlMs;
    if (known !== undefined && isNewStretch) for (const open of known.open) close(trackId, open, known.last);
    const track = isNewStretch ? { last: at, place: null as readonly number[] | null, open: [] as Open[] } : known;
    tracks.set(trackId, track);
    track.last = at;
    if (position === null) continue;
    track.place = position;
    const inside = [...fences].filter(([, fence]) => isStrictlyInside(position, fence)).map(([id]) => id);
    for (const open of track.open) if (!inside.includes(open.geofenceId)) close(trackId, open, at);
    const staying = track.open.filter(({ geofenceId }) => inside.includes(geofenceId));
    const entered = inside.filter((id) => !staying.some(({ geofenceId }) => geofenceId === id));
    track.open = [...staying, ...entered.map((geofenceId) => ({ geofenceId, start: at }))];
  }
  for (const [trackId, { open, last }] of tracks) for (const each of open) close(trackId, each, last);
  return stays.sort(byTrackFenceAndStart);
}

export const byTrackFenceAndStart = (a: OracleStay, b: OracleStay): number =>
  compare(a.trackId, b.trackId) || compare(a.geofenceId, b.geofenceId) || a.start - b.start;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The winding number of every ring: inside the exterior, in no hole, and on no edge. */
export function isStrictlyInside([x = 0, y = 0]: readonly number[], { rings }: OracleFence): boolean {
  if (rings === undefined) return false;
  const [exterior, ...holes] = rings.map((ring) => windingOf(x, y, ring));
  return exterior !== undefined && exterior !== "border" && exterior !== 0 && holes.every((winding) => winding === 0);
}

function windingOf(x: number, y: number, ring: readonly (readonly number[])[]): number | "border" {
  let angle = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i] ?? [];
    const [bx = 0, by = 0] = ring[i + 1] ?? [];
    const cross = (ax - x) * (by - y) - (bx - x) * (ay - y);
    const dot = (ax - x) * (bx - x) + (ay - y) * (by - y);
    if (cross === 0 && dot <= 0) return "border";
    angle += Math.atan2(cross, dot);
  }
  return Math.round(angle / (2 * Math.PI));
}
