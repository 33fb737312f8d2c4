import type { ResolverMap } from "../../graphql/schema.ts";
import { byHand } from "../by-hand.ts";
import { listed, resolversOf, typeName } from "../entities.ts";
import { Detection } from "./detection.ts";
import { Track } from "./track.ts";
import { Zone } from "./zone.ts";
import { ZoneIntersection } from "./zone-intersection.ts";

const entityTypes: ResolverMap = Object.fromEntries(
  listed.map((each) => [typeName(each.kind), { ...resolversOf(each), ...byHand[each.kind]?.fields }]),
);

/** Resolvers of the types whose fields are more than members of the parent. */
export const types: ResolverMap = { ...entityTypes, Detection, Track, Zone, ZoneIntersection };
