import { type GraphQLResolveInfo, getNullableType, isListType } from "graphql";
import type { ApiContext } from "../../graphql/context.ts";
import type { Resolver, ResolverMap } from "../../graphql/schema.ts";
import { byHand } from "../by-hand/index.ts";
import { chronicleResolvers } from "../chronicles/types.ts";
import { listed, resolversOf, typeName } from "../entities.ts";
import { recordTypes } from "../records/kinds.ts";
import { summaryTypes } from "../summaries/index.ts";
import { dataSourceClipResolvers } from "./data-source-clip.ts";
import { detectionResolvers } from "./detection.ts";
import { geofenceIntersectionResolvers } from "./geofence-intersection.ts";
import { trackResolvers } from "./track.ts";
import { zoneResolvers } from "./zone.ts";
import { zoneIntersectionResolvers } from "./zone-intersection.ts";
import { zoneTrialResolvers } from "./zone-trial.ts";

/**
 * Returns the fields with their lists counted by the operation's budget. These lists come from memory, have no `first`,
 * and may lead back to their origin.
 */
function counted(fields: ResolverMap[string] = {}): ResolverMap[string] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, typeof field === "function" ? countedField(field) : field]),
  );
}

function countedField(resolve: Resolver): Resolver {
  return (source: never, args: never, context: never, info: never) => {
    const { budget }: ApiContext = context;
    const { returnType }: GraphQLResolveInfo = info;
    // Must come before the list is created, which takes time proportional to its length.
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

/** Resolvers of the types whose fields are not plain members of the parent. */
export const types: ResolverMap = {
  ...entityTypes,
  ...chronicleResolvers,
  ...furtherTypes,
  ...summaryTypes,
  ...recordTypes,
  DataSourceClip: dataSourceClipResolvers,
  Detection: detectionResolvers,
  GeofenceIntersection: geofenceIntersectionResolvers,
  Track: trackResolvers,
  Zone: zoneResolvers,
  ZoneIntersection: zoneIntersectionResolvers,
  ZoneTrialIntersection: zoneTrialResolvers,
};
