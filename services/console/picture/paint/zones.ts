// Paints the outlines of zones with their names and how many are in them.
import type { Scene, SceneZone } from "../scene.ts";
import { toScreen, type View } from "../view.ts";
import type { Theme } from "./theme.ts";

export function paintZones(context: CanvasRenderingContext2D, view: View, scene: Scene, theme: Theme): void {
  const counts = new Map<string, number>();
  for (const { zoneId } of scene.stays) counts.set(zoneId, (counts.get(zoneId) ?? 0) + 1);
  for (const zone of scene.zones) {
    const count = counts.get(zone.id) ?? 0;
    paintZone(context, view, zone, count, theme);
  }
}

function paintZone(context: CanvasRenderingContext2D, view: View, zone: SceneZone, count: number, theme: Theme): void {
  context.beginPath();
  for (const ring of zone.rings) {
    ring.forEach((point, i) => {
      const [x, y] = toScreen(view, point);
      if (i === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    });
    context.closePath();
  }
  context.setLineDash(zone.isActive ? [] : [6, 4]);
  context.lineWidth = count > 0 ? 2 : 1;
  context.strokeStyle = zone.isActive ? theme.accent : theme.quiet;
  context.fillStyle = theme.accent;
  context.globalAlpha = count > 0 ? 0.16 : 0.06;
  context.fill("evenodd");
  context.globalAlpha = 1;
  context.stroke();
  const first = zone.rings[0]?.[0];
  if (first === undefined) return;
  const [x, y] = toScreen(view, first);
  context.fillStyle = theme.text;
  context.fillText(count > 0 ? `${zone.name} · ${count}` : zone.name, x + 4, y + 14);
}
