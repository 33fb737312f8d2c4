// Mutations of chronicles, one implementation for every kind.
import { v7 } from "uuid";
import {
  type AnyChronicleDescription,
  type Chronicle,
  type ChronicleDescription,
  chronicleFieldsOf,
} from "../../../../projections/chronicles/define-chronicle.ts";
import { type ChronicleEvent, evolveChronicle } from "../../../../projections/chronicles/evolve.ts";
import { chronicleQueries } from "../../../../projections/history/queries/chronicles.ts";
import type { AnyChanged } from "../../../../schemas/catalog/changed.ts";
import type { ChronicleFields, ChronicleKind } from "../../../../schemas/chronicles/kinds.ts";
import { AppError, badInput, notFound } from "../../../../schemas/errors.ts";
import { limits } from "../../../../schemas/limits.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { createdFields, type Input, type Path, saysNothing, updatedFields } from "../../write/said.ts";
import { acceptId } from "../../write/text.ts";
import { checkReferences, findChronicles } from "./find.ts";
import { parseField } from "./inputs.ts";

export interface ChronicleMutations<K extends ChronicleKind> {
  /** With an id, the client may repeat it: an existing chronicle stays as it is. `path`: that of the input. */
  create(input: Input, context: ApiContext, path: Path, make?: Make<K>): Promise<Chronicle<K>>;
  update(input: Input, context: ApiContext, path: Path, make?: Make<K>): Promise<Chronicle<K>>;
  remove(id: string, context: ApiContext): Promise<Chronicle<K>>;
  /** null in place of those that are not there. */
  removeAll(ids: readonly (string | null)[], context: ApiContext): Promise<readonly (Chronicle<K> | null)[]>;
}

/** Makes what the chronicle will refer to: after all checks of the input, before the chronicle is written. */
export type Make<K extends ChronicleKind> = (before: Chronicle<K> | undefined) => Promise<Made<K>>;

interface Made<K extends ChronicleKind> {
  /** Besides what the input sets. */
  readonly set: Partial<ChronicleFields[K]>;
  /** Written in one with the update, before it: whenever the log has the update, it has them too. */
  readonly added?: readonly ChronicleEvent[];
}

