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
import { type MediaStore, orMediaUnavailable } from "./store.ts";
import { contentTypeOf } from "./types.ts";

const CONNECT_MS = 2_000;
const REQUEST_MS = 20_000;

export interface S3Options {
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  /** Empty for AWS. */
  readonly endpoint: string;
  /** The endpoint as clients reach it; empty for the same one. */
  readonly publicEndpoint: string;
  /** Without credentials the SDK searches for them: environment, profile, role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  readonly lifeTimeS: number;
}

interface S3Store extends MediaStore {
  /**
   * Resolves with the reason why the bucket can never be used with these settings.
   * @returns undefined when it can be used, or when its server does not answer now.
   */
  flaw(): Promise<string | undefined>;
  close(): void;
}

/** Refusals of the bucket that last. The refusal of a single key is not one: S3 also refuses a missing key. */
const FLAWS: ReadonlySet<string> = new Set([
  ...["NoSuchBucket", "InvalidBucketName", "PermanentRedirect", "AuthorizationHeaderMalformed"],
  ...["InvalidAccessKeyId", "SignatureDoesNotMatch", "CredentialsProviderError"],
]);
const PROBE = ".tracklog-probe";
const PROBE_MS = 5_000;

export function createS3Store(options: S3Options): S3Store {
  const { bucket, prefix, endpoint, lifeTimeS } = options;
  const client = new S3Client(clientConfig(options, endpoint));
  // The host is part of the signature, so a link needs the address that its client uses.
  const signer = new S3Client(clientConfig(options, options.publicEndpoint || endpoint));
  const at = (path: string) => ({ Bucket: bucket, Key: `${prefix}${path}` });
  const linkOf = (by: S3Client, path: string) =>
    orMediaUnavailable(() => getSignedUrl(by, new GetObjectCommand(at(path)), { expiresIn: lifeTimeS }));
  const head = (path: string) => orNone(() => client.send(new HeadObjectCommand(at(path))));

  return {
    async put(path, bytes) {
      const object = { ...at(path), Body: bytes, ContentType: contentTypeOf(path) };
      await orMediaUnavailable(() => client.send(new PutObjectCommand(object)));
    },
    async open(path) {
      const found = await head(path);
      if (found === undefined) return undefined;
      return {
        bytes: found.ContentLength ?? 0,
        tag: found.ETag,
        async read(range) {
          const part = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` };
          const { Body } = await orMediaUnavailable(() => client.send(new GetObjectCommand({ ...at(path), ...part })));
          if (Body instanceof Readable) return Body;
          throw new Error("the SDK gave no stream of Node");
        },
        close: async () => {},
      };
    },
    exists: async (path) => (await head(path)) !== undefined,
    async delete(path) {
      await orMediaUnavailable(() => client.send(new DeleteObjectCommand(at(path))));
    },
    signedUrl: (path) => linkOf(signer, path),
    async source(path) {
      if ((await head(path)) === undefined) return undefined;
      return { path, input: await linkOf(client, path), protocols: "http,https,tcp,tls" };
    },
    async flaw() {
      try {
        // GET instead of HEAD: the refusal of a HEAD has no body with the reason.
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
    // Servers other than AWS rarely have a host name per bucket.
    ...(endpoint === "" ? {} : { endpoint, forcePathStyle: true }),
    // Some of them do not support the checksums that the SDK adds by default.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS, throwOnRequestTimeout: true },
  };
}

async function orNone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  return orMediaUnavailable(async () => {
    try {
      return await ask();
    } catch (error) {
      // Without the right to list the bucket, S3 answers 403 for a missing key.
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
