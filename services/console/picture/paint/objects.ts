// Paints the objects of a scene: their outlines with tag and id, and where they came from.
import type { SceneObject } from "../scene.ts";
import { tagColour } from "../tag-colour.ts";
import { toScreen, type View } from "../view.ts";

export function paintTrails(context: CanvasRenderingContext2D, view: View, objects: Iterable<SceneObject>): void {
  context.lineWidth = 1;
  context.globalAlpha = 0.6;
  for (const { trail, tag } of objects) {
    context.strokeStyle = tagColour(tag);
    context.beginPath();
    for (const point of trail) {
      const [x, y] = toScreen(view, point);
      context.lineTo(x, y);
    }
    context.stroke();
  }
}

export function paintObjects(context: CanvasRenderingContext2D, view: View, objects: Iterable<SceneObject>): void {
  context.lineWidth = 2;
  for (const { ring, tag, trackId, box } of objects) {
    const colour = tagColour(tag);
    context.strokeStyle = colour;
    context.beginPath();
    for (const point of ring) {
      const [x, y] = toScreen(view, point);
      context.lineTo(x, y);
    }
    context.closePath();
    context.stroke();
    const [x, y] = toScreen(view, [box[0], box[1]]);
    context.fillStyle = colour;
    context.fillText(`${tag} ${trackId}`, x, y - 4);
  }
}
