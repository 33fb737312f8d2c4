// Creates the media store that the settings choose.

import { ConfigError } from "../config.ts";
import { withCachedLinks } from "./cached-links.ts";
import type { MediaConfig } from "./config.ts";
import { linkKey } from "./link-key.ts";
import { createLinks, type Links } from "./links.ts";
import { createLocalStore, prepareFolder } from "./local.ts";
import type { MediaStore } from "./store.ts";

export interface Media {
  readonly store: MediaStore;
  /** Links that this process must serve; undefined when the bucket's server serves them. */
  readonly links: Links | undefined;
  /**
   * Resolves with the origin of all links; undefined when this process serves them. Rejects with UNAVAILABLE when the
   * bucket's links cannot be signed now.
   */
  linkOrigin(): Promise<string | undefined>;
  /** Throws ConfigError when the folder or the bucket cannot be used. */
  start(): Promise<void>;
  stop(): void;
}

/** A link is signed whether or not there is such a medium. */
const ANY_PATH = "any";

/** `ownUrl` returns the address at which clients reach this process; MEDIA_URL replaces it. */
export async function createMedia(config: MediaConfig, ownUrl: () => string, now: () => number): Promise<Media> {
  const media = config.MEDIA_BUCKET === "" ? localMedia(config, ownUrl, now) : await bucketMedia(config);
  const store = withCachedLinks(media.store, config.MEDIA_LINK_S, now);
  // The library that signs knows the host: for AWS it contains the bucket and the region.
  const linkOrigin = async () =>
    media.links === undefined ? new URL(await store.signedUrl(ANY_PATH)).origin : undefined;
  return { ...media, store, linkOrigin };
}

function localMedia(config: MediaConfig, ownUrl: () => string, now: () => number): Omit<Media, "linkOrigin"> {
  const folder = config.MEDIA_DIR;
  let key: Promise<Buffer> | undefined;
  const keyOf = () => {
    key ??= readKey(config).catch((error) => {
      // The next link then tries again to read the key.
      key = undefined;
      throw error;
    });
    return key;
  };
  const links = createLinks(keyOf, config.MEDIA_LINK_S);
  return {
    store: createLocalStore({ folder, links, publicUrl: () => config.MEDIA_URL || ownUrl(), now }),
    links,
    async start() {
      try {
        await prepareFolder(folder);
        await keyOf();
      } catch (error) {
        const advice = "must be a folder that this process can read and write";
        throw new ConfigError(`MEDIA_DIR (${folder}) ${advice}: ${String(error)}`, { cause: error });
      }
    },
    stop: () => {},
  };
}

async function readKey({ MEDIA_KEY, MEDIA_DIR }: MediaConfig): Promise<Buffer> {
  if (MEDIA_KEY !== "") return Buffer.from(MEDIA_KEY);
  await prepareFolder(MEDIA_DIR);
  return linkKey(MEDIA_DIR);
}

async function bucketMedia(config: MediaConfig): Promise<Omit<Media, "linkOrigin">> {
  // The client of S3 takes 5 MB of memory, which a process with a folder does not need.
  const { createS3Store } = await import("./s3.ts");
  const accessKeyId = config.MEDIA_ACCESS_KEY_ID;
  const secretAccessKey = config.MEDIA_SECRET_ACCESS_KEY;
  const store = createS3Store({
    bucket: config.MEDIA_BUCKET,
    prefix: config.MEDIA_PREFIX,
    region: config.MEDIA_REGION,
    endpoint: config.MEDIA_ENDPOINT,
    publicEndpoint: config.MEDIA_URL,
    credentials: accessKeyId === "" ? undefined : { accessKeyId, secretAccessKey },
    lifeTimeS: config.MEDIA_LINK_S,
  });
  async function start() {
    const flaw = await store.flaw();
    if (flaw !== undefined) throw new ConfigError(`MEDIA_BUCKET (${config.MEDIA_BUCKET}) cannot be used: ${flaw}`);
  }
  return { store, links: undefined, start, stop: () => store.close() };
}
