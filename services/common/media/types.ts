/** By the ending of the path. Everything else is bytes that a browser must not interpret. */
const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  mp4: "video/mp4",
  m4v: "video/mp4",
  mov: "video/quicktime",
  mkv: "video/matroska",
  webm: "video/webm",
  ts: "video/mp2t",
  avi: "video/x-msvideo",
};

export const UNKNOWN_TYPE = "application/octet-stream";

export function contentTypeOf(path: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(types, ending) ? (types[ending] ?? UNKNOWN_TYPE) : UNKNOWN_TYPE;
}
