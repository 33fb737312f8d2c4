// Opens a stretch file. It is verified from the first to the last byte before anything is done with it: the file may
// have been cut, changed on its way, or made by somebody else.
import { type FileHandle, open } from "node:fs/promises";
import type { Segment } from "../../../projections/replay/session.ts";
import type { EventBounds } from "../../../schemas/bounds.ts";
import { messageOf } from "../../../schemas/errors.ts";
import { writerType } from "../../common/registry/writer-type.ts";
import { DamagedFile } from "./container.ts";
import { checkStretchLimits, type StretchLimits } from "./limits.ts";
import { parseStretchMetadata, type StretchMetadata } from "./metadata.ts";
import { type Block, blocksFrom, type ContainerHeader, openContainer } from "./read-container.ts";
import { fromWire, STRETCH_RECORD, type StretchRecord, stretchType } from "./schema.ts";
import { createVerification, type StretchFacts } from "./verification.ts";

/** A segment, and the byte at which its block begins. */
export interface SegmentPlace {
  readonly segment: Segment;
  readonly position: number;
}

export interface StretchFile {
  readonly path: string;
  readonly metadata: StretchMetadata;
  readonly segments: readonly SegmentPlace[];
  readonly facts: StretchFacts;
  /** Yields the records of a segment, without its first one. */
  segmentRecords(place: SegmentPlace): AsyncGenerator<StretchRecord, void>;
  /** Yields the changes of the catalog. */
  catalogRecords(): AsyncGenerator<StretchRecord, void>;
  close(): Promise<void>;
}

/** Reads a record from the block at a place. */
type Decode = (data: Buffer, at: number) => { readonly value: unknown; readonly offset: number };

export interface StretchChecks {
  /** The bounds of the namespace that the events are meant for. Without them, the file's own bounds count. */
  readonly bounds?: EventBounds;
  /** Limits of the file's own settings and bounds, for a reader that takes them. */
  readonly limits?: StretchLimits;
}

/** Rejects with a sentence about the fault of the file, which begins with its path. */
export async function openStretch(path: string, checks: StretchChecks = {}): Promise<StretchFile> {
  const file = await open(path, "r").catch((cause: unknown) => {
    throw new Error(`${path} cannot be opened: ${messageOf(cause)}`, { cause });
  });
  try {
    return await verified(path, file, checks);
  } catch (error) {
    await file.close();
    if (!(error instanceof DamagedFile)) throw error;
    throw new DamagedFile(`${path}: ${error.message}`, { cause: error.cause });
  }
}

async function verified(path: string, file: FileHandle, { bounds, limits }: StretchChecks): Promise<StretchFile> {
  const { header, blocks } = await openContainer(file);
  const metadata = parseStretchMetadata(header.metadata);
  if (limits !== undefined) checkStretchLimits(metadata, limits);
  const decode = decoderOf(header);
  const verification = createVerification(bounds ?? metadata.bounds);
  for await (const block of blocks) {
    let at = 0;
    for (const { record, bytes } of recordsOf(block, decode)) {
      verification.take(record, { bytes, isFirst: at === 0, isOnly: block.count === 1, block });
      at += 1;
    }
  }
  const { segments, catalogAt, facts } = verification.end();
  return {
    path,
    metadata,
    segments,
    facts,
    segmentRecords: ({ position }) => skipFirst(whileOf(file, header, { decode, position }, ofSegment)),
    catalogRecords: () => whileOf(file, header, { decode, position: catalogAt }, ({ kind }) => kind === "catalog"),
    close: () => file.close(),
  };
}

function decoderOf({ schema }: ContainerHeader): Decode {
  const own = stretchType();
  try {
    const writer = writerType({ ok: true, schema }, new Set([STRETCH_RECORD]));
    const resolver = own.createResolver(writer);
    return (data, at) => own.decode(data, at, resolver);
  } catch (cause) {
    throw new DamagedFile(`this version cannot read records of its schema: ${messageOf(cause)}`, { cause });
  }
}

function* recordsOf({ position, count, data }: Block, decode: Decode) {
  let at = 0;
  for (let i = 0; i < count; i++) {
    const { record, next } = recordAt(data, at, decode, position);
    yield { record, bytes: next - at };
    at = next;
  }
  if (at !== data.length) throw new DamagedFile(`its block at byte ${position} has more than its ${count} records`);
}

function recordAt(data: Buffer, at: number, decode: Decode, position: number) {
  try {
    const { value, offset: next } = decode(data, at);
    if (next <= at) throw new Error("a record ends beyond its block");
    return { record: fromWire(value as never), next };
  } catch (cause) {
    throw new DamagedFile(`its block at byte ${position} has no record of its schema: ${messageOf(cause)}`, { cause });
  }
}

interface From {
  readonly decode: Decode;
  readonly position: number;
}

/** Yields the records from the block at the position on, up to the first one that is not wanted. */
async function* whileOf(
  file: FileHandle,
  header: ContainerHeader,
  { decode, position }: From,
  isWanted: (record: StretchRecord, index: number) => boolean,
): AsyncGenerator<StretchRecord, void> {
  let index = 0;
  for await (const block of blocksFrom(file, header, position)) {
    for (const { record } of recordsOf(block, decode)) {
      if (!isWanted(record, index)) return;
      index += 1;
      yield record;
    }
  }
}

const PARTS_OF_SEGMENT: readonly string[] = ["zone", "track", "message", "tick"];

const ofSegment = ({ kind }: StretchRecord, index: number): boolean =>
  index === 0 ? kind === "segment" : PARTS_OF_SEGMENT.includes(kind);

async function* skipFirst(records: AsyncGenerator<StretchRecord, void>): AsyncGenerator<StretchRecord, void> {
  let isFirst = true;
  for await (const record of records) {
    if (!isFirst) yield record;
    isFirst = false;
  }
}
