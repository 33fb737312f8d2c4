// Follows the cameras whose tiles are on the screen. Neighbours share subscriptions and queries, so a screen full of
// tiles has a few of each.

import { MINUTE_MS } from "../../../schemas/units.ts";
import { isTemporary } from "./errors.ts";
import type { LiveSource } from "./live.ts";
import type { LiveCamera } from "./live-camera.ts";
import { LiveScenes } from "./live-scene.ts";
import { pollWhileSeen } from "./polling.ts";
import type { Requests } from "./requests.ts";
import { askStarts } from "./starts.ts";

/** A camera is followed, will be, or must not be. */
export type CameraState = "loading" | "refused" | LiveCamera;

/** So many cameras share their subscriptions. */
const GROUP = 16;
/** Scrolling back and forth does not end and begin subscriptions. */
const LINGER_MS = 5_000;

interface Group {
  readonly scenes: LiveScenes;
  readonly visible: Set<string>;
  readonly stop: () => void;
  lingering: ReturnType<typeof setTimeout> | undefined;
}

/** @returns for each camera its group: itself and its neighbours in the order of the page. */
export function cameraGroupsOf(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (let i = 0; i < ids.length; i += GROUP) {
    const group = ids.slice(i, i + GROUP);
    for (const id of group) groups.set(id, group);
  }
  return groups;
}

export class CameraGroups {
  readonly #source: LiveSource & Requests;
  readonly #onChange: (dataSourceId: string) => void;
  readonly #groupOf = new Map<string, Group>();
  readonly #starts = new Map<string, readonly number[]>();
  #cameras: readonly string[] = [];
  /** The cameras that would be followed with each one that is not followed yet. */
  #members: ReadonlyMap<string, readonly string[]> = new Map();

  /** @param onChange is called after each message of a camera, and each second. */
  constructor(source: LiveSource & Requests, onChange: (dataSourceId: string) => void) {
    this.#source = source;
    this.#onChange = onChange;
  }

  /** The cameras that may be shown, in the order of the page. Cameras that are followed already keep their groups. */
  set cameras(ids: readonly string[]) {
    this.#cameras = ids;
    this.#members = cameraGroupsOf(ids.filter((id) => !this.#groupOf.has(id)));
  }

  /** @returns undefined while the camera is not followed. */
  of(id: string): LiveCamera | undefined {
    return this.#groupOf.get(id)?.scenes.of(id);
  }

  stateOf(id: string): CameraState {
    const scenes = this.#groupOf.get(id)?.scenes;
    if (scenes?.error !== undefined && !isTemporary(scenes.error)) return "refused";
    return scenes?.isReady ? scenes.of(id) : "loading";
  }

  /** Intersections that began in each minute of the last hour, once they are known. */
  startsOf(id: string): readonly number[] | undefined {
    return this.#starts.get(id);
  }

  isShown(id: string): boolean {
    return this.#groupOf.get(id)?.visible.has(id) ?? false;
  }

  show(id: string): void {
    const group = this.#groupOf.get(id) ?? this.#follow(this.#members.get(id) ?? [id]);
    clearTimeout(group.lingering);
    group.visible.add(id);
    this.#onChange(id);
  }

  hide(id: string): void {
    const group = this.#groupOf.get(id);
    if (!group?.visible.delete(id) || group.visible.size > 0) return;
    group.lingering = setTimeout(group.stop, LINGER_MS);
  }

  stop(): void {
    for (const group of new Set(this.#groupOf.values())) {
      clearTimeout(group.lingering);
      group.stop();
    }
  }

  #follow(ids: readonly string[]): Group {
    const scenes = new LiveScenes(this.#source, ids, this.#onChange);
    const stopped = new AbortController();
    const ask = () => this.#askStarts(ids, stopped.signal);
    const stopAsking = pollWhileSeen(ask, MINUTE_MS);
    const stop = () => {
      stopAsking();
      stopped.abort();
      scenes.stop();
      for (const id of ids) this.#groupOf.delete(id);
      // The next one to be shown brings its neighbours of now along.
      this.cameras = this.#cameras;
    };
    const group: Group = { scenes, visible: new Set(), stop, lingering: undefined };
    for (const id of ids) this.#groupOf.set(id, group);
    void ask();
    return group;
  }

  async #askStarts(ids: readonly string[], signal: AbortSignal): Promise<void> {
    try {
      for (const [id, starts] of await askStarts(this.#source, ids, signal)) this.#starts.set(id, starts);
      for (const id of ids) this.#onChange(id);
    } catch {
      // The line stays as it was; the next question comes in a minute.
    }
  }
}
