// Paints the objects of a scene: their outlines with tag and id, and where they came from.
import type { Label, PlacedLabel } from "../labels.ts";
import { isUpright } from "../rings.ts";
import type { SceneObject } from "../scene.ts";
import { inkOn, tagColour } from "../tag-colour.ts";
import type { Box, Point, View } from "../view.ts";
import { paintLabels } from "./labels.ts";
import { addRing } from "./outline.ts";

/** With more objects in view, the picture shows boxes alone; zooming in brings the rest back. */
const MOST_WITH_TRAILS = 150;
const EDGE = "rgb(255 255 255 / 0.65)";

export interface ObjectsPainting {
  readonly context: CanvasRenderingContext2D;
  readonly view: View;
  /** The size of the canvas, in CSS pixels. */
  readonly size: Point;
  readonly objects: Iterable<SceneObject>;
  /** The track that is pointed at. */
  readonly chosen: string | undefined;
  /** A small picture has no labels. */
  readonly isSmall: boolean;
  /** An image may have any colours, so the outlines get a light edge. */
  readonly isOnImage: boolean;
}

/** @returns the labels with the ids of their tracks. */
export function paintObjects({
  context,
  view,
  size,
  objects,
  chosen,
  isSmall,
  isOnImage,
}: ObjectsPainting): readonly PlacedLabel[] {
  const visible = [...objects].filter(({ box }) => isVisible(box, view, size));
  const pointed = visible.filter(({ trackId }) => trackId === chosen);
  if (!isSmall) paintTrails(context, view, visible.length > MOST_WITH_TRAILS ? pointed : visible);
  if (isOnImage) {
    context.lineWidth = 4;
    context.strokeStyle = EDGE;
    for (const object of visible) strokeOutline(context, view, object);
  }
  context.lineWidth = isSmall ? 1.5 : 2;
  for (const object of visible) {
    context.strokeStyle = tagColour(object.tag);
    strokeOutline(context, view, object);
  }
  for (const object of pointed) {
    context.lineWidth = 8;
    context.strokeStyle = EDGE;
    strokeOutline(context, view, object);
    context.lineWidth = 4;
    context.strokeStyle = tagColour(object.tag);
    strokeOutline(context, view, object);
  }
  return isSmall ? [] : paintLabels(context, labelsOf([...pointed, ...visible], view), inkOn);
}

/**
 * Rectangles have a way of their own through the painter: without a GPU, a thousand of them take 2 ms, as paths 8 ms,
 * and as one path 16 ms.
 */
function strokeOutline(context: CanvasRenderingContext2D, view: View, { ring, box }: SceneObject): void {
  if (isUpright(ring, box)) {
    const [left, top, right, bottom] = box;
    const { scale } = view;
    context.strokeRect(
      view.left + left * scale,
      view.top + top * scale,
      (right - left) * scale,
      (bottom - top) * scale,
    );
  } else {
    context.beginPath();
    addRing(context, view, ring);
    context.stroke();
  }
}

function paintTrails(context: CanvasRenderingContext2D, view: View, objects: readonly SceneObject[]): void {
  const { scale, left, top } = view;
  context.lineWidth = 1.5;
  context.lineJoin = "round";
  context.globalAlpha = 0.55;
  for (const { trail, tag, box } of objects) {
    context.strokeStyle = tagColour(tag);
    context.beginPath();
    for (const [x, y] of trail) context.lineTo(left + x * scale, top + y * scale);
    context.lineTo(left + ((box[0] + box[2]) / 2) * scale, top + box[3] * scale);
    context.stroke();
  }
  context.globalAlpha = 1;
}

const isVisible = ([l, t, r, b]: Box, { scale, left, top }: View, [width, height]: Point): boolean =>
  left + r * scale > 0 && left + l * scale < width && top + b * scale > 0 && top + t * scale < height;

function* labelsOf(objects: readonly SceneObject[], { scale, left, top }: View): Generator<Label> {
  for (const { tag, trackId, box } of objects)
    yield {
      id: trackId,
      text: `${tag === "" ? "?" : tag} ${shortId(trackId)}`,
      colour: tagColour(tag),
      at: [left + box[0] * scale - 1, top + box[1] * scale - 1],
    };
}

/** The end of a long id: generated ids of the same hour begin alike. */
export const shortId = (id: string): string => (id.length <= 12 ? id : `…${id.slice(-8)}`);
