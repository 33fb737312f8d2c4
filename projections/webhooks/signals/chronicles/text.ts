// A chronicle as its receivers get it.

import { fitting, MOST_CHARACTERS } from "../fitting.ts";
import type { ShownChronicle } from "./signal.ts";

type WithMetadata = ShownChronicle & { readonly metadata?: unknown };

/** `json` is the whole object. */
export const chronicleText = (chronicle: ShownChronicle, json: string): string =>
  json.length <= MOST_CHARACTERS ? json : fitting<WithMetadata>(chronicle, MOST_CHARACTERS, shorterChronicle);

/** Larger metadata are dropped: a part of an object that only its producer understands could mean something else. */
const LARGE_METADATA = 64 * 1024;
/** Texts up to this length are not cut. No id is longer. */
const SHORT_TEXT = 256;
/** Lists up to this length, as JSON, are not cut. */
const SHORT_LIST = 8 * 1024;

function shorterChronicle(chronicle: WithMetadata): WithMetadata {
  const { id, metadata, ...rest } = chronicle;
  const isLarge = JSON.stringify(metadata ?? null).length > LARGE_METADATA;
  return { ...rest, ...shorterMembers(rest), id, metadata: isLarge ? null : metadata };
}

const shorterMembers = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, shorter(value)]));

/** Keeps the first half of each text and list. */
function shorter(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length <= SHORT_TEXT ? value : value.slice(0, Math.ceil(value.length / 2)).toWellFormed();
  }
  if (Array.isArray(value)) {
    const isShort = JSON.stringify(value).length <= SHORT_LIST;
    return isShort ? value : value.slice(0, Math.floor(value.length / 2)).map(shorter);
  }
  return typeof value === "object" && value !== null ? shorterMembers(value) : value;
}
