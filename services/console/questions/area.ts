// An area of the Earth as somebody types it: a circle, or a polygon as GeoJSON.

type Area =
  | { readonly point: readonly [longitude: number, latitude: number]; readonly radius: number }
  | { readonly rings: readonly unknown[] };

const LARGEST_LONGITUDE = 360;
const LARGEST_LATITUDE = 90;
/** The area is a part of the address of a question. */
const LONGEST_TEXT = 8_000;

/** @returns undefined when the text is an area. */
export function areaFault(text: string): string | undefined {
  const area = areaOf(text);
  return typeof area === "string" ? area : undefined;
}

/** The condition of the interface. A text that is no area has none. */
export function areaCondition(text: string): object {
  const area = areaOf(text);
  if (typeof area === "string") return {};
  if ("rings" in area) return { in: { type: "Polygon", coordinates: area.rings } };
  return { near: { point: { type: "Point", coordinates: area.point }, radius: area.radius } };
}

function areaOf(text: string): Area | string {
  if (text.length > LONGEST_TEXT)
    return `The area has at most ${LONGEST_TEXT} characters: leave out some of its points.`;
  return text.trim().startsWith("{") ? polygonOf(text) : circleOf(text);
}

function circleOf(text: string): Area | string {
  const numbers = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);
  const [longitude, latitude, radius] = numbers;
  if (numbers.length !== 3 || longitude === undefined || latitude === undefined || radius === undefined)
    return "Longitude, latitude and metres, or a polygon as GeoJSON.";
  if (!numbers.every(Number.isFinite)) return "Longitude, latitude and metres are numbers.";
  if (Math.abs(longitude) > LARGEST_LONGITUDE || Math.abs(latitude) > LARGEST_LATITUDE)
    return "The longitude comes first, then the latitude, in degrees.";
  return radius < 0 ? "The metres are 0 or more." : { point: [longitude, latitude], radius };
}

function polygonOf(text: string): Area | string {
  const geometry = geometryOf(parsed(text));
  if (geometry === undefined) return "This is no GeoJSON.";
  if (geometry["type"] !== "Polygon") return "One polygon is needed.";
  const { coordinates: rings } = geometry;
  return isRings(rings) ? { rings } : "Each ring of the polygon has four or more points, and ends where it begins.";
}

type Json = Readonly<Record<string, unknown>>;

/** Other programs wrap a polygon into a feature, and a feature into a collection. */
function geometryOf(value: unknown): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const json = value as Json;
  if (json["type"] === "Feature") return geometryOf(json["geometry"]);
  const features = json["features"];
  return Array.isArray(features) && features.length === 1 ? geometryOf(features[0]) : json;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRings = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRing);

const isRing = (ring: unknown): boolean =>
  Array.isArray(ring) && ring.length >= 4 && ring.every(isPoint) && String(ring[0]) === String(ring.at(-1));

const isPoint = (point: unknown): boolean => Array.isArray(point) && point.length >= 2 && point.every(Number.isFinite);
