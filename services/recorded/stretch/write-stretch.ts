// Writes a stretch file: beside its name first, and renamed when it is complete. So a file of this name is whole.
import { existsSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { Segment } from "../../../projections/replay/session.ts";
import type { ContainerCodec } from "./container.ts";
import { metadataEntries, type StretchMetadata } from "./metadata.ts";
import { type StretchRecord, stretchSchema, stretchType, toWire } from "./schema.ts";
import { MAX_HELD_BYTES } from "./verification.ts";
import { type ContainerWriter, createContainerWriter } from "./write-container.ts";

export interface StretchWriter {
  beginSegment(segment: Segment): Promise<void>;
  /** @returns a promise when a block must be written first: the caller must await it before the next record. */
  add(record: StretchRecord): Promise<void> | undefined;
  /** Bytes of the blocks that are written. */
  bytes(): number;
  /** Must be called before the first change of the catalog. */
  beginCatalog(): Promise<void>;
  /** Resolves with the size of the file when it has its name, and is on the disk. */
  finish(): Promise<number>;
  /** Removes what was written. Does nothing after `finish`. */
  abandon(): Promise<void>;
}

export interface WriteStretchOptions {
  readonly metadata: StretchMetadata;
  readonly codec: ContainerCodec;
  /** True when a file of this name may be replaced. */
  readonly replaces: boolean;
}

/** The file has the positions of people. */
const OWNER_ONLY = 0o600;

/** At most this many bytes of the record of a segment are beside its text. */
const BYTES_BESIDE = 64;

const nothing = { partition: 0, offset: 0, recordedAt: 0, key: null, headers: [] };

/** Rejects when there is a file of this name that must not be replaced. */
export async function createStretchWriter(path: string, options: WriteStretchOptions): Promise<StretchWriter> {
  const unfinished = `${path}.part`;
  refuseExisting(path, options);
  await rm(unfinished, { force: true });
  const file = await open(unfinished, "wx", OWNER_ONLY);
  const type = stretchType();
  const { codec } = options;
  const metadata = metadataEntries(options.metadata);
  const container = await createContainerWriter(file, { type, schema: stretchSchema, metadata, codec });
  return new OpenStretchWriter(path, { unfinished, file, container, options });
}

function refuseExisting(path: string, { replaces }: WriteStretchOptions): void {
  if (!replaces && existsSync(path)) throw new Error(`${path} exists already: name another file, or say --force.`);
}

interface Parts {
  readonly unfinished: string;
  readonly file: FileHandle;
  readonly container: ContainerWriter;
  readonly options: WriteStretchOptions;
}

class OpenStretchWriter implements StretchWriter {
  readonly #path: string;
  readonly #parts: Parts;
  #messages = 0;
  #records = 0;
  #segmentsBytes = 0;
  #isClosed = false;

  constructor(path: string, parts: Parts) {
    this.#path = path;
    this.#parts = parts;
  }

  async beginSegment(segment: Segment): Promise<void> {
    await this.#parts.container.cut();
    const event = { type: "StretchSegment", event: { segment: JSON.stringify(segment) } } as const;
    this.#segmentsBytes += BYTES_BESIDE + Buffer.byteLength(event.event.segment);
    if (this.#segmentsBytes > MAX_HELD_BYTES.segments) {
      throw new Error("The selection has too many data sources or tracks for a file: export fewer of them.");
    }
    const { partition, begin: offset, beginAt: recordedAt } = segment;
    await this.add({ ...nothing, kind: "segment", partition, offset, recordedAt, event });
  }

  add(record: StretchRecord): Promise<void> | undefined {
    this.#records += 1;
    if (record.kind === "message") this.#messages += 1;
    return this.#parts.container.add(toWire(record));
  }

  bytes(): number {
    return this.#parts.container.bytes();
  }

  beginCatalog(): Promise<void> {
    return this.#parts.container.cut();
  }

  async finish(): Promise<number> {
    const { container, file, unfinished, options } = this.#parts;
    await container.cut();
    const end = { messages: this.#messages, records: this.#records, sha256: container.sha256() };
    await container.add(toWire({ ...nothing, kind: "end", event: { type: "StretchEnd", event: end } }));
    await container.cut();
    await file.sync();
    await file.close();
    this.#isClosed = true;
    refuseExisting(this.#path, options);
    await rename(unfinished, this.#path);
    return container.bytes();
  }

  async abandon(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#parts.file.close();
    await rm(this.#parts.unfinished, { force: true });
  }
}
