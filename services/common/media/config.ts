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
  MEDIA_DIR: z
    .string()
    .default(".tracklog/media")
    .meta({
      about:
        "Folder of the images and videos, and of the key of their links. It is used when MEDIA_BUCKET is " +
        "empty. All instances share the folder.",
    }),
  MEDIA_BUCKET: z.string().default("").meta({ about: "Bucket of S3 with the images and videos." }),
  MEDIA_PREFIX: z
    .string()
    .default("tracklog/")
    .transform((prefix) => (prefix === "/" ? "" : `${prefix.replace(/\/$/, "")}/`))
    .refine(isPrefix, "must not have segments that begin with a dot, or more than 128 bytes")
    .describe("a path in the bucket of at most 128 bytes, such as tracklog/")
    .meta({
      about:
        "Prefix of all keys in MEDIA_BUCKET; `/` for none. A video is named by its path, and no path leads " +
        "out of this prefix.",
    }),
  MEDIA_ENDPOINT: address("http://127.0.0.1:9000").meta({
    about: "Address of a server that is compatible with S3; empty for AWS.",
  }),
  MEDIA_REGION: z.string().default("us-east-1").meta({ about: "Region of MEDIA_BUCKET." }),
  MEDIA_ACCESS_KEY_ID: z
    .string()
    .default("")
    .meta({
      about:
        "Id of the access key. Without credentials the library searches for them: the variables `AWS_*`, a " +
        "profile, the role of the machine.",
    }),
  MEDIA_SECRET_ACCESS_KEY: z.string().default("").meta({ about: "Secret of MEDIA_ACCESS_KEY_ID." }),
  MEDIA_URL: address("https://tracklog.example").meta({
    about:
      "Begins the links to media: the address at which clients reach this API, or the server of the bucket. " +
      "When it is empty, it is the address at which this process listens, or MEDIA_ENDPOINT.",
  }),
  MEDIA_LINK_S: integer(HOUR_S, 1, WEEK_S).meta({
    about: "Time for which a link to a medium is valid. S3 accepts at most a week.",
  }),
  MEDIA_KEY: z
    .union([z.literal(""), z.string().min(32)])
    .default("")
    .describe("at least 32 characters")
    .meta({ about: "Key that signs the links to the folder. When it is empty, the key is in MEDIA_DIR." }),
});

export type MediaConfig = z.output<typeof mediaEnv>;
