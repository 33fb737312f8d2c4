// JSON values in which a client may put anything. Their depth and size are limited, because the log keeps them.

import { badInput } from "../../../schemas/errors.ts";
import { limits } from "../../../schemas/limits.ts";

export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/**
 * Returns the JSON text of the coordinate system of a place; `path` is the path of the place.
 * @returns null when there is none.
 */
export function crsOf(
  { crs }: { readonly crs?: object | null | undefined },
  path: readonly (string | number)[],
): string | null {
  if (crs == null) return null;
  const { maxCrsDepth, maxCrsBytes } = limits;
  if (isDeeper(crs, maxCrsDepth)) throw badInput(`crs is nested deeper than ${maxCrsDepth} levels`, [...path, "crs"]);
  const text = JSON.stringify(crs);
  if (Buffer.byteLength(text) > maxCrsBytes) throw badInput(`crs has more than ${maxCrsBytes} bytes`, [...path, "crs"]);
  return text;
}
