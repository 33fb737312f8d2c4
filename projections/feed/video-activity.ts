// The subscription `videoActivity`: each newly created video.
import type { VideoChanged } from "../../schemas/events.ts";
import type { FilterVideoActivityInput } from "../../schemas/filters.ts";
import { matches } from "../filters/match.ts";
import { videoActivityFields } from "../filters/videos.ts";
import type { VideoRecord } from "../history/queries/records.ts";
import { foldRecords } from "./fold-records.ts";
import type { FeedKind, FeedMessage } from "./kind.ts";

interface VideoMessage extends FeedMessage {
  readonly kind: "videoActivity";
  readonly video: VideoRecord;
}

export const videoActivity: FeedKind<VideoMessage, FilterVideoActivityInput> = {
  field: "videoActivity",
  topic: "videos",
  createFold: foldRecords({ type: "VideoChanged", idOf: ({ dataSourceId, id }) => `${dataSourceId} ${id}`, toMessage }),
  matches: (filter, { video }) => matches(videoActivityFields, filter, video),
  mergeKey: () => undefined,
  rootValue: ({ video }) => video,
};

function toMessage({ id, dataSourceId, change, set }: VideoChanged): VideoMessage | undefined {
  const { startTime, path } = set;
  if (change !== "created" || startTime === null || path === null) return undefined;
  return { kind: "videoActivity", index: 0, dataSourceId, video: { ...set, id, dataSourceId, startTime, path } };
}
