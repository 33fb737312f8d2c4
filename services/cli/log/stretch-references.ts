// Finds the entities of the catalog that a stretch refers to, from the changes that mention them.
import { catalogKindOf } from "../../../projections/catalog/catalog.ts";
import type { CatalogKind } from "../../../schemas/catalog/kinds.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import type { ReferringStretch } from "./export-catalog.ts";

export interface StretchReferences {
  /** Must be called with every change. */
  note(message: CatalogEvent): void;
  /** @returns a function that returns true for the changes of the entities that the stretch refers to. */
  from(stretch: Pick<ReferringStretch, "dataSourceIds" | "tags">): (message: CatalogEvent) => boolean;
}

/** An entity that mentions the other one is included with it: a device of a data source, a geofence of a site. */
const INWARDS: readonly (readonly [CatalogKind, string, CatalogKind])[] = [
  ["device", "dataSourceId", "dataSource"],
  ["deviceCalibration", "deviceId", "device"],
  ["geofence", "siteId", "site"],
];

/** An entity that is mentioned is included with the one that mentions it. */
const OUTWARDS: readonly (readonly [CatalogKind, string, CatalogKind])[] = [
  ["device", "siteId", "site"],
  ["device", "pointOfInterestId", "pointOfInterest"],
  ["geofence", "pointOfInterestId", "pointOfInterest"],
  ["pointOfInterest", "siteId", "site"],
];

const nameOf = (kind: CatalogKind, id: string): string => `${kind} ${id}`;

export function createStretchReferences(): StretchReferences {
  /** Entities by the entity that they are included with. */
  const includes = new Map<string, Set<string>>();
  const tags = new Map<string, Set<string>>();

  function add(map: Map<string, Set<string>>, from: string, to: string): void {
    const known = map.get(from) ?? new Set();
    map.set(from, known.add(to));
  }

  return {
    note(message) {
      const kind = catalogKindOf(message.type);
      const { id, set } = message.event;
      const member = (field: string): string | undefined => textIn(set, field);
      for (const [from, field, to] of OUTWARDS) {
        const other = from === kind ? member(field) : undefined;
        if (other !== undefined) add(includes, nameOf(kind, id), nameOf(to, other));
      }
      for (const [from, field, to] of INWARDS) {
        const other = from === kind ? member(field) : undefined;
        if (other !== undefined) add(includes, nameOf(to, other), nameOf(kind, id));
      }
      const name = kind === "tag" ? member("name") : undefined;
      if (name !== undefined) add(tags, name.toLowerCase(), nameOf(kind, id));
    },

    from({ dataSourceIds, tags: used }) {
      const waiting = [...dataSourceIds].map((id) => nameOf("dataSource", id));
      for (const name of used) waiting.push(...(tags.get(name) ?? []));
      const included = new Set<string>();
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (included.has(next)) continue;
        included.add(next);
        waiting.push(...(includes.get(next) ?? []));
      }
      return ({ type, event: { id } }) => included.has(nameOf(catalogKindOf(type), id));
    },
  };
}

function textIn(set: object, field: string): string | undefined {
  const value: unknown = Reflect.get(set, field);
  return typeof value === "string" ? value : undefined;
}
