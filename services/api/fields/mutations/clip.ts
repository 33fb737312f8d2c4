import { checkStoredTime } from "../../../../schemas/check-times.ts";
import { badInput, refuse } from "../../../../schemas/errors.ts";
import type { CreateClipInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { type CoveredClip, coverClips } from "../../media/clips.ts";
import { requireDataSource } from "../../read/require-data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { activitiesNamed } from "../chronicles/add-media.ts";

interface ClipArgs {
  readonly input: CreateClipInput;
  readonly eventIds?: readonly string[] | null;
  readonly activityChronicleIds?: readonly string[] | null;
}

const PATH = ["input"];

/**
 * A clip is defined by its data source and period, so it is not stored itself. The mutation writes only the activities
 * to which the clip is added.
 */
export const clip =
  (deps: MutationDeps) =>
  async (_root: unknown, { input, ...named }: ClipArgs, context: ApiContext): Promise<CoveredClip> => {
    const { dataSourceId, startTime, endTime } = input;
    refuse(checkStoredTime(startTime), [...PATH, "startTime"]);
    refuse(checkStoredTime(endTime), [...PATH, "endTime"]);
    if (endTime < startTime) throw badInput("the end is before the start", [...PATH, "endTime"]);
    requireDataSource(context, dataSourceId, [...PATH, "dataSourceId"]);
    const [covered] = await coverClips([input], () => PATH, context, deps);
    if (covered === undefined) throw new Error("a clip was covered by nothing");
    const add = await activitiesNamed(named, [], context, deps);
    await add({ clips: [{ dataSourceId, startTime, endTime }] });
    return covered;
  };
