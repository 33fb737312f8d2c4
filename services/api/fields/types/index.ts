import { type GraphQLResolveInfo, getNullableType, isListType } from "graphql";
import type { ApiContext } from "../../graphql/context.ts";
import type { Resolver, ResolverMap } from "../../graphql/schema.ts";
import { byHand } from "../by-hand/index.ts";
import { chronicleTypes } from "../chronicles/types.ts";
import { listed, resolversOf, typeName } from "../entities.ts";
import { summaryTypes } from "../summaries/index.ts";
import { DataSourceClip } from "./data-source-clip.ts";
import { Detection } from "./detection.ts";
import { GeofenceIntersection } from "./geofence-intersection.ts";
import { Image } from "./image.ts";
import { Measurement } from "./measurement.ts";
import { Track } from "./track.ts";
import { Video } from "./video.ts";
import { Zone } from "./zone.ts";
import { ZoneIntersection } from "./zone-intersection.ts";

/** The fields with their lists counted: those come from memory, have no `first`, and lead back to where they came from. */
function counted(fields: ResolverMap[string] = {}): ResolverMap[string] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, typeof field === "function" ? countedField(field) : field]),
  );
}

function countedField(resolve: Resolver): Resolver {
  return (source: never, args: never, context: never, info: never) => {
    const { budget }: ApiContext = context;
    const { returnType }: GraphQLResolveInfo = info;
    // Before the list is made, which takes time by its length.
    if (budget.isSpent() && isListType(getNullableType(returnType))) return [];
    const found = resolve(source, args, context, info);
    return Array.isArray(found) ? budget.give(found) : found;
  };
}

const entityTypes: ResolverMap = Object.fromEntries(
  listed.map((each) => [typeName(each.kind), { ...resolversOf(each), ...counted(byHand[each.kind]?.fields) }]),
);

const furtherTypes: ResolverMap = Object.fromEntries(
  Object.values(byHand)
    .flatMap(({ types = {} }) => Object.entries(types))
    .map(([name, fields]) => [name, counted(fields)]),
);

/** Resolvers of the types whose fields are more than members of the parent. */
export const types: ResolverMap = {
  ...entityTypes,
  ...chronicleTypes,
  ...furtherTypes,
  ...summaryTypes,
  DataSourceClip,
  Detection,
  Measurement,
  Image,
  GeofenceIntersection,
  Track,
  Video,
  Zone,
  ZoneIntersection,
};
