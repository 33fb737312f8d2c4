// A clip is not a file of its own: it is a period of the video that covers it.
import type { VideoRecord } from "../../../projections/history/queries/records.ts";
import type { Clip } from "../../../schemas/chronicles/activity.ts";
import { AppError } from "../../../schemas/errors.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { Loaders } from "../read/loaders.ts";
import type { MutationDeps } from "../write/deps.ts";

/** A clip with the video whose period contains it. */
export interface CoveredClip extends Clip {
  readonly video: VideoRecord;
}

type Covering = Pick<Loaders, "coveringVideo">;

/** Returns stored clips with their videos. A clip that no video covers any more is left out. */
export async function coveredClips(clips: readonly Clip[], loaders: Covering): Promise<CoveredClip[]> {
  return (await cover(clips, loaders)).filter((each) => each !== undefined);
}

/**
 * Returns new clips with their videos. Throws NOT_FOUND with the path of the first clip that no single video covers. It
 * finds every video that is in the log at the call, although the history lags behind.
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

/**
 * Returns a fragment of Media Fragments URI 1.0, in seconds from the video's start. A clip without duration has no end,
 * because players refuse an end that is not after the beginning.
 */
export function timeFragment({ startTime, endTime, video }: CoveredClip): string {
  const [from, to] = [startTime, endTime].map((ms) => (ms - video.startTime) / 1_000);
  return startTime === endTime ? `#t=${from}` : `#t=${from},${to}`;
}
