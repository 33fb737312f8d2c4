// Writes the part of the catalog that a stretch refers to, and refuses one that the namespace has otherwise.
import { type Catalog, catalogKindOf, createCatalog, isCatalogEvent } from "../../../projections/catalog/catalog.ts";
import type { CatalogKind } from "../../../schemas/catalog/kinds.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import { headersOf } from "../../../schemas/headers.ts";
import { derivedId } from "../../../schemas/identity.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { keyOf } from "../../../schemas/topics.ts";
import type { ReadMessage } from "../../common/kafka/read/read-some.ts";
import type { OutMessage } from "../../common/kafka/write/publisher.ts";
import type { StretchFile } from "../../recorded/stretch/read-stretch.ts";
import { fromHeaders, type StretchRecord } from "../../recorded/stretch/schema.ts";
import { shiftedEntity } from "./shift.ts";

export interface CatalogToImport {
  /** The changes that the namespace does not have yet. */
  readonly messages: readonly OutMessage[];
  /** The change that each of the messages is in the file, and those that the namespace has already. */
  readonly originals: readonly OriginalChange[];
  readonly present: readonly WrittenChange[];
}

export interface OriginalChange {
  /** Offset in the original catalog, and broker time there, ms. */
  readonly offset: number;
  readonly recordedAt: number;
}

export interface WrittenChange extends OriginalChange {
  /** Offset in the catalog of the namespace. */
  readonly written: number;
}

export interface ImportCatalogDeps {
  readonly codec: Codec;
  /** The catalog's name on the broker. */
  readonly topic: string;
  /** Yields all messages that the namespace's catalog has, with all their headers. */
  readonly present: () => AsyncIterable<ReadMessage>;
  /** The time by which event times move, ms. */
  readonly byMs: number;
  /** True when what the namespace knows already may be written once more, or is left as it is. */
  readonly forces: boolean;
  /** True when an import of this file was begun, and is continued. */
  readonly continues: boolean;
}

const SOURCE = "tracklog/log";
const ID = "ce_id";

/** Rejects, before anything is written, when the namespace knows one of the data sources, or refuses a change. */
export async function catalogToImport(
  file: Pick<StretchFile, "metadata" | "facts" | "catalogRecords">,
  deps: ImportCatalogDeps,
): Promise<CatalogToImport> {
  const { catalog, ids, end } = await presentCatalog(deps);
  refuseKnown(file.facts.dataSourceIds, catalog, deps);
  const isForeign = foreignEntities(catalog, ids);
  const messages: OutMessage[] = [];
  const originals: OriginalChange[] = [];
  const there: WrittenChange[] = [];
  for await (const record of file.catalogRecords()) {
    const event = record.event as CatalogEvent;
    const headers = headersFor(record, event, file.metadata.logId);
    const id = String(headers[ID]);
    const { offset, recordedAt } = record;
    const written = ids.get(id);
    if (written !== undefined) there.push({ offset, recordedAt, written });
    if (written !== undefined || isForeign(event, id)) continue;
    const refusal = catalog.apply(event, end + messages.length);
    if (refusal !== undefined && deps.forces) continue;
    if (refusal !== undefined) {
      throw new Error(`Nothing was changed: the catalog of the namespace refuses ${nameOf(event)} (${refusal}).`);
    }
    const moved = shiftedEntity(event, deps.byMs);
    const value = deps.codec.encode(moved.type, moved.event as never);
    messages.push({ topic: deps.topic, partition: 0, key: record.key ?? keyOf(event), value, headers });
    originals.push({ offset, recordedAt });
  }
  return { messages, originals, present: there };
}

async function presentCatalog({ codec, topic, present }: ImportCatalogDeps) {
  const catalog = createCatalog();
  /** Offsets of the changes by their ids. */
  const ids = new Map<string, number>();
  let end = 0;
  for await (const { message } of present()) {
    end = Number(message.offset) + 1;
    const id = message.headers?.[ID];
    if (id !== undefined) ids.set(String(id), end - 1);
    await codec.loadSchemas([message.value], { topic });
    const read = readMessage(codec, "catalog", message.value);
    if (read.ok && isCatalogEvent(read)) catalog.apply(read, end - 1);
  }
  return { catalog, ids, end };
}

function refuseKnown(
  dataSourceIds: ReadonlySet<string>,
  catalog: Catalog,
  { forces, continues }: ImportCatalogDeps,
): void {
  if (forces || continues) return;
  const known = [...dataSourceIds].filter((id) => catalog.lastKnown("dataSource", id) !== undefined);
  if (known.length === 0) return;
  throw new Error(
    `Nothing was changed: the namespace has the data source ${known.slice(0, 5).join(", ")} already. ` +
      "Was the stretch imported before? Name another --namespace; --force writes it all the same.",
  );
}

/**
 * Another installation, or a person, may have given an entity of the namespace the same id. It stays as it is there.
 * The ids of events show that both are the same entity, which another stretch has brought.
 */
function foreignEntities(
  catalog: Catalog,
  ids: ReadonlyMap<string, number>,
): (message: CatalogEvent, id: string) => boolean {
  const verdicts = new Map<string, boolean>();
  return (message, id) => {
    const name = nameOf(message);
    const isForeign = verdicts.get(name) ?? (!ids.has(id) && isTaken(catalogKindOf(message.type), message, catalog));
    verdicts.set(name, isForeign);
    return isForeign;
  };
}

/** A tag is known by its name, too: its first use has created it. */
function isTaken(kind: CatalogKind, { event }: CatalogEvent, catalog: Catalog): boolean {
  if (catalog.lastKnown(kind, event.id) !== undefined) return true;
  if (kind !== "tag" || !("name" in event.set)) return false;
  const { name } = event.set;
  return name !== null && [...catalog.all("tag")].some((tag) => tag.name === name);
}

/** The id stays, because a continued import knows by it what it has written. */
function headersFor(record: StretchRecord, { type, event }: CatalogEvent, logId: string) {
  const headers = fromHeaders(record.headers);
  if (headers[ID] !== undefined) return headers;
  const id = derivedId("log-import", logId, "catalog", String(record.offset));
  return headersOf({ id, type, source: SOURCE, timeMs: event.at });
}

const nameOf = ({ type, event: { id } }: CatalogEvent): string => `${catalogKindOf(type)} ${id}`;
