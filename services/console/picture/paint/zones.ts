// Paints the outlines of zones with their names and how many are in them.
import { isolated } from "../isolated.ts";
import type { Scene, SceneZone } from "../scene.ts";
import type { Point, View } from "../view.ts";
import { paintLabels } from "./labels.ts";
import { addRing } from "./outline.ts";
import type { Theme } from "./theme.ts";

export interface ZonesPainting {
  readonly context: CanvasRenderingContext2D;
  readonly view: View;
  readonly scene: Scene;
  readonly theme: Theme;
  /** The zone that is pointed at. */
  readonly chosen: string | undefined;
  readonly isSmall: boolean;
  readonly isOnImage: boolean;
}

export function paintZones({ context, view, scene, theme, chosen, isSmall, isOnImage }: ZonesPainting): void {
  const counts = countsOf(scene);
  for (const zone of scene.zones) {
    const isChosen = zone.id === chosen;
    context.beginPath();
    for (const ring of zone.rings) addRing(context, view, ring);
    const isOccupied = (counts.get(zone.id) ?? 0) > 0;
    context.fillStyle = zone.isActive ? theme.accent : theme.quiet;
    context.globalAlpha = (isOccupied ? 0.18 : 0.06) + (isChosen ? 0.1 : 0);
    context.fill("evenodd");
    context.globalAlpha = 1;
    if (isOnImage) strokeEdge(context);
    context.setLineDash(zone.isActive ? [] : [6, 4]);
    context.lineWidth = isChosen || (isOccupied && !isSmall) ? 2 : 1;
    context.strokeStyle = zone.isActive ? theme.accent : theme.quiet;
    context.stroke();
  }
  context.setLineDash([]);
  if (!isSmall) paintNames(context, view, scene.zones, counts, theme);
}

function strokeEdge(context: CanvasRenderingContext2D): void {
  context.lineWidth = 4;
  context.strokeStyle = "rgb(255 255 255 / 0.5)";
  context.stroke();
}

/** How many objects are in each zone. */
export function countsOf({ stays }: Pick<Scene, "stays">): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { zoneId } of stays) counts.set(zoneId, (counts.get(zoneId) ?? 0) + 1);
  return counts;
}

function paintNames(
  context: CanvasRenderingContext2D,
  view: View,
  zones: readonly SceneZone[],
  counts: ReadonlyMap<string, number>,
  theme: Theme,
): void {
  const labels = zones.map(({ id, name, rings, isActive }) => {
    const count = counts.get(id) ?? 0;
    const text = count === 0 ? name : `${isolated(name)} · ${count}`;
    const [x, y] = highest(rings[0] ?? []);
    const at: Point = [view.left + x * view.scale, view.top + y * view.scale + 17];
    return { text, colour: isActive ? theme.accent : theme.quiet, at };
  });
  paintLabels(context, labels, () => theme.surface);
}

/** The leftmost of the highest points: there a name covers the least of the zone. */
const highest = (ring: readonly Point[]): Point =>
  ring.reduce(
    (best, point) => (point[1] < best[1] || (point[1] === best[1] && point[0] < best[0]) ? point : best),
    ring[0] ?? [0, 0],
  );
