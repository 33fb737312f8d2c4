import { z } from "zod";
import { checkMediaPath } from "../../../schemas/media-path.ts";
import { integer } from "../config.ts";

const HOUR_S = 3_600;
/** Longest validity of a link that S3 accepts. */
const WEEK_S = 7 * 24 * HOUR_S;

/** Maximum bytes of the prefix. Together with the longest path it makes the longest key of S3. */
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
  /**
   * Folder of the images and videos, and of the key of their links; used when no bucket is set. Several instances share
   * one folder.
   */
  MEDIA_DIR: z.string().default(".tracklog/media"),
  /** An S3 bucket, used instead of the folder. */
  MEDIA_BUCKET: z.string().default(""),
  /**
   * Prefix of all keys in the bucket; "/" for none. A video is named by its path, and no path leads out of this prefix.
   */
  MEDIA_PREFIX: z
    .string()
    .default("tracklog/")
    .transform((prefix) => (prefix === "/" ? "" : `${prefix.replace(/\/$/, "")}/`))
    .refine(isPrefix, "must not have segments that begin with a dot, or more than 128 bytes")
    .describe("a path in the bucket of at most 128 bytes, such as tracklog/"),
  /** Address of an S3-compatible server; without it AWS. */
  MEDIA_ENDPOINT: address("http://127.0.0.1:9000"),
  MEDIA_REGION: z.string().default("us-east-1"),
  /** Without credentials the SDK searches for them: AWS_* variables, a profile, the role of the machine. */
  MEDIA_ACCESS_KEY_ID: z.string().default(""),
  MEDIA_SECRET_ACCESS_KEY: z.string().default(""),
  /** Address in links: this API as clients reach it, or the server of the bucket as they reach it. */
  MEDIA_URL: address("https://tracklog.example"),
  /** Seconds for which a link is valid. */
  MEDIA_LINK_S: integer(HOUR_S, 1, WEEK_S),
  /** Key for the links to the folder; without it, they are signed with the key in the folder. */
  MEDIA_KEY: z
    .union([z.literal(""), z.string().min(32)])
    .default("")
    .describe("at least 32 characters"),
});

export type MediaConfig = z.output<typeof mediaEnv>;
