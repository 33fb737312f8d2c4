// The deprecated events: activities with the same ids, under other names (the type is the name, the subtype the first label).
import { tagOf } from "../../../../projections/catalog/tag.ts";
import type { Chronicle } from "../../../../projections/chronicles/define-chronicle.ts";
import { activityChronicle } from "../../../../projections/chronicles/kinds.ts";
import { inWordsOfActivities } from "../../../../projections/filters/events.ts";
import { eventQueries } from "../../../../projections/history/queries/chronicles.ts";
import { checkStoredTime } from "../../../../schemas/checks.ts";
import { AppError, badInput, notFound, refuse } from "../../../../schemas/errors.ts";
import type { Sort } from "../../../../schemas/filters.ts";
import type {
  CreateEventInput,
  CreateSnapshotInput,
  FilterEventInput,
  UpdateEventInput,
  UploadImageInput,
} from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { takeSnapshot } from "../../media/snapshot.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { Input, Path } from "../../write/said.ts";
import { checkText, checkTexts } from "../../write/text.ts";
import { uploaded } from "../mutations/upload-image.ts";
import { findChronicles } from "./find.ts";
import { chronicleMutationsOf } from "./mutations.ts";

type Activity = Chronicle<"activityChronicle">;

const PATH = ["event"];

export const eventQueryFields = {
  event: async (_root: unknown, { id }: { readonly id: string }, { loaders }: ApiContext) =>
    (await loaders.chronicle("activityChronicle", id)) ?? null,
  events: (_root: unknown, args: PageArgs<FilterEventInput, Sort<string>>, context: ApiContext) =>
    historyQuery(args, context, {
      reached: () => context.historyReached("chronicles"),
      page: (history, request) =>
        eventQueries.page(history, { ...request, filter: inWordsOfActivities(request.filter) }),
      count: (history, filter) => eventQueries.count(history, inWordsOfActivities(filter)),
    }),
};

export function eventMutationFields(deps: MutationDeps) {
  const activities = chronicleMutationsOf(activityChronicle, deps);

  async function createEvent(_root: unknown, { event }: { readonly event: CreateEventInput }, context: ApiContext) {
    const { eventProducerId, subType, imageIds } = event;
    const input = {
      ...(await inputOf(event, context, deps)),
      id: event.id,
      chronicleProducerId: eventProducerId,
      labels: subType == null ? null : [subType],
    };
    const made = await imagesOf(event, event.snapshots ?? [], context, deps);
    const all = made.length === 0 ? imageIds : [...(imageIds ?? []), ...made];
    return inWordsOfEvents(() => activities.create({ ...input, imageIds: all }, context, PATH));
  }

  async function updateEvent(_root: unknown, { event }: { readonly event: UpdateEventInput }, context: ApiContext) {
    const { id, subType } = event;
    const before = (await findChronicles("activityChronicle", [id], context, deps)).get(id);
    if (before === undefined) throw notFound("event", id, [...PATH, "id"]);
    const input = {
      ...(await inputOf(event, context, deps)),
      id,
      labels: relabelled(before, subType),
    };
    const ends = before.endTime === null && event.endTime != null;
    const made = await imagesOf(event, ends ? (event.snapshots ?? []) : [], context, deps);
    const after = await inWordsOfEvents(() => activities.update(input, context, PATH));
    if (made.length === 0) return after;
    const added = { id, at: deps.now(), imageIds: made, clips: [] };
    await context.write([{ type: "ActivityMediaAdded", event: added }]);
    return (await context.loaders.chronicle("activityChronicle", id)) ?? after;
  }

  return { createEvent, updateEvent };
}

/** The other labels stay. undefined = nothing changes: writing the list again would undo what others do to it now. */
function relabelled({ labels }: Activity, subType: string | null | undefined): readonly string[] | undefined {
  if (subType === undefined || subType === (labels?.[0] ?? null)) return undefined;
  const others = labels?.slice(1) ?? [];
  return subType === null ? others : [subType, ...others];
}

/** The members that creations and updates have in common. */
async function inputOf(event: CreateEventInput | UpdateEventInput, context: ApiContext, deps: MutationDeps) {
  const { type, startTime, endTime, position, timezone, metadata, priority, draft, validation } = event;
  const { imageIds, clips, trackIds, subType, properties } = event;
  if (subType != null) checkText(subType, [...PATH, "subType"]);
  const links: Input =
    properties === null
      ? { siteIds: null, dataSourceIds: null, tags: null, pointOfInterestIds: null }
      : { ...properties };
  return {
    ...{ name: type, startTime, endTime, position, timezone, metadata, priority, draft },
    // The reason has another name than that of an activity.
    validation: validation && { ...validation, reason: validation.reason ?? null },
    ...{ imageIds, clips, trackIds },
    ...{ siteIds: links["siteIds"], dataSourceIds: links["dataSourceIds"] },
    pointOfInterestIds: links["pointOfInterestIds"],
    tagIds: await tagIdsOf(links["tags"] as readonly string[] | null | undefined, context, deps),
  };
}

/** A name without a tag makes it. */
async function tagIdsOf(names: readonly string[] | null | undefined, context: ApiContext, { tags }: MutationDeps) {
  if (names == null) return names;
  checkTexts(names, [...PATH, "properties", "tags"]);
  for (const name of names) await tags.use(name, context);
  return names.map((name) => tagOf(name).id);
}

/** Each may take a frame of a video. */
const MAX_IMAGES = 50;

interface WithUploads {
  readonly uploads?: readonly UploadImageInput[] | null | undefined;
}

/** Ids of the images that the input brings. They are stored before the event refers to them. */
async function imagesOf(
  { uploads }: WithUploads,
  snapshots: readonly CreateSnapshotInput[],
  context: ApiContext,
  deps: MutationDeps,
): Promise<readonly string[]> {
  const ids: string[] = [];
  if (snapshots.length + (uploads?.length ?? 0) > MAX_IMAGES)
    throw badInput(`at most ${MAX_IMAGES} images are made at once`, PATH);
  for (const [i, snapshot] of snapshots.entries()) {
    const path = [...PATH, "snapshots", i];
    const { dataSourceId, timestamp } = snapshot;
    if (context.catalog.get("dataSource", dataSourceId) === undefined)
      throw notFound("data source", dataSourceId, [...path, "dataSourceId"]);
    refuse(checkStoredTime(timestamp), [...path, "timestamp"]);
    ids.push((await takeSnapshot({ dataSourceId, timestamp }, context)).imageId);
  }
  for (const [i, upload] of (uploads ?? []).entries()) {
    ids.push((await uploaded(upload, [...PATH, "uploads", i], context, deps)).imageId);
  }
  // The event's answer shows them.
  if (ids.length > 0) await context.historyReached("images");
  return ids;
}

const words: Readonly<Record<string, Path>> = {
  name: ["type"],
  chronicleProducerId: ["eventProducerId"],
  labels: ["subType"],
  ...{ siteIds: ["properties", "siteIds"], dataSourceIds: ["properties", "dataSourceIds"] },
  ...{ tagIds: ["properties", "tags"], pointOfInterestIds: ["properties", "pointOfInterestIds"] },
};

/** A refusal names the member of the event. */
async function inWordsOfEvents<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.inputPath === undefined) throw error;
    const [root = "", member = "", ...rest] = error.inputPath;
    const path = [root, ...(words[member] ?? [member]), ...rest];
    throw new AppError(error.code, error.message, { path, cause: error.cause });
  }
}