export function chronicleMutationsOf<K extends ChronicleKind>(
  description: ChronicleDescription<K>,
  deps: MutationDeps,
): ChronicleMutations<K> {
  const { kind, name } = description;
  const any: AnyChronicleDescription = description;
  const fields = chronicleFieldsOf(any);
  const queries = chronicleQueries[kind];
  const nothing = Object.fromEntries(fields.map(([field]) => [field, null]));

  const eventOf = (changed: Omit<AnyChanged, "at">): ChronicleEvent =>
    // The description of the kind decides the fields; the compiler does not see that type and event belong together.
    ({
      type: `${kind[0]?.toUpperCase()}${kind.slice(1)}Changed`,
      event: { ...changed, at: deps.now() },
    }) as ChronicleEvent;

  /** The chronicle as the log has it by now, as far as it is there. */
  async function readBack(id: string, context: ApiContext): Promise<Chronicle<K> | undefined> {
    await context.historyReached("chronicles");
    const [found] = await queries.byIds(context.history.client, [id]);
    return found;
  }

  /** The chronicle with what others wrote; while the history is away, as this instance knows it: the log has the write. */
  const asStored = (known: Chronicle<K>, context: ApiContext): Promise<Chronicle<K> | undefined> =>
    readBack(known.id, context).catch(() => known);

  async function existing(id: string, context: ApiContext, path: Path): Promise<Chronicle<K>> {
    const found = (await findChronicles(kind, [id], context, deps)).get(id);
    if (found === undefined) throw notFound(name, id, path);
    return found;
  }

  /** What the event makes of the chronicle; checks what its fields must be together. */
  function whole(before: Chronicle<K> | undefined, event: ChronicleEvent, path: Path): Chronicle<K> {
    const after = evolveChronicle<ChronicleFields[K]>(before, event);
    if (after === undefined) throw new Error(`${event.type} makes no ${name}`);
    checkPeriod(any, after, path);
    return after;
  }

  async function createNamed(event: ChronicleEvent, context: ApiContext, path: Path): Promise<Chronicle<K>> {
    const { id } = event.event;
    const isDeleted = async () => (await queries.deletedOf(context.history.client, [id])).length > 0;
    if (!(await isDeleted())) await context.write([event]);
    // Another instance may have created it first.
    const after = await asStored(whole(undefined, event, path), context);
    if (after !== undefined) return after;
    throw new AppError("CONFLICT", `the ${name} ${id} was deleted, and its id cannot be used again`, {
      path: [...path, "id"],
    });
  }

  async function removeAll(ids: readonly (string | null)[], context: ApiContext) {
    if (ids.length > limits.maxTexts) throw badInput(`there are more than ${limits.maxTexts}`, ["id"]);
    const asked = [...new Set(ids.filter((id) => id !== null))];
    const found = new Map(await findChronicles(kind, asked, context, deps));
    const events = [...found.keys()].map((id) => eventOf({ id, change: "deleted", set: nothing, cleared: [] }));
    if (events.length > 0) await context.write(events);
    // Whoever asks after this answer finds them gone; while the history is away, the log has it.
    await context.historyReached("chronicles").catch(() => undefined);
    return ids.map((id) => {
      const removed = id === null ? undefined : found.get(id);
      if (id !== null) found.delete(id);
      return removed ?? null;
    });
  }

  return {
    async create(input, context, path, make) {
      const isNamed = typeof input["id"] === "string";
      const id = isNamed ? acceptId(String(input["id"]), [...path, "id"]) : v7();
      // Before the checks: what it refers to may be gone by now.
      const before = isNamed ? await readBack(id, context) : undefined;
      if (before !== undefined) return before;
      const set = createdFields(fields, input, path, parseField);
      const creation = (all: object) => eventOf({ id, change: "created", set: all, cleared: [] });
      whole(undefined, creation(set), path);
      try {
        await checkReferences(any, set, path, context, deps);
      } catch (error) {
        // The history lags: it may hear of the chronicle only now.
        const late = isNamed ? (await findChronicles(kind, [id], context, deps)).get(id) : undefined;
        if (late === undefined) throw error;
        return late;
      }
      const event = creation({ ...set, ...(await make?.(undefined))?.set });
      if (isNamed) return createNamed(event, context, path);
      await context.write([event]);
      return whole(undefined, event, path);
    },

    async update(input, context, path, make) {
      const before = await existing(String(input["id"]), context, [...path, "id"]);
      const patch = updatedFields(fields, input, path, parseField);
      const update = (said: typeof patch) => eventOf({ id: before.id, change: "updated", ...said });
      whole(before, update(patch), path);
      await checkReferences(any, patch.set, path, context, deps);
      const made = await make?.(before);
      const said = { ...patch, set: { ...patch.set, ...made?.set } };
      const events = [...(made?.added ?? []), ...(saysNothing(said) ? [] : [update(said)])];
      if (events.length === 0) return before;
      const after = events.reduce((chronicle, event) => whole(chronicle, event, path), before);
      await context.write(events);
      // Another instance may have changed other fields meanwhile, or deleted it.
      return (await asStored(after, context)) ?? after;
    },

    async remove(id, context) {
      const [removed] = await removeAll([id], context);
      if (removed == null) throw notFound(name, id, ["id"]);
      return removed;
    },

    removeAll,
  };
}

function checkPeriod({ start, end }: AnyChronicleDescription, chronicle: object, path: Path): void {
  if (end === undefined) return;
  const from: unknown = Reflect.get(chronicle, start);
  const to: unknown = Reflect.get(chronicle, end);
  if (typeof from === "number" && typeof to === "number" && to < from)
    throw badInput("the end is before the start", [...path, end]);
}
