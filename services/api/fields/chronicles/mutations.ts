// Mutations of chronicles, one implementation for every kind.
import { v7 } from "uuid";
import {
  type AnyChronicleDescription,
  type Chronicle,
  type ChronicleDescription,
  chronicleFieldsOf,
} from "../../../../projections/chronicles/define-chronicle.ts";
import type { ChronicleEvent } from "../../../../projections/chronicles/evolve.ts";
import { type ChronicleQueries, chronicleQueries } from "../../../../projections/history/chronicles/pages.ts";
import type { ChronicleFields, ChronicleKind } from "../../../../schemas/chronicles/kinds.ts";
import { AppError, badInput, type InputPath, notFound } from "../../../../schemas/errors.ts";
import { limits } from "../../../../schemas/limits.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { answered, showsStored } from "../../graphql/payload-scope.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { createdInputFields, type Input, isEmptyPatch, updatedInputFields } from "../../write/input-fields.ts";
import { acceptId } from "../../write/text.ts";
import { checkReferences, findChronicles } from "./find.ts";
import { parseField } from "./inputs.ts";
import {
  chronicleAfter,
  chronicleEventOf,
  readBackChronicle,
  storedChronicle,
  type WrittenChronicles,
} from "./write-chronicle.ts";

export interface ChronicleMutations<K extends ChronicleKind> {
  /**
   * If the input has an id, the client may repeat the call: an existing chronicle stays unchanged. `path` is the path
   * of the input.
   */
  create(input: Input, context: ApiContext, path: InputPath, make?: Make<K>): Promise<Chronicle<K>>;
  update(input: Input, context: ApiContext, path: InputPath, make?: Make<K>): Promise<Chronicle<K>>;
  remove(id: string, context: ApiContext): Promise<Chronicle<K>>;
  /** The result has null in place of each chronicle that does not exist. */
  removeAll(ids: readonly (string | null)[], context: ApiContext): Promise<readonly (Chronicle<K> | null)[]>;
}

/**
 * Creates the objects that the chronicle will refer to: after all checks of the input, before the chronicle is written.
 */
export type Make<K extends ChronicleKind> = (before: Chronicle<K> | undefined) => Promise<Made<K>>;

interface Made<K extends ChronicleKind> {
  /** Fields besides those of the input. */
  readonly set: Partial<ChronicleFields[K]>;
  /** Written together with the update, before it: whenever the log has the update, it has these events too. */
  readonly added?: readonly ChronicleEvent[];
}

/** The context and the input's path of a mutation that creates or updates a chronicle. */
interface ChronicleDoor {
  readonly context: ApiContext;
  readonly path: InputPath;
}

export function chronicleMutationsOf<K extends ChronicleKind>(
  description: ChronicleDescription<K>,
  deps: MutationDeps,
): ChronicleMutations<K> {
  const any: AnyChronicleDescription = description;
  const queries: ChronicleQueries<K> = chronicleQueries[description.kind];
  const kind: WrittenChronicles<K> = { description, any, fields: chronicleFieldsOf(any), queries, deps };
  return {
    create: (input, context, path, make) => createChronicle(kind, input, { context, path }, make),
    update: (input, context, path, make) => updateChronicle(kind, input, { context, path }, make),
    async remove(id, context) {
      const [removed] = await removeChronicles(kind, [id], context);
      if (removed == null) throw notFound(description.name, id, ["id"]);
      return removed;
    },
    removeAll: (ids, context) => removeChronicles(kind, ids, context),
  };
}

