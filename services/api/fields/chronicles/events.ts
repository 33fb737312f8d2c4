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
  EventPropertiesInput,
  FilterEventInput,
  UpdateEventInput,
  UploadImageInput,
} from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { takeSnapshot } from "../../media/snapshot.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { Path } from "../../write/said.ts";
import { checkText, checkTexts } from "../../write/text.ts";
import { checkUpload, uploaded } from "../mutations/upload-image.ts";
import { checkRoom } from "./add-media.ts";
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
  const activities = chronicleMutationsOf({ ...activityChronicle, name: "event" }, deps);

  async function createEvent(_root: unknown, { event }: { readonly event: CreateEventInput }, context: ApiContext) {
    const { id, eventProducerId, subType } = event;
    const labels = subType == null ? null : [subType];
    const input = { ...inputOf(event), id, chronicleProducerId: eventProducerId, labels };
    const make = async () => {
      const { imageIds, tagIds } = await makeFor(event, event.snapshots ?? [], context, deps);
      return { set: { ...tagIds, ...(imageIds.length === 0 ? {} : { imageIds: withOthers(event, imageIds) }) } };
    };
    return inWordsOfEvents(() => activities.create(input, context, PATH, make));
  }

  async function updateEvent(_root: unknown, { event }: { readonly event: UpdateEventInput }, context: ApiContext) {
    const { id, subType } = event;
    const make = async (before: Activity | undefined) => {
      const ends = before?.endTime === null && event.endTime != null;
      const { imageIds, tagIds } = await makeFor(event, ends ? (event.snapshots ?? []) : [], context, deps);
      const labels = relabelled(before, subType);
      const set = { ...tagIds, ...(labels && { labels }) };
      if (imageIds.length === 0) return { set };
      if (event.imageIds !== undefined) return { set: { ...set, imageIds: withOthers(event, imageIds) } };
      if (before !== undefined) checkRoom(before, { imageIds, clips: [] }, PATH);
      const media = { id, at: deps.now(), imageIds, clips: [] };
      return { set, added: [{ type: "ActivityMediaAdded", event: media } as const] };
    };
    return inWordsOfEvents(() => activities.update({ ...inputOf(event), id }, context, PATH, make));
  }

  return { createEvent, updateEvent };
}

/** The other labels stay. undefined = nothing changes: writing the list again would undo what others do to it now. */
function relabelled(before: Activity | undefined, subType: string | null | undefined): readonly string[] | undefined {
  const labels = before?.labels ?? [];
  if (subType === undefined || subType === (labels[0] ?? null)) return undefined;
  const others = labels.slice(1);
  return subType === null ? others : [subType, ...others];
}

/** The members that creations and updates have in common, without those that refer to what is yet to be made. */
function inputOf(event: CreateEventInput | UpdateEventInput) {
  const { type, startTime, endTime, position, timezone, metadata, priority, draft, validation } = event;
  const { imageIds, clips, trackIds, subType } = event;
  if (subType != null) checkText(subType, [...PATH, "subType"]);
  const { tags, ...links } = linksOf(event);
  if (tags != null) checkTexts(tags, [...PATH, "properties", "tags"]);
  return {
    ...{ name: type, startTime, endTime, position, timezone, metadata, priority, draft },
    // The reason has another name than that of an activity.
    validation: validation && { ...validation, reason: validation.reason ?? null },
    ...{ imageIds, clips, trackIds, ...links },
    ...(tags === null ? { tagIds: null } : {}),
  };
}

interface WithLinks {
  readonly properties?: EventPropertiesInput | null | undefined;
}

const linksOf = ({ properties }: WithLinks): EventPropertiesInput =>
  properties === null
    ? { siteIds: null, dataSourceIds: null, tags: null, pointOfInterestIds: null }
    : { ...properties };

/** Each may take a frame of a video. */
const MAX_IMAGES = 50;

interface Brought extends WithLinks {
  readonly uploads?: readonly UploadImageInput[] | null | undefined;
}

/** Stores the tags and images that the input brings: the event may refer to them then. */
async function makeFor(
  event: Brought,
  snapshots: readonly CreateSnapshotInput[],
  context: ApiContext,
  deps: MutationDeps,
) {
  const uploads = event.uploads ?? [];
  if (snapshots.length + uploads.length > MAX_IMAGES)
    throw badInput(`at most ${MAX_IMAGES} images are made at once`, PATH);
  for (const [i, { dataSourceId, timestamp }] of snapshots.entries()) {
    const path = [...PATH, "snapshots", i];
    if (context.catalog.get("dataSource", dataSourceId) === undefined)
      throw notFound("data source", dataSourceId, [...path, "dataSourceId"]);
    refuse(checkStoredTime(timestamp), [...path, "timestamp"]);
  }
  const pathOf = (i: number) => [...PATH, "uploads", i];
  for (const [i, upload] of uploads.entries()) checkUpload(upload, pathOf(i), context, deps);
  const tagIds = await makeTags(linksOf(event).tags, context, deps);
  const imageIds: string[] = [];
  for (const snapshot of snapshots) imageIds.push((await takeSnapshot(snapshot, context)).imageId);
  for (const [i, upload] of uploads.entries())
    imageIds.push((await uploaded(upload, pathOf(i), context, deps)).imageId);
  // The event's answer shows them.
  if (imageIds.length > 0) await context.historyReached("images");
  return { imageIds, tagIds };
}

/** A name without a tag makes it. */
async function makeTags(names: readonly string[] | null | undefined, context: ApiContext, { tags }: MutationDeps) {
  if (names == null) return {};
  await Promise.all(names.map((name) => tags.use(name, context)));
  const tagIds = names.map((name) => tagOf(name).id);
  // There may be no room for more.
  const missing = tagIds.findIndex((id) => context.catalog.get("tag", id) === undefined);
  if (missing >= 0) throw notFound("tag", names[missing] ?? "", [...PATH, "properties", "tags", missing]);
  return { tagIds: [...new Set(tagIds)] };
}

const withOthers = (
  { imageIds }: { readonly imageIds?: readonly string[] | null | undefined },
  made: readonly string[],
) => [...new Set([...(imageIds ?? []), ...made])];

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
