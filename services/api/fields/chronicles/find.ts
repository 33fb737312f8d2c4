// Finds chronicles, and objects that chronicles refer to, by ids: reliably, although the history lags behind the log.

import { entities } from "../../../../projections/catalog/entities.ts";
import type { AnyChronicleDescription, Chronicle } from "../../../../projections/chronicles/define-chronicle.ts";
import { type ChronicleField, chronicleFieldsOf } from "../../../../projections/chronicles/define-chronicle.ts";
import { chronicles } from "../../../../projections/chronicles/kinds.ts";
import { chronicleQueries } from "../../../../projections/history/chronicles/pages.ts";
import { imageHistory } from "../../../../projections/history/records/image.ts";
import type { Clip } from "../../../../schemas/chronicles/activity.ts";
import type { ChronicleKind } from "../../../../schemas/chronicles/kinds.ts";
import { type InputPath, notFound } from "../../../../schemas/errors.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { coverClips } from "../../media/clips.ts";
import { findForSure, findRecords } from "../../read/find-records.ts";
import type { MutationDeps } from "../../write/deps.ts";

export type FindDeps = Pick<MutationDeps, "routing" | "historyComplete">;

/** Leaves out only chronicles that were not in the log at the call, or are deleted. */
export const findChronicles = <K extends ChronicleKind>(
  kind: K,
  ids: readonly string[],
  context: ApiContext,
  deps: FindDeps,
): Promise<ReadonlyMap<string, Chronicle<K>>> =>
  findForSure("chronicles", ids, context, deps, async (client, wanted) =>
    (await chronicleQueries[kind].byIds(client, wanted)).map((each) => [each.id, each]),
  );

type Referred = NonNullable<ChronicleField["refersTo"]>;

/** Throws NOT_FOUND with the path of the first id that refers to nothing, or of the first clip that no video covers. */
export async function checkReferences(
  description: AnyChronicleDescription,
  set: object,
  path: InputPath,
  context: ApiContext,
  deps: FindDeps,
): Promise<void> {
  for (const [name, { refersTo, type }] of chronicleFieldsOf(description)) {
    const value: unknown = Reflect.get(set, name);
    // The parser of the field's type has made the value a list of clips.
    if (type === "clips" && value !== null)
      await coverClips(value as readonly Clip[], (i) => [...path, name, i], context, deps);
    if (value === null || refersTo === undefined) continue;
    const isList = Array.isArray(value);
    const ids: readonly string[] = isList ? value : [String(value)];
    const known = await knownOf(refersTo, ids, context, deps);
    for (const [i, id] of ids.entries()) {
      if (!known.has(id)) throw notFound(wordOf(refersTo), id, [...path, name, ...(isList ? [i] : [])]);
    }
  }
}

async function knownOf(
  kind: Referred,
  ids: readonly string[],
  context: ApiContext,
  deps: FindDeps,
): Promise<Pick<ReadonlySet<string>, "has">> {
  if (ids.length === 0) return new Set();
  if (kind === "track") return deps.routing.findForSure(ids);
  if (kind === "image") return findRecords(imageHistory, ids, context, deps);
  if (isChronicle(kind)) return findChronicles(kind, ids, context, deps);
  return new Set(ids.filter((id) => context.catalog.get(kind, id) !== undefined));
}

const isChronicle = (kind: Referred): kind is ChronicleKind => kind in chronicles;

const wordOf = (kind: Referred): string =>
  kind === "track" || kind === "image" ? kind : isChronicle(kind) ? chronicles[kind].name : entities[kind].name;
