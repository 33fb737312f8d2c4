import { clipId } from "../../../../schemas/identity.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { type CoveredClip, timeFragment } from "../../media/clips.ts";
import { videoResolvers } from "../records/video.ts";

export const dataSourceClipResolvers = {
  id: ({ dataSourceId, startTime, endTime }: CoveredClip) => clipId(dataSourceId, startTime, endTime),
  dataSource: ({ video }: CoveredClip, args: unknown, context: ApiContext) =>
    videoResolvers.dataSource(video, args, context),
  url: async (clip: CoveredClip, _args: unknown, { media }: ApiContext) =>
    `${await media.signedUrl(clip.video.path)}${timeFragment(clip)}`,
  thumbnailUrl: ({ video }: CoveredClip, args: unknown, context: ApiContext) =>
    videoResolvers.thumbnailUrl(video, args, context),
  displayName: ({ video }: CoveredClip) => video.displayName,
};
