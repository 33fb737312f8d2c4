// Media in an S3-compatible bucket. Clients read them there: links are presigned, and the API serves nothing itself.
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { unavailable } from "../../../schemas/errors.ts";
import type { MediaStore } from "./store.ts";
import { contentTypeOf } from "./types.ts";

const RETRY_AFTER_MS = 1_000;
const CONNECT_MS = 2_000;
const REQUEST_MS = 20_000;

export interface S3Options {
  readonly bucket: string;
  /** Of every key. */
  readonly prefix: string;
  readonly region: string;
  /** "" = AWS. */
  readonly endpoint: string;
  /** The endpoint as clients reach it; "" = the same. */
  readonly publicEndpoint: string;
  /** Without it the SDK looks for credentials: environment, profile, role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  readonly lifeTimeS: number;
}

interface S3Store extends MediaStore {
  /** Why the bucket can never be used with these settings; undefined = it can, or its server does not answer now. */
  flaw(): Promise<string | undefined>;
  close(): void;
}

/** What a bucket says for good. A refusal of one key is none: it is what S3 says when there is no such key. */
const FLAWS: ReadonlySet<string> = new Set([
  ...["NoSuchBucket", "InvalidBucketName", "PermanentRedirect", "AuthorizationHeaderMalformed"],
  ...["InvalidAccessKeyId", "SignatureDoesNotMatch", "CredentialsProviderError"],
]);
const PROBE = ".tracklog-probe";
const PROBE_MS = 5_000;

export function createS3Store(options: S3Options): S3Store {
  const { bucket, prefix, endpoint, lifeTimeS } = options;
  const client = new S3Client(clientConfig(options, endpoint));
  // The host is signed, so a link needs the address that its client uses.
  const signer = new S3Client(clientConfig(options, options.publicEndpoint || endpoint));
  const at = (path: string) => ({ Bucket: bucket, Key: `${prefix}${path}` });
  const linkOf = (by: S3Client, path: string) =>
    orUnavailable(() => getSignedUrl(by, new GetObjectCommand(at(path)), { expiresIn: lifeTimeS }));
  const head = (path: string) => orNone(() => client.send(new HeadObjectCommand(at(path))));

  return {
    async put(path, bytes) {
      const object = { ...at(path), Body: bytes, ContentType: contentTypeOf(path) };
      await orUnavailable(() => client.send(new PutObjectCommand(object)));
    },
    async open(path) {
      const found = await head(path);
      if (found === undefined) return undefined;
      return {
        bytes: found.ContentLength ?? 0,
        tag: found.ETag,
        async read(range) {
          const part = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` };
          const { Body } = await orUnavailable(() => client.send(new GetObjectCommand({ ...at(path), ...part })));
          if (Body instanceof Readable) return Body;
          throw new Error("the SDK gave no stream of Node");
        },
        close: async () => {},
      };
    },
    exists: async (path) => (await head(path)) !== undefined,
    async delete(path) {
      await orUnavailable(() => client.send(new DeleteObjectCommand(at(path))));
    },
    signedUrl: (path) => linkOf(signer, path),
    async source(path) {
      if ((await head(path)) === undefined) return undefined;
      return { path, input: await linkOf(client, path), protocols: "http,https,tcp,tls" };
    },
    async flaw() {
      try {
        // Not HEAD: its refusals have no body that says why.
        await client.send(new GetObjectCommand(at(PROBE)), { abortSignal: AbortSignal.timeout(PROBE_MS) });
      } catch (error) {
        if (error instanceof Error && FLAWS.has(error.name)) return `${error.name}: ${error.message}`;
      }
      return undefined;
    },
    close() {
      client.destroy();
      signer.destroy();
    },
  };
}

function clientConfig({ region, credentials }: S3Options, endpoint: string): S3ClientConfig {
  return {
    region,
    ...(credentials === undefined ? {} : { credentials }),
    // Servers other than AWS rarely have a name per bucket.
    ...(endpoint === "" ? {} : { endpoint, forcePathStyle: true }),
    // Nor do all of them know the checksums that the SDK adds unasked.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS, throwOnRequestTimeout: true },
  };
}

async function orNone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  return orUnavailable(async () => {
    try {
      return await ask();
    } catch (error) {
      // Without the right to list the bucket, 403 is all that S3 says of a key that is not there.
      if (statusOf(error) === 404 || statusOf(error) === 403) return undefined;
      throw error;
    }
  });
}

function statusOf(error: unknown): unknown {
  const metadata = error instanceof Error && "$metadata" in error ? error.$metadata : undefined;
  return typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata
    ? metadata.httpStatusCode
    : undefined;
}

async function orUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw unavailable("the media cannot be reached now", RETRY_AFTER_MS, error);
  }
}
