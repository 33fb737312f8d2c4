// Finds records by ids. It finds every record that is in the log at the call, although the history lags behind the log.
import type { SortColumn } from "../../../projections/history/queries/keyset.ts";
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import type { RecordTopic } from "./await-position.ts";
import type { ReadContext } from "./read-context.ts";

/** The part of a record kind by which records are found. */
export interface FoundRecords<Rec> {
  readonly topic: RecordTopic;
  byIds(client: QueryClient, ids: readonly string[]): Promise<readonly Rec[]>;
  readonly sorts: { readonly ID: SortColumn<Rec> };
}

export const recordIdOf = <Rec>({ sorts }: FoundRecords<Rec>, record: Rec): string => String(sorts.ID.of(record));

type FindContext = Pick<ReadContext, "history" | "historyReached">;

interface FindDeps {
  /**
   * Resolves when the history has all records of the topic that were in the log at the call. Rejects with UNAVAILABLE
   * when that takes too long.
   */
  readonly historyComplete: (topic: RecordTopic) => Promise<void>;
}

type AskByIds<T> = (
  client: QueryClient,
  ids: readonly string[],
) => Promise<readonly (readonly [id: string, found: T])[]>;

/** Leaves out only records that were not in the log at the call. */
export const findRecords = <Rec>(
  kind: FoundRecords<Rec>,
  ids: readonly string[],
  context: FindContext,
  deps: FindDeps,
): Promise<ReadonlyMap<string, Rec>> =>
  findForSure(kind.topic, ids, context, deps, async (client, wanted) =>
    (await kind.byIds(client, wanted)).map((each) => [recordIdOf(kind, each), each]),
  );

/** Queries missing ids again once the history has everything that was in the log at the call. */
export async function findForSure<T>(
  topic: RecordTopic,
  ids: readonly string[],
  { history: { client }, historyReached }: FindContext,
  { historyComplete }: FindDeps,
  ask: AskByIds<T>,
): Promise<ReadonlyMap<string, T>> {
  await historyReached(topic);
  const found = new Map(await ask(client, ids));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  await historyComplete(topic);
  for (const [id, each] of await ask(client, missing)) found.set(id, each);
  return found;
}
