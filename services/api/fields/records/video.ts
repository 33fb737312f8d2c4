import { v7 } from "uuid";
import type { DataSource } from "../../../../projections/catalog/data-source.ts";
import type { VideoRecord } from "../../../../projections/history/queries/records.ts";
import { videoHistory } from "../../../../projections/history/records/video.ts";
import type { SetFields } from "../../../../schemas/catalog/changed.ts";
import { checkStoredTime } from "../../../../schemas/check-times.ts";
import { badInput, notFound, refuse } from "../../../../schemas/errors.ts";
import type { CreateVideoInput, UpdateVideoInput } from "../../../../schemas/graphql/inputs.ts";
import { checkMediaPath } from "../../../../schemas/media-path.ts";
import { checkFrameRate, type VideoFields } from "../../../../schemas/records/video-changed.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { showsStored } from "../../graphql/payload-scope.ts";
import { findRecords } from "../../read/find-records.ts";
import { requireDataSource } from "../../read/require-data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { acceptId, checkText } from "../../write/text.ts";
import { checkInstant, doorBounds, type TimeBounds } from "../../write/time.ts";
import { type RecordInApi, recordById, recordPages } from "./record-in-api.ts";

export const videoResolvers = {
  /**
   * Stands in for a data source that the catalog does not have: it was deleted, or only the producer of the video knows
   * it.
   */
  dataSource: (
    { dataSourceId: id, startTime }: VideoRecord,
    _args: unknown,
    { catalog }: Pick<ApiContext, "catalog">,
  ): DataSource =>
    catalog.get("dataSource", id) ?? {
      id,
      name: id,
      type: "VIDEO_DEVICE",
      labels: null,
      createdAt: startTime,
      updatedAt: startTime,
    },
  url: ({ path }: VideoRecord, _args: unknown, { media }: ApiContext) => media.signedUrl(path),
  thumbnailUrl: ({ thumbnailPath }: VideoRecord, _args: unknown, { media }: ApiContext) =>
    thumbnailPath === null ? null : media.signedUrl(thumbnailPath),
  createdBy: () => null,
};

export const videoInApi: RecordInApi = {
  queries: { video: recordById(videoHistory), videos: recordPages(videoHistory) },
  mutations: (deps) => ({ createVideo: createVideo(deps), updateVideo: updateVideo(deps) }),
  types: { Video: videoResolvers },
};

/** The check for the value of each field, by its name in `checkedFields`. */
const fields = {
  startTime: "times",
  endTime: "times",
  path: "paths",
  thumbnailPath: "paths",
  displayName: "texts",
  frameRate: "rates",
  resolutionHeight: "texts",
  resolutionWidth: "texts",
} as const satisfies Record<keyof VideoFields, string>;
const names = Object.keys(fields) as (keyof VideoFields)[];
const clearable = [
  "endTime",
  "thumbnailPath",
  "displayName",
  "frameRate",
  "resolutionHeight",
  "resolutionWidth",
] as const;

/** If the input has an id, the client may repeat the call: an existing video stays unchanged. */
const createVideo =
  (deps: MutationDeps) =>
  async (_root: unknown, { video: input }: { video: CreateVideoInput }, context: ApiContext): Promise<VideoRecord> => {
    const isNamed = input.id != null;
    const id = input.id == null ? v7() : acceptId(input.id, ["video", "id"]);
    // Must come before the checks, because the data source of an existing video may be deleted by now.
    const known = isNamed ? await context.loaders.record(videoHistory, id) : undefined;
    if (known !== undefined && showsStored(context)) return known;
    const { dataSourceId } = input;
    requireDataSource(context, dataSourceId, ["video", "dataSourceId"]);
    const set = checkedFields(input, doorBounds(deps));
    const video = { id, dataSourceId, ...set, startTime: input.startTime, path: input.path };
    checkPeriod(video);
    if (known !== undefined) return video;
    await context.write([
      { type: "VideoChanged", event: { id, dataSourceId, change: "created", at: deps.now(), set, cleared: [] } },
    ]);
    // Another instance may have created the video first.
    return isNamed && showsStored(context) ? asStored(video, context) : video;
  };

const updateVideo =
  (deps: MutationDeps) =>
  async (_root: unknown, { video: input }: { video: UpdateVideoInput }, context: ApiContext): Promise<VideoRecord> => {
    const { id } = input;
    for (const name of ["startTime", "path"] as const) {
      if (input[name] === null) throw badInput("it may not be null", ["video", name]);
    }
    const set = checkedFields(input, doorBounds(deps));
    const before = (await findRecords(videoHistory, [id], context, deps)).get(id);
    if (before === undefined) throw notFound("video", id, ["video", "id"]);
    const cleared = clearable.filter((name) => input[name] === null);
    const given = Object.fromEntries(
      names.filter((name) => input[name] !== undefined).map((name) => [name, set[name]]),
    );
    if (Object.keys(given).length === 0) return before;
    const video: VideoRecord = { ...before, ...given };
    checkPeriod(video);
    const { dataSourceId } = before;
    await context.write([
      { type: "VideoChanged", event: { id, dataSourceId, change: "updated", at: deps.now(), set, cleared } },
    ]);
    return asStored(video, context);
  };

/**
 * Returns the video as the history has it, with the writes of others. While the history is unavailable, returns
 * `video`, whose event the log has.
 */
const asStored = async (video: VideoRecord, { loaders }: ApiContext): Promise<VideoRecord> =>
  (await loaders.record(videoHistory, video.id).catch(() => undefined)) ?? video;

/** Throws BAD_USER_INPUT with the path of the field at fault. */
function checkedFields(
  input: Partial<CreateVideoInput | UpdateVideoInput>,
  bounds: TimeBounds,
): SetFields<VideoFields> {
  const checks = {
    times(ms: number, path: readonly string[]) {
      checkInstant(ms, bounds, path);
      refuse(checkStoredTime(ms), path);
    },
    paths: (where: string, path: readonly string[]) => refuse(checkMediaPath(where), path),
    rates: (rate: number, path: readonly string[]) => refuse(checkFrameRate(rate), path),
    texts: checkText,
  };
  for (const name of names) {
    // The compiler does not see that the table assigns each field a check of its type.
    if (input[name] != null) checks[fields[name]](input[name] as never, ["video", name]);
  }
  return {
    startTime: input.startTime ?? null,
    endTime: input.endTime ?? null,
    path: input.path ?? null,
    thumbnailPath: input.thumbnailPath ?? null,
    displayName: input.displayName ?? null,
    frameRate: input.frameRate ?? null,
    resolutionHeight: input.resolutionHeight ?? null,
    resolutionWidth: input.resolutionWidth ?? null,
  };
}

function checkPeriod({ startTime, endTime }: VideoRecord): void {
  if (endTime !== null && endTime < startTime) throw badInput("the end is before the start", ["video", "endTime"]);
}
