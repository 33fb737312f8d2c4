import { z } from "zod";
import { checkMediaPath } from "../../../schemas/media-path.ts";
import { integer } from "../config.ts";

const HOUR_S = 3_600;
/** S3 accepts no longer one. */
const WEEK_S = 7 * 24 * HOUR_S;

/** With the longest path it makes the longest key of S3. */
const MAX_PREFIX_BYTES = 128;

const isPrefix = (prefix: string): boolean =>
  prefix === "" || (Buffer.byteLength(prefix) <= MAX_PREFIX_BYTES && checkMediaPath(prefix.slice(0, -1)) === undefined);

const address = (example: string) =>
  z
    .union([z.literal(""), z.url({ protocol: /^https?$/ })])
    .default("")
    .transform((url) => url.replace(/\/+$/, ""))
    .describe(`a URL such as ${example}`);

export const mediaEnv = z.object({
  /** Images and videos, and the key of their links; used when there is no bucket. Several instances share one folder. */
  MEDIA_DIR: z.string().default(".tracklog/media"),
  /** An S3 bucket instead of the folder. */
  MEDIA_BUCKET: z.string().default(""),
  /** Of all keys in the bucket; "/" = none. A video is named by its path, and no path leads out of this folder. */
  MEDIA_PREFIX: z
    .string()
    .default("tracklog/")
    .transform((prefix) => (prefix === "/" ? "" : `${prefix.replace(/\/$/, "")}/`))
    .refine(isPrefix, "must not have segments that begin with a dot, or more than 128 bytes")
    .describe("a path in the bucket of at most 128 bytes, such as tracklog/"),
  /** An S3-compatible server; without it AWS. */
  MEDIA_ENDPOINT: address("http://127.0.0.1:9000"),
  MEDIA_REGION: z.string().default("us-east-1"),
  /** Without them the SDK looks for credentials: AWS_* variables, a profile, the role of the machine. */
  MEDIA_ACCESS_KEY_ID: z.string().default(""),
  MEDIA_SECRET_ACCESS_KEY: z.string().default(""),
  /** The address in links: this API as clients reach it, or the server of the bucket as they reach it. */
  MEDIA_URL: address("https://tracklog.example"),
  /** How long a link is good. */
  MEDIA_LINK_S: integer(HOUR_S, 1, WEEK_S),
  /** Signs links to the folder, instead of the key that the folder holds. */
  MEDIA_KEY: z
    .union([z.literal(""), z.string().min(32)])
    .default("")
    .describe("at least 32 characters"),
});

export type MediaConfig = z.output<typeof mediaEnv>;
