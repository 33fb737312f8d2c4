// Computes the signals that subscriptions must get of walks through zones, anew from all detections so far at each
// one. It shares nothing with the fold.

export interface Box {
  readonly left: number;
  readonly right: number;
}

export type Step =
  | { readonly kind: "seen"; readonly trackId: string; readonly at: number; readonly x: number }
  | { readonly kind: "expired"; readonly trackId: string };

/** One message. */
export type Steps = readonly Step[];

export interface Scene {
  /** Boxes are 10 wide; a zone is as high as all of them. */
  readonly zones: Readonly<Record<string, Box>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly messages: readonly Steps[];
}

export interface View {
  /** Empty = all. */
  readonly tags: readonly string[];
  readonly zoneIds: readonly string[];
}

const TTL = 15_000;

interface Live {
  readonly first: number;
  readonly last: number;
  readonly x: number;
}

/** The tracks that are live after these steps. */
function liveAfter(steps: readonly Step[]): Map<string, Live> {
  const live = new Map<string, Live>();
  const ended = new Map<string, Live>();
  for (const step of steps) {
    const { trackId } = step;
    const now = live.get(trackId);
    if (step.kind === "expired") {
      if (now !== undefined) ended.set(trackId, now);
      live.delete(trackId);
      continue;
    }
    const before = now ?? ended.get(trackId);
    const goesOn = before !== undefined && step.at - before.last <= TTL;
    live.set(trackId, { first: goesOn ? before.first : step.at, last: step.at, x: step.x });
  }
  return live;
}

const matches = ({ tags }: View, tag: string): boolean =>
  tags.length === 0 || tags.some((each) => each.toUpperCase() === tag.toUpperCase());

export function expectedOfTracks({ tags, messages }: Scene, view: View): string[] {
  const expected: string[] = [];
  const steps = messages.flat();
  for (const [i, step] of steps.entries()) {
    const { trackId } = step;
    if (!matches(view, tags[trackId] ?? "")) continue;
    const before = liveAfter(steps.slice(0, i)).get(trackId);
    const after = liveAfter(steps.slice(0, i + 1)).get(trackId);
    const isOver = before !== undefined && (after === undefined || after.first > before.last);
    if (isOver) {
      const reason = step.kind === "expired" ? "wall_clock" : "event_time";
      expected.push(`track_expired ${trackId}@${(before.last + TTL) / 1_000} ${reason}`);
    }
    if (after === undefined || step.kind === "expired") continue;
    const begins = after.first === after.last;
    expected.push(`${begins ? "track_created" : "track_updated"} ${trackId}@${after.last / 1_000}`);
  }
  return expected;
}

function tracksIn(scene: Scene, live: Map<string, Live>, zoneId: string, view: View): string[] {
  const zone = scene.zones[zoneId];
  const isWanted = view.zoneIds.length === 0 || view.zoneIds.includes(zoneId);
  if (zone === undefined || !isWanted) return [];
  return [...live]
    .filter(([trackId, { x }]) => x + 5 > zone.left && x - 5 < zone.right && matches(view, scene.tags[trackId] ?? ""))
    .map(([trackId]) => trackId)
    .sort();
}

/** For messages of one step each. */
export function expectedOfZones(scene: Scene, view: View): string[] {
  const expected: string[] = [];
  const steps = scene.messages.flat();
  const raise = (zoneId: string, at: number, before: readonly string[], after: readonly string[], isSeen: boolean) => {
    if (before.length === 0 && after.length === 0) return;
    const name = before.length === 0 ? "zone_occupied" : after.length === 0 ? "zone_empty" : "zone_updated";
    if (isSeen || before.join() !== after.join()) expected.push(`${name} ${zoneId}@${at / 1_000}`);
  };
  for (const [i, step] of steps.entries()) {
    const before = liveAfter(steps.slice(0, i));
    const after = liveAfter(steps.slice(0, i + 1));
    const [was, is] = [before.get(step.trackId), after.get(step.trackId)];
    const between = new Map(before);
    if (was !== undefined && (is === undefined || is.first > was.last)) between.delete(step.trackId);
    for (const zoneId of Object.keys(scene.zones).sort()) {
      raise(zoneId, was?.last ?? 0, ...both(before, between, zoneId), false);
    }
    for (const zoneId of Object.keys(scene.zones).sort()) {
      const [then, now] = both(between, after, zoneId);
      raise(zoneId, is?.last ?? 0, then, now, step.kind === "seen" && now.includes(step.trackId));
    }
  }
  return expected;

  function both(one: Map<string, Live>, two: Map<string, Live>, zoneId: string): [string[], string[]] {
    return [tracksIn(scene, one, zoneId, view), tracksIn(scene, two, zoneId, view)];
  }
}

/** For messages whose detections have one timestamp, and no gaps beyond the time to live. */
export function expectedOfCompositions(scene: Scene, view: View, heartbeatMs: number): string[] {
  const expected: string[] = [];
  const lastReported = new Map<string, { counts: string; at: number }>();
  for (const [i, message] of scene.messages.entries()) {
    const before = liveAfter(scene.messages.slice(0, i).flat());
    const after = liveAfter(scene.messages.slice(0, i + 1).flat());
    for (const zoneId of Object.keys(scene.zones)) {
      const was = tracksIn(scene, before, zoneId, view);
      const is = tracksIn(scene, after, zoneId, view);
      const touching = message.filter(({ trackId }) => was.includes(trackId) || is.includes(trackId));
      const newest = touching.at(-1);
      if (newest === undefined || (was.length === 0 && is.length === 0)) continue;
      const at = newest.kind === "seen" ? newest.at : (before.get(newest.trackId)?.last ?? 0);
      const counts = countsOf(is.map((trackId) => scene.tags[trackId]?.toLowerCase() ?? ""));
      const reported = lastReported.get(zoneId);
      if (is.length === 0) {
        expected.push(`zone_empty ${zoneId}@${at / 1_000}`);
        continue;
      }
      const isSame = was.length > 0 && reported?.counts === counts;
      if (isSame && at - reported.at < heartbeatMs) continue;
      lastReported.set(zoneId, { counts, at });
      const reason = isSame ? " heartbeat" : " composition_changed";
      expected.push(
        was.length === 0 ? `zone_occupied ${zoneId}@${at / 1_000}` : `zone_updated ${zoneId}@${at / 1_000}${reason}`,
      );
    }
  }
  return expected;
}

const countsOf = (tags: readonly string[]): string =>
  [...new Set(tags)]
    .sort()
    .map((tag) => `${tag}:${tags.filter((each) => each === tag).length}`)
    .join();
