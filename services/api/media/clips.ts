// A clip is no file of its own: it points into the video that covers it.
import type { VideoRecord } from "../../../projections/history/queries/records.ts";
import type { Clip } from "../../../schemas/chronicles/activity.ts";
import { AppError } from "../../../schemas/errors.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { ApiContext } from "../graphql/context.ts";
import type { MutationDeps } from "../write/deps.ts";

/** A clip with the video whose period contains it. */
export interface CoveredClip extends Clip {
  readonly video: VideoRecord;
}

type Covering = Pick<ApiContext["loaders"], "coveringVideo">;

/** For clips that are stored: those that no video covers any more are left out. */
export async function coveredClips(clips: readonly Clip[], loaders: Covering): Promise<CoveredClip[]> {
  return (await cover(clips, loaders)).filter((each) => each !== undefined);
}

/**
 * For new clips: throws NOT_FOUND with the path of the first that no single video covers. Finds a video for sure,
 * although the history lags behind the log.
 */
export async function coverClips(
  clips: readonly Clip[],
  pathOf: (index: number) => readonly (string | number)[],
  { loaders }: { readonly loaders: Covering },
  { historyComplete }: Pick<MutationDeps, "historyComplete">,
): Promise<CoveredClip[]> {
  let covered = await cover(clips, loaders);
  if (covered.includes(undefined)) {
    await historyComplete("videos");
    covered = await cover(clips, loaders);
  }
  return covered.map((each, i) => each ?? refuse(clips[i], pathOf(i)));
}

async function cover(clips: readonly Clip[], loaders: Covering): Promise<(CoveredClip | undefined)[]> {
  const videos = await Promise.all(
    clips.map(({ dataSourceId, startTime, endTime }) =>
      loaders.coveringVideo({ dataSourceId, from: startTime, to: endTime }),
    ),
  );
  return clips.map((clip, i) => {
    const video = videos[i];
    return video && { ...clip, video };
  });
}

function refuse(clip: Clip | undefined, path: readonly (string | number)[]): never {
  const period = clip === undefined ? "" : `: ${isoTime(clip.startTime)} to ${isoTime(clip.endTime)}`;
  throw new AppError("NOT_FOUND", `no video of data source ${clip?.dataSourceId} covers the clip${period}`, { path });
}

/** Media Fragments URI 1.0: seconds from the video's start. Players take no end that is not behind the beginning. */
export function timeFragment({ startTime, endTime, video }: CoveredClip): string {
  const [from, to] = [startTime, endTime].map((ms) => (ms - video.startTime) / 1_000);
  return startTime === endTime ? `#t=${from}` : `#t=${from},${to}`;
}
