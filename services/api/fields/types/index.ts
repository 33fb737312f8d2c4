import type { CatalogKind } from "../../../../schemas/catalog/kinds.ts";
import type { ResolverMap } from "../../graphql/schema.ts";
import { listed, resolversOf, typeName } from "../entities.ts";
import { DataSource } from "./data-source.ts";
import { Detection } from "./detection.ts";
import { Track } from "./track.ts";
import { Zone } from "./zone.ts";
import { ZoneIntersection } from "./zone-intersection.ts";

/** What the entities of a kind have beside the fields of their table. */
const nested: Readonly<Partial<Record<CatalogKind, ResolverMap[string]>>> = {
  dataSource: DataSource,
  // Nobody can create any of these yet.
  site: { devices: () => [], pointsOfInterest: () => [], geofences: () => [] },
};

const entityTypes: ResolverMap = Object.fromEntries(
  listed.map((each) => [typeName(each.kind), { ...resolversOf(each), ...nested[each.kind] }]),
);

/** Resolvers of the types whose fields are not simply members of what the queries answer with. */
export const types: ResolverMap = { ...entityTypes, Detection, Track, Zone, ZoneIntersection };