async function createChronicle<K extends ChronicleKind>(
  kind: WrittenChronicles<K>,
  input: Input,
  { context, path }: ChronicleDoor,
  make: Make<K> | undefined,
): Promise<Chronicle<K>> {
  const isNamed = typeof input["id"] === "string";
  const id = isNamed ? acceptId(String(input["id"]), [...path, "id"]) : v7();
  // Must come before the checks, because objects to which an existing chronicle refers may be deleted by now.
  const before = isNamed ? await readBackChronicle(kind, id, context) : undefined;
  if (before !== undefined && showsStored(context)) return before;
  const set = createdInputFields(kind.fields, input, path, parseField);
  const creation = (all: object) => chronicleEventOf(kind, { id, change: "created", set: all, cleared: [] });
  const requested = chronicleAfter(kind, undefined, creation(set), path);
  if (before !== undefined) return requested;
  try {
    await checkReferences(kind.any, set, path, context, kind.deps);
  } catch (error) {
    // The first read waited only for the caller's own position, so it may have missed an existing chronicle.
    const late = isNamed ? (await findChronicles(kind.description.kind, [id], context, kind.deps)).get(id) : undefined;
    if (late === undefined) throw error;
    return answered(context, late, requested);
  }
  const event = creation({ ...set, ...(await make?.(undefined))?.set });
  if (isNamed) return createNamed(kind, event, { context, path });
  await context.write([event]);
  return chronicleAfter(kind, undefined, event, path);
}

async function createNamed<K extends ChronicleKind>(
  kind: WrittenChronicles<K>,
  event: ChronicleEvent,
  { context, path }: ChronicleDoor,
): Promise<Chronicle<K>> {
  const { id } = event.event;
  const isDeleted = (await kind.queries.deletedOf(context.history.client, [id])).length > 0;
  if (!isDeleted) await context.write([event]);
  // Another instance may have created the chronicle first.
  const made = chronicleAfter(kind, undefined, event, path);
  const after = await storedChronicle(kind, made, context);
  if (after !== undefined) return answered(context, after, made);
  throw new AppError("CONFLICT", `the ${kind.any.name} ${id} was deleted, and its id cannot be used again`, {
    path: [...path, "id"],
  });
}

async function updateChronicle<K extends ChronicleKind>(
  kind: WrittenChronicles<K>,
  input: Input,
  { context, path }: ChronicleDoor,
  make: Make<K> | undefined,
): Promise<Chronicle<K>> {
  const { any, fields, deps } = kind;
  const id = String(input["id"]);
  const before = (await findChronicles(kind.description.kind, [id], context, deps)).get(id);
  if (before === undefined) throw notFound(any.name, id, [...path, "id"]);
  const patch = updatedInputFields(fields, input, path, parseField);
  const update = (changes: typeof patch) => chronicleEventOf(kind, { id, change: "updated", ...changes });
  chronicleAfter(kind, before, update(patch), path);
  await checkReferences(any, patch.set, path, context, deps);
  const made = await make?.(before);
  const changes = { ...patch, set: { ...patch.set, ...made?.set } };
  const events = [...(made?.added ?? []), ...(isEmptyPatch(changes) ? [] : [update(changes)])];
  if (events.length === 0) return before;
  const after = events.reduce((chronicle, event) => chronicleAfter(kind, chronicle, event, path), before);
  await context.write(events);
  // Another instance may have changed other fields meanwhile, or deleted it.
  return (await storedChronicle(kind, after, context)) ?? after;
}

async function removeChronicles<K extends ChronicleKind>(
  kind: WrittenChronicles<K>,
  ids: readonly (string | null)[],
  context: ApiContext,
): Promise<readonly (Chronicle<K> | null)[]> {
  if (ids.length > limits.maxTexts) throw badInput(`there are more than ${limits.maxTexts}`, ["id"]);
  const asked = [...new Set(ids.filter((id) => id !== null))];
  const found = new Map(await findChronicles(kind.description.kind, asked, context, kind.deps));
  const nothing = Object.fromEntries(kind.fields.map(([field]) => [field, null]));
  const events = [...found.keys()].map((id) =>
    chronicleEventOf(kind, { id, change: "deleted", set: nothing, cleared: [] }),
  );
  if (events.length > 0) await context.write(events);
  // Queries after this answer must not find them. While the history is unavailable the log has the deletion.
  await context.historyReached("chronicles").catch(() => undefined);
  return ids.map((id) => {
    const removed = id === null ? undefined : found.get(id);
    if (id !== null) found.delete(id);
    return removed ?? null;
  });
}
