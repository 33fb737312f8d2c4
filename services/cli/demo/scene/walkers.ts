// Walkers stroll from one random goal to the next; a camera sees them as boxes, not always and not exactly.
import { derivedId, isoTime } from "../../../../schemas/identity.ts";
import type { Random } from "./random.ts";
import type { PixelBox, SceneDetection, SceneTrack } from "./types.ts";

const TAGS = ["pedestrian", "pedestrian", "pedestrian", "bicycle", "car"] as const;

/** Walkers leave the picture by up to this share of its size. */
const MARGIN = 0.1;

export interface WalkOptions {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly start: number;
  readonly frames: number;
  readonly jitterPx: number;
  readonly shortDropoutsPerMinute: number;
  readonly longDropoutsPerMinute: number;
}

/** Returns the tracks of walkers who follow one another: when one leaves, another comes. */
export function walk(random: Random, options: WalkOptions, identity: readonly string[]): SceneTrack[] {
  const tracks: SceneTrack[] = [];
  let frame = Math.floor(random.between(0, Math.min(options.frames, 3 * options.fps)));
  while (frame < options.frames) {
    const lifeFrames = Math.ceil(random.between(4, 60) * options.fps);
    const until = Math.min(options.frames, frame + lifeFrames);
    const trackId = derivedId("scene-track", ...identity, isoTime(options.start), String(tracks.length));
    const detections = seen(random, options, { trackId, from: frame, until });
    tracks.push({
      trackId,
      tag: TAGS[random.below(TAGS.length)] ?? "pedestrian",
      detections,
      endTime: endTime(random, detections),
    });
    frame = until + Math.ceil(random.between(0.1, 2) * options.fps);
  }
  return tracks;
}

interface Life {
  readonly trackId: string;
  readonly from: number;
  readonly until: number;
}

function seen(random: Random, options: WalkOptions, { trackId, from, until }: Life): SceneDetection[] {
  const { fps, start } = options;
  const detections: SceneDetection[] = [];
  const step = createStroll(random, options);
  let hiddenUntil = 0;
  for (let frame = from; frame < until; frame++) {
    const box = step();
    if (frame > from && frame >= hiddenUntil) hiddenUntil = frame + dropoutFrames(random, options);
    if (frame >= hiddenUntil) detections.push({ trackId, timestamp: start + Math.round((frame * 1_000) / fps), box });
  }
  return detections;
}

/** Returns 0 most of the time. Long dropouts outlast the 15 s after which a track expires, short ones do not. */
function dropoutFrames(random: Random, options: WalkOptions): number {
  const framesPerMinute = options.fps * 60;
  if (random.chance(options.longDropoutsPerMinute / framesPerMinute))
    return Math.ceil(random.between(15.5, 25) * options.fps);
  if (random.chance(options.shortDropoutsPerMinute / framesPerMinute))
    return Math.floor(random.between(0.2, 10) * options.fps);
  return 0;
}

/** Each call advances by a frame and returns the box that the camera sees. */
function createStroll(random: Random, { width, height, fps, jitterPx }: WalkOptions): () => PixelBox {
  const place = () => ({
    x: random.between(-MARGIN * width, (1 + MARGIN) * width),
    y: random.between(0.1 * height, (1 + MARGIN) * height),
  });
  const stepPx = (random.between(0.04, 0.2) * width) / fps;
  const edge = (at: number) => Math.round((at + random.between(-jitterPx, jitterPx)) * 100) / 100;
  let feet = place();
  let goal = place();
  return () => {
    const distance = Math.hypot(goal.x - feet.x, goal.y - feet.y);
    if (distance <= stepPx) goal = place();
    else {
      const share = stepPx / distance;
      feet = { x: feet.x + (goal.x - feet.x) * share, y: feet.y + (goal.y - feet.y) * share };
    }
    // A walker lower in the picture is nearer, and larger.
    const tall = height * 0.05 + Math.max(0, feet.y) * 0.2;
    const wide = tall * 0.4;
    return [edge(feet.x - wide / 2), edge(feet.y - tall), edge(feet.x + wide / 2), edge(feet.y)];
  };
}

/** Half of the trackers report the end with the last detection, some a little later, some never. */
function endTime(random: Random, detections: readonly SceneDetection[]): number | undefined {
  const last = detections.at(-1)?.timestamp ?? 0;
  const kind = random.next();
  if (kind < 0.2) return undefined;
  return kind < 0.7 ? last : last + Math.round(random.between(1, 3_000));
}
