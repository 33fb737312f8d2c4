// The steps that the mutations of chronicles share.
import type {
  AnyChronicleDescription,
  Chronicle,
  ChronicleDescription,
  ChronicleField,
} from "../../../../projections/chronicles/define-chronicle.ts";
import { type ChronicleEvent, evolveChronicle } from "../../../../projections/chronicles/evolve.ts";
import type { ChronicleQueries } from "../../../../projections/history/chronicles/pages.ts";
import type { AnyChanged } from "../../../../schemas/catalog/changed.ts";
import type { ChronicleFields, ChronicleKind } from "../../../../schemas/chronicles/kinds.ts";
import { badInput, type InputPath } from "../../../../schemas/errors.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";

/** The description of a kind with the parts that all its mutations use. */
export interface WrittenChronicles<K extends ChronicleKind> {
  readonly description: ChronicleDescription<K>;
  readonly any: AnyChronicleDescription;
  readonly fields: readonly (readonly [string, ChronicleField])[];
  readonly queries: ChronicleQueries<K>;
  readonly deps: MutationDeps;
}

export const chronicleEventOf = <K extends ChronicleKind>(
  { description: { kind }, deps }: WrittenChronicles<K>,
  changed: Omit<AnyChanged, "at">,
): ChronicleEvent =>
  // The description of the kind decides the fields; the compiler does not see that type and event belong together.
  ({
    type: `${kind[0]?.toUpperCase()}${kind.slice(1)}Changed`,
    event: { ...changed, at: deps.now() },
  }) as ChronicleEvent;

/**
 * Reads the chronicle from the history, once it has reached the caller's minimum position and this operation's writes.
 * @returns undefined when the history does not have the chronicle.
 */
export async function readBackChronicle<K extends ChronicleKind>(
  { queries }: WrittenChronicles<K>,
  id: string,
  context: ApiContext,
): Promise<Chronicle<K> | undefined> {
  await context.historyReached("chronicles");
  const [found] = await queries.byIds(context.history.client, [id]);
  return found;
}

/**
 * Returns the chronicle as the history has it, with the writes of others. While the history is unavailable, returns
 * `known`, whose event the log has.
 */
export const storedChronicle = <K extends ChronicleKind>(
  kind: WrittenChronicles<K>,
  known: Chronicle<K>,
  context: ApiContext,
): Promise<Chronicle<K> | undefined> => readBackChronicle(kind, known.id, context).catch(() => known);

/** Returns the chronicle after the event; checks the rules that concern several fields. */
export function chronicleAfter<K extends ChronicleKind>(
  { any }: WrittenChronicles<K>,
  before: Chronicle<K> | undefined,
  event: ChronicleEvent,
  path: InputPath,
): Chronicle<K> {
  const after = evolveChronicle<ChronicleFields[K]>(before, event);
  if (after === undefined) throw new Error(`${event.type} makes no ${any.name}`);
  checkPeriod(any, after, path);
  return after;
}

function checkPeriod({ start, end }: AnyChronicleDescription, chronicle: object, path: InputPath): void {
  if (end === undefined) return;
  const from: unknown = Reflect.get(chronicle, start);
  const to: unknown = Reflect.get(chronicle, end);
  if (typeof from === "number" && typeof to === "number" && to < from)
    throw badInput("the end is before the start", [...path, end]);
}
