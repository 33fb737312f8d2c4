// Checks of the texts in events. Outputs and live state repeat a tag or a name with each detection, so every text is
// bounded.

import type { GeoPosition, TrackProperties } from "./events.ts";
import { type Flaw, flaw, orNone, under } from "./flaw.ts";
import { limits } from "./limits.ts";

/** NUL divides the ids within a derived one. */
export const checkId = (id: string): Flaw | undefined =>
  id.length > 0 && id.length <= limits.maxIdLength && !id.includes("\u0000")
    ? undefined
    : flaw(`an id has 1 to ${limits.maxIdLength} characters, none of them NUL`);

/** A tag, a name, the value of a sensor. */
export const checkLength = (value: string): Flaw | undefined =>
  value.length <= limits.maxTextLength ? undefined : flaw(`at most ${limits.maxTextLength} characters`);

/** `crs`: of a polygon or a position, as JSON text. */
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
    // An empty property also takes memory.
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
  under("tag", orNone(tag, checkLength)) ??
  under("modelId", orNone(modelId, checkLength)) ??
  under("properties", orNone(properties, checkProperties));
