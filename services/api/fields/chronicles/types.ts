// Fields of chronicles that are not plain members of the object.
import type { Chronicle } from "../../../../projections/chronicles/define-chronicle.ts";
import { imageHistory } from "../../../../projections/history/records/image.ts";
import type { CatalogKind } from "../../../../schemas/catalog/kinds.ts";
import type { ChronicleKind } from "../../../../schemas/chronicles/kinds.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { ResolverMap } from "../../graphql/schema.ts";
import { coveredClips } from "../../media/clips.ts";
import { parseNullableJson, toPoint } from "../types/geo.ts";

type Activity = Chronicle<"activityChronicle">;
type Event = Chronicle<"eventChronicle">;
type Summary = Chronicle<"summaryChronicle">;
type Any = Activity | Event | Summary;

/** Stands in for a producer that was deleted while the chronicle was written: only its id is known. */
const deletedProducer = (id: string) => ({
  id,
  name: "",
  description: null,
  timezone: null,
  active: false,
  validationReasons: [],
  metadata: null,
});

const anyChronicle = {
  chronicleProducer: ({ chronicleProducerId: id }: Any, _args: unknown, { catalog }: ApiContext) =>
    catalog.get("chronicleProducer", id) ?? deletedProducer(id),
  metadata: ({ metadata }: Any) => parseNullableJson(metadata),
};

/** Returns a resolver of the entities that the catalog still has; it resolves with null when there is no list. */
const entities =
  (kind: CatalogKind, idsOf: (activity: Activity) => readonly string[] | null) =>
  (activity: Activity, _args: unknown, { catalog, budget }: ApiContext) =>
    idsOf(activity) && budget.give(present((idsOf(activity) ?? []).map((id) => catalog.get(kind, id))));

/** Returns a resolver of a list of chronicles, which leaves out deleted ones. */
const chronicles =
  <Parent>(kind: ChronicleKind, idsOf: (parent: Parent) => readonly string[] | null) =>
  async (parent: Parent, _args: unknown, { loaders, budget }: ApiContext) => {
    const ids = budget.take(idsOf(parent) ?? []);
    return present(await Promise.all(ids.map((id) => loaders.chronicle(kind, id))));
  };

const present = <T>(found: readonly (T | undefined)[]): T[] => found.filter((each) => each !== undefined);

const activities = chronicles("activityChronicle", (parent: Event | Summary) => parent.activityChronicleIds);

/** Resolvers of the objects to which an activity refers. The properties of the deprecated events are the same. */
const links = {
  tracks: async ({ trackIds }: Activity, _args: unknown, { loaders, budget }: ApiContext) =>
    trackIds && present(await Promise.all(budget.take(trackIds).map((id) => loaders.trackById(id)))),
  sites: entities("site", ({ siteIds }) => siteIds),
  dataSources: entities("dataSource", ({ dataSourceIds }) => dataSourceIds),
  tags: entities("tag", ({ tagIds }) => tagIds),
  pointsOfInterest: entities("pointOfInterest", ({ pointOfInterestIds }) => pointOfInterestIds),
};

const covered = ({ clips }: Activity, _args: unknown, { loaders, budget }: ApiContext) =>
  coveredClips(budget.take(clips ?? []), loaders);

const media = {
  position: ({ position }: Activity) => position && toPoint(position),
  images: async ({ imageIds }: Activity, _args: unknown, { loaders, budget }: ApiContext) =>
    present(await Promise.all(budget.take(imageIds ?? []).map((id) => loaders.record(imageHistory, id)))),
  dataSourceClips: covered,
};

export const chronicleResolvers: ResolverMap = {
  ActivityChronicle: { ...anyChronicle, ...media, ...links },
  Event: {
    ...media,
    eventProducer: anyChronicle.chronicleProducer,
    metadata: anyChronicle.metadata,
    type: ({ name }: Activity) => name,
    subType: ({ labels }: Activity) => labels?.[0] ?? null,
    videos: async (activity: Activity, args: unknown, context: ApiContext) => {
      const clips = await covered(activity, args, context);
      return [...new Map(clips.map(({ video }) => [video.id, video])).values()];
    },
    properties: (activity: Activity) => activity,
  },
  EventProperties: links,
  EventChronicle: { ...anyChronicle, activityChronicles: activities },
  SummaryChronicle: {
    ...anyChronicle,
    activityChronicles: activities,
    eventChronicles: chronicles("eventChronicle", ({ eventChronicleIds }: Summary) => eventChronicleIds),
  },
};
