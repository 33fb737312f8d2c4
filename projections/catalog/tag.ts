import { hash } from "node:crypto";
import type { TagFields } from "../../schemas/catalog/tag.ts";
import type { FilterTagInput } from "../../schemas/graphql/inputs.ts";
import { derivedId } from "../../schemas/identity.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { idField, stringField } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { defineEntity, type Listing } from "./define-entity.ts";

export interface Tag extends TagFields {
  readonly id: string;
}

const filterFields: MemoryFields<FilterTagInput, Tag> = {
  id: idField({ value: (tag) => tag.id }),
  name: stringField({ value: (tag) => tag.name, anyCase: true }),
};

export const matchesTag = (filter: FilterTagInput, tag: Tag): boolean => matches(filterFields, filter, tag);

const listing: Listing<"tag", FilterTagInput> = {
  plural: "tags",
  matches: matchesTag,
  sortValue: ({ id, name }, field) => (field === "LABEL_NAME" ? name : id),
};

export const tag = defineEntity({
  kind: "tag",
  name: "tag",
  fields: { name: { type: "name", nullable: false }, color: { type: "text", nullable: false } },
  listing,
});

/**
 * The tag with this name in any case. Its id and colour derive from the name, so that all instances make the same tag.
 */
export function tagOf(name: string): Tag {
  const lower = name.toLowerCase();
  return { id: derivedId("tag", lower), name: lower, color: colorOf(lower) };
}

const SATURATION = 0.75;
/** Each lightness is bright enough for a dark picture and dark enough for a bright one. */
const LIGHTNESSES = [0.4, 0.5, 0.62];

function colorOf(name: string): string {
  const number = hash("sha1", name, "buffer").readUInt32BE();
  const hue = number % 360;
  const lightness = LIGHTNESSES[Math.floor(number / 360) % LIGHTNESSES.length] ?? 0.5;
  // HSL is converted as in CSS Color Module Level 4, section 7.1.
  const channel = (n: number): string => {
    const k = (n + hue / 30) % 12;
    const share = lightness - SATURATION * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(share * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}
