// Checks of the texts in events. Outputs and live state repeat a tag or a name with each detection, so every text is
// bounded.

import { type Flaw, flaw, orNone, under } from "./flaw.ts";
import { limits } from "./limits.ts";
import type { GeoPosition } from "./log/detections.ts";
import type { TrackProperties } from "./log/tracks.ts";

/** An id has no NUL, because NUL separates the parts of derived ids. */
export const checkId = (id: string): Flaw | undefined =>
  id.length > 0 && id.length <= limits.maxIdLength && !id.includes("\u0000")
    ? undefined
    : flaw(`an id has 1 to ${limits.maxIdLength} characters, none of them NUL`);

/** Checks a tag, a name or the value of a sensor. */
export const checkTextLength = (value: string): Flaw | undefined =>
  value.length <= limits.maxTextLength ? undefined : flaw(`at most ${limits.maxTextLength} characters`);

/** Checks the crs of a polygon or a position, which is JSON text. */
export const checkCrs = ({ crs }: Pick<GeoPosition, "crs">): Flaw | undefined =>
  crs === null || Buffer.byteLength(crs) <= limits.maxCrsBytes
    ? undefined
    : flaw(`more than ${limits.maxCrsBytes} bytes`, "crs");

export function checkProperties({ identifier, attributes }: TrackProperties): Flaw | undefined {
  if ((attributes?.length ?? 0) > limits.maxAttributes) {
    return flaw(`more than ${limits.maxAttributes} attributes`, "attributes");
  }
  let bytes = 0;
  for (const property of [...(attributes ?? []), ...(identifier === null ? [] : [identifier])]) {
    // The 1 counts the memory that an empty property takes.
    bytes += 1 + Buffer.byteLength(property.type) + Buffer.byteLength(property.value);
  }
  return bytes <= limits.maxPropertiesBytes ? undefined : flaw(`more than ${limits.maxPropertiesBytes} bytes`);
}

interface TrackTexts {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly tag: string | null;
  readonly modelId?: string | null;
  readonly properties: TrackProperties | null;
}

export const checkTrackTexts = ({ trackId, dataSourceId, tag, modelId = null, properties }: TrackTexts) =>
  under("trackId", checkId(trackId)) ??
  under("dataSourceId", checkId(dataSourceId)) ??
  under("tag", orNone(tag, checkTextLength)) ??
  under("modelId", orNone(modelId, checkTextLength)) ??
  under("properties", orNone(properties, checkProperties));
