// The deprecated events: activities with the same ids, under other names (the type is the name, the subtype the first
// label).
import { tagOf } from "../../../../projections/catalog/tag.ts";
import type { Chronicle } from "../../../../projections/chronicles/define-chronicle.ts";
import { activityChronicle } from "../../../../projections/chronicles/kinds.ts";
import { inWordsOfActivities } from "../../../../projections/filters/events.ts";
import { eventQueries } from "../../../../projections/history/chronicles/pages.ts";
import { checkStoredTime } from "../../../../schemas/check-times.ts";
import { AppError, badInput, type InputPath, notFound, refuse } from "../../../../schemas/errors.ts";
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
import { requireDataSource } from "../../read/require-data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { checkText, checkTexts } from "../../write/text.ts";
import { checkUpload, uploaded } from "../records/image.ts";
import { checkMediaQuota } from "./add-media.ts";
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
      if (before !== undefined) checkMediaQuota(before, { imageIds, clips: [] }, PATH);
      const media = { id, at: deps.now(), imageIds, clips: [] };
      return { set, added: [{ type: "ActivityMediaAdded", event: media } as const] };
    };
    return inWordsOfEvents(() => activities.update({ ...inputOf(event), id }, context, PATH, make));
  }

  return { createEvent, updateEvent };
}

/**
 * Returns the new labels; labels other than the first stay.
 * @returns undefined when nothing changes: writing the list again would undo simultaneous changes of others.
 */
function relabelled(before: Activity | undefined, subType: string | null | undefined): readonly string[] | undefined {
  const labels = before?.labels ?? [];
  if (subType === undefined || subType === (labels[0] ?? null)) return undefined;
  const others = labels.slice(1);
  return subType === null ? others : [subType, ...others];
}

/** Returns the members that creations and updates share, without those that refer to objects that do not exist yet. */
function inputOf(event: CreateEventInput | UpdateEventInput) {
  const { type, startTime, endTime, position, timezone, metadata, priority, draft, validation } = event;
  const { imageIds, clips, trackIds, subType } = event;
  if (subType != null) checkText(subType, [...PATH, "subType"]);
  const { tags, ...links } = linksOf(event);
  if (tags != null) checkTexts(tags, [...PATH, "properties", "tags"]);
  return {
    name: type,
    startTime,
    endTime,
    position,
    timezone,
    metadata,
    priority,
    draft,
    // The member is always present: the parser recognises by it that an input is that of an event. In an activity's
    // input it is named `summary`.
    validation: validation && { ...validation, reason: validation.reason ?? null },
    imageIds,
    clips,
    trackIds,
    ...links,
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

/** Maximum number of images that one mutation creates, because each may take a frame of a video. */
const MAX_IMAGES = 50;

interface Brought extends WithLinks {
  readonly uploads?: readonly UploadImageInput[] | null | undefined;
}

/** Creates the tags and images that the input brings, so that the event can refer to them. */
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
    requireDataSource(context, dataSourceId, [...path, "dataSourceId"]);
    refuse(checkStoredTime(timestamp), [...path, "timestamp"]);
  }
  const pathOf = (i: number) => [...PATH, "uploads", i];
  for (const [i, upload] of uploads.entries()) checkUpload(upload, pathOf(i), context, deps);
  const tagIds = await makeTags(linksOf(event).tags, context, deps);
  const imageIds: string[] = [];
  for (const snapshot of snapshots) imageIds.push((await takeSnapshot(snapshot, context)).imageId);
  for (const [i, upload] of uploads.entries())
    imageIds.push((await uploaded(upload, pathOf(i), context, deps)).imageId);
  // The answer shows the event with these images, so the history must have them.
  if (imageIds.length > 0) await context.historyReached("images");
  return { imageIds, tagIds };
}

/** Creates the tags that do not exist yet. */
async function makeTags(names: readonly string[] | null | undefined, context: ApiContext, { tags }: MutationDeps) {
  if (names == null) return {};
  await Promise.all(names.map((name) => tags.use(name, context)));
  const tagIds = names.map((name) => tagOf(name).id);
  // A tag was not created if the catalog already has as many tags as it may.
  const missing = tagIds.findIndex((id) => context.catalog.get("tag", id) === undefined);
  if (missing >= 0) throw notFound("tag", names[missing] ?? "", [...PATH, "properties", "tags", missing]);
  return { tagIds: [...new Set(tagIds)] };
}

const withOthers = (
  { imageIds }: { readonly imageIds?: readonly string[] | null | undefined },
  made: readonly string[],
) => [...new Set([...(imageIds ?? []), ...made])];

const words: Readonly<Record<string, InputPath>> = {
  name: ["type"],
  chronicleProducerId: ["eventProducerId"],
  labels: ["subType"],
  siteIds: ["properties", "siteIds"],
  dataSourceIds: ["properties", "dataSourceIds"],
  tagIds: ["properties", "tags"],
  pointOfInterestIds: ["properties", "pointOfInterestIds"],
};

/** Translates the path of an input error from the members of an activity to those of an event. */
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
