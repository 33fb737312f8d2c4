import { v7 } from "uuid";
import type { VideoRecord } from "../../../../projections/history/queries/records.ts";
import type { Said } from "../../../../schemas/catalog/changed.ts";
import { checkFrameRate } from "../../../../schemas/check-record.ts";
import { checkStoredTime } from "../../../../schemas/checks.ts";
import { badInput, notFound, refuse } from "../../../../schemas/errors.ts";
import type { VideoFields } from "../../../../schemas/events.ts";
import type { CreateVideoInput, UpdateVideoInput } from "../../../../schemas/graphql/inputs.ts";
import { checkMediaPath } from "../../../../schemas/media-path.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { acceptId, checkText } from "../../write/text.ts";
import { checkInstant, type DoorBounds, doorBounds } from "../../write/time.ts";

/** Which check takes the values of a field. */
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

/** With an id, the client may repeat it: an existing video stays as it is. */
export const createVideo =
  (deps: MutationDeps) =>
  async (_root: unknown, { video: input }: { video: CreateVideoInput }, context: ApiContext): Promise<VideoRecord> => {
    const isNamed = input.id != null;
    const id = input.id == null ? v7() : acceptId(input.id, ["video", "id"]);
    // Before the checks: its data source may be gone by now.
    const known = isNamed ? await context.loaders.video(id) : undefined;
    if (known !== undefined) return known;
    const { dataSourceId } = input;
    if (context.catalog.get("dataSource", dataSourceId) === undefined) {
      throw notFound("data source", dataSourceId, ["video", "dataSourceId"]);
    }
    const said = saidBy(input, doorBounds(deps));
    const video = { id, dataSourceId, ...said, startTime: input.startTime, path: input.path };
    checkPeriod(video);
    await context.write([
      { type: "VideoChanged", event: { id, dataSourceId, change: "created", at: deps.now(), set: said, cleared: [] } },
    ]);
    // Another instance may have created it first.
    return isNamed ? asStored(video, context) : video;
  };

export const updateVideo =
  (deps: MutationDeps) =>
  async (_root: unknown, { video: input }: { video: UpdateVideoInput }, context: ApiContext): Promise<VideoRecord> => {
    const { id } = input;
    for (const name of ["startTime", "path"] as const) {
      if (input[name] === null) throw badInput("it may not be null", ["video", name]);
    }
    const said = saidBy(input, doorBounds(deps));
    const before = await find(id, deps, context);
    if (before === undefined) throw notFound("video", id, ["video", "id"]);
    const cleared = clearable.filter((name) => input[name] === null);
    const given = Object.fromEntries(
      names.filter((name) => input[name] !== undefined).map((name) => [name, said[name]]),
    );
    if (Object.keys(given).length === 0) return before;
    const video: VideoRecord = { ...before, ...given };
    checkPeriod(video);
    const { dataSourceId } = before;
    await context.write([
      { type: "VideoChanged", event: { id, dataSourceId, change: "updated", at: deps.now(), set: said, cleared } },
    ]);
    return asStored(video, context);
  };

/** The history lags behind the log: only what it has read all of does it know for sure. */
async function find(id: string, deps: MutationDeps, { loaders }: ApiContext): Promise<VideoRecord | undefined> {
  const known = await loaders.video(id);
  if (known !== undefined) return known;
  await deps.historyComplete("videos");
  return loaders.video(id);
}

/** The video with what others wrote; while the history is away, as this instance knows it: the log has the write. */
const asStored = async (video: VideoRecord, { loaders }: ApiContext): Promise<VideoRecord> =>
  (await loaders.video(video.id).catch(() => undefined)) ?? video;

/** Throws BAD_USER_INPUT with the path of the field at fault. */
function saidBy(input: Partial<CreateVideoInput | UpdateVideoInput>, bounds: DoorBounds): Said<VideoFields> {
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
    // The compiler does not see that the table joins check and field.
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
