/** Types by the extension of the path. All other media are bytes that a browser must not interpret. */
const kinds: Readonly<Record<string, { readonly type: string; readonly demuxer?: string }>> = {
  png: { type: "image/png" },
  jpg: { type: "image/jpeg" },
  jpeg: { type: "image/jpeg" },
  webp: { type: "image/webp" },
  gif: { type: "image/gif" },
  mp4: { type: "video/mp4", demuxer: "mov" },
  m4v: { type: "video/mp4", demuxer: "mov" },
  mov: { type: "video/quicktime", demuxer: "mov" },
  mkv: { type: "video/matroska", demuxer: "matroska" },
  webm: { type: "video/webm", demuxer: "matroska" },
  ts: { type: "video/mp2t", demuxer: "mpegts" },
  avi: { type: "video/x-msvideo", demuxer: "avi" },
};

export const UNKNOWN_TYPE = "application/octet-stream";

export const contentTypeOf = (path: string): string => kindOf(path)?.type ?? UNKNOWN_TYPE;

/**
 * Returns the demuxer with which ffmpeg reads a video. With a given demuxer, ffmpeg does not read a file as a list of
 * other files.
 */
export const demuxerOf = (path: string): string | undefined => kindOf(path)?.demuxer;

function kindOf(path: string) {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(kinds, ending) ? kinds[ending] : undefined;
}
