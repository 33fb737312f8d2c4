// Writes the part of the catalog that a stretch refers to: every change that it had until the end of the stretch.
import type { CatalogEvent } from "../../../schemas/events.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { type LogStretch, readMessages } from "../../recorded/read-messages.ts";
import type { RecordedStores } from "../../recorded/read-segment.ts";
import { toHeaders } from "../../recorded/stretch/schema.ts";
import type { StretchWriter } from "../../recorded/stretch/write-stretch.ts";
import { createStretchReferences } from "./stretch-references.ts";

/** The parts of a stretch that decide what it refers to. */
export interface ReferringStretch {
  readonly dataSourceIds: ReadonlySet<string>;
  /** Lower-case names. */
  readonly tags: ReadonlySet<string>;
  /** Broker time, ms. */
  readonly lastRecordedAt: number;
}

interface CatalogDeps {
  readonly writer: Pick<StretchWriter, "add">;
  readonly stores: RecordedStores;
  readonly range: LogStretch;
}

/** Reads the catalog twice: references may lead back to earlier changes. */
export async function writeCatalog(stretch: ReferringStretch, deps: CatalogDeps): Promise<void> {
  const references = createStretchReferences();
  for await (const { event } of changesUntil(stretch, deps)) references.note(event);
  const isIncluded = references.from(stretch);
  for await (const { event, message } of changesUntil(stretch, deps)) {
    if (!isIncluded(event)) continue;
    const { offset, timestamp, key, headers } = message;
    const place = { partition: 0, offset: Number(offset), recordedAt: Number(timestamp) };
    const full = deps.writer.add({ kind: "catalog", ...place, key, headers: toHeaders(headers), event });
    if (full !== undefined) await full;
  }
}

/** Later changes are not those that the stretch was recorded with. */
async function* changesUntil({ lastRecordedAt }: ReferringStretch, { stores, range }: CatalogDeps) {
  for await (const message of readMessages(range, stores)) {
    if (Number(message.timestamp) > lastRecordedAt) continue;
    const read = readMessage(stores.codec, "catalog", message.value);
    if (read.ok && read.type !== "TokenChanged") yield { message, event: eventOf(read) };
  }
}

/** The decoded message has a member more. */
const eventOf = ({ type, event }: CatalogEvent): CatalogEvent => ({ type, event }) as CatalogEvent;
