// Mutations of the entities in the catalog, one implementation for every kind.
import { v7 } from "uuid";
import {
  type EntityDescription,
  type EntityOf,
  type FieldDescription,
  fieldsOf,
} from "../../../projections/catalog/define-entity.ts";
import { evolve } from "../../../projections/catalog/evolve.ts";
import type { CatalogRefusal } from "../../../projections/catalog/unique-fields.ts";
import type { AnyChanged } from "../../../schemas/catalog/changed.ts";
import type { CatalogFields, CatalogKind } from "../../../schemas/catalog/kinds.ts";
import { AppError, conflict, notFound, refusedAt } from "../../../schemas/errors.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import type { ApiContext } from "../graphql/context.ts";
import { answered, showsStored } from "../graphql/payload-scope.ts";
import type { MutationDeps } from "../write/deps.ts";
import { type Input, isEmptyPatch } from "../write/input-fields.ts";
import { acceptId } from "../write/text.ts";
import { typeName } from "./entities.ts";
import { createdEntityFields, updatedEntityFields } from "./entity-inputs.ts";

/** `now` returns the time of a change, which its event carries, in ms since the epoch. */
export type EntityDeps = Pick<MutationDeps, "now" | "recordsReferringTo">;

/** The description of a kind with the parts that all its mutations use. */
interface WrittenKind<K extends CatalogKind> extends EntityDeps {
  readonly description: EntityDescription<K>;
  readonly fields: readonly (readonly [string, FieldDescription])[];
  /** The name of the argument with the input. */
  readonly argument: string;
}

/** Objects that are created together with an entity: the log has all of them, or none. */
interface Own {
  readonly events: readonly CatalogEvent[];
  /** References of the entity to these objects. */
  readonly refersTo: object;
}

type EntityChange = Omit<AnyChanged, "at">;

/** `argument` is the name of the argument with the input. */
export function mutationsOf<K extends CatalogKind>(
  description: EntityDescription<K>,
  { now, recordsReferringTo }: EntityDeps,
  argument: string = description.kind,
) {
  const kind: WrittenKind<K> = { description, fields: fieldsOf(description), argument, now, recordsReferringTo };
  return {
    /** Returns the event that creates an entity, for a mutation of another kind that writes it with its own events. */
    creation(input: Input & { readonly id: string }, context: ApiContext): CatalogEvent {
      const set = createdEntityFields(kind.fields, input, context, [argument]);
      return catalogEvent(description.kind, { id: input.id, change: "created", set, cleared: [], at: now() });
    },
    /**
     * If the input has an id, the client may repeat the call: an existing entity stays unchanged. The objects of `own`
     * are created with the entity.
     */
    create: (input: Input, context: ApiContext, own?: Own) => createEntity(kind, input, context, own),
    update: (input: Input, context: ApiContext) => updateEntity(kind, input, context),
    /**
     * Throws NOT_FOUND, or CONFLICT with the ids of the objects that refer to it. `parts` are the ids of objects that
     * are deleted with it.
     */
    checkRemovable: (id: string, context: ApiContext, parts: readonly string[] = []) =>
      checkRemovable(kind, id, context, parts),
    async remove(id: string, context: ApiContext, parts: readonly string[] = []): Promise<EntityOf<K>> {
      const before = await checkRemovable(kind, id, context, parts);
      const nothing = Object.fromEntries(kind.fields.map(([field]) => [field, null]));
      await writeEntity(kind, context, { id, change: "deleted", set: nothing, cleared: [] });
      return before;
    },
  };
}

async function createEntity<K extends CatalogKind>(
  kind: WrittenKind<K>,
  input: Input,
  context: ApiContext,
  own: Own | undefined,
): Promise<EntityOf<K>> {
  const { description, fields, argument } = kind;
  const { catalog } = context;
  const isNamed = typeof input["id"] === "string";
  const id = isNamed ? acceptId(String(input["id"]), [argument, "id"]) : v7();
  // Must come before the checks, because objects to which an existing entity refers may be deleted by now.
  const before = catalog.get(description.kind, id);
  if (before !== undefined && showsStored(context)) return before;
  const set = { ...createdEntityFields(fields, input, context, [argument]), ...own?.refersTo };
  const changed = { id, change: "created" as const, set, cleared: [] };
  const made = entityAfter(kind, undefined, changed);
  if (before !== undefined && made !== undefined) return made;
  checkRule(kind, made, context);
  const created = await writeEntity(kind, context, changed, ...(own?.events ?? []));
  if (!isNamed) return created;
  // Another instance may have created the entity first.
  await context.catalogReached();
  return answered(context, catalog.get(description.kind, id) ?? created, made ?? created);
}

async function updateEntity<K extends CatalogKind>(
  kind: WrittenKind<K>,
  input: Input,
  context: ApiContext,
): Promise<EntityOf<K>> {
  const { fields, argument } = kind;
  const before = existing(kind, context, String(input["id"]), [argument, "id"]);
  const patch = updatedEntityFields(fields, input, context, [argument]);
  if (isEmptyPatch(patch)) return before;
  const changed = { id: before.id, change: "updated" as const, ...patch };
  checkRule(kind, entityAfter(kind, before, changed), context);
  return writeEntity(kind, context, changed);
}

async function checkRemovable<K extends CatalogKind>(
  kind: WrittenKind<K>,
  id: string,
  context: ApiContext,
  parts: readonly string[],
): Promise<EntityOf<K>> {
  const { description, recordsReferringTo } = kind;
  const entity = existing(kind, context, id, ["id"]);
  const others = context.catalog.referrers(description.kind, id).filter((each) => !parts.includes(each));
  const referrers = [...others, ...(await recordsReferringTo(description.kind, id))];
  if (referrers.length > 0) throw conflict(`${description.name} ${id}`, referrers);
  return entity;
}

/** Writes the event, with `first` before it, and returns the entity after it. */
async function writeEntity<K extends CatalogKind>(
  { description, fields, now }: WrittenKind<K>,
  context: ApiContext,
  changed: EntityChange,
  ...first: CatalogEvent[]
): Promise<EntityOf<K>> {
  const { kind, name } = description;
  const event = { ...changed, at: now() };
  const before = context.catalog.get(kind, event.id);
  const position = (await context.write([...first, catalogEvent(kind, event)])).at(-1);
  if (fields.some(([field, { unique }]) => unique === true && (Reflect.get(changed.set, field) ?? null) !== null)) {
    // Another instance may have written the same unique value first. The order in the log decides which event the
    // catalog refuses.
    await context.catalogReached();
    const refused = position && context.catalog.refusal(position.offset);
    if (refused !== undefined) throw refusedByLog(`${name} ${event.id}`, refused);
  }
  const after = context.catalog.get(kind, event.id) ?? evolve<CatalogFields[K]>(before, event) ?? before;
  if (after === undefined) throw notFound(name, event.id);
  return after;
}

/** Throws when the rule of the kind forbids the entity in its new state. */
function checkRule<K extends CatalogKind>(
  { description, argument }: WrittenKind<K>,
  after: EntityOf<K> | undefined,
  { catalog }: ApiContext,
): void {
  const refused = after && description.rule?.(after, catalog);
  if (refused !== undefined) throw refusedAt([argument], refused);
}

const entityAfter = <K extends CatalogKind>(
  { now }: WrittenKind<K>,
  before: EntityOf<K> | undefined,
  changed: EntityChange,
) => evolve<CatalogFields[K]>(before, { ...changed, at: now() });

function existing<K extends CatalogKind>(
  { description: { kind, name } }: WrittenKind<K>,
  { catalog }: ApiContext,
  id: string,
  path: readonly string[],
): EntityOf<K> {
  const entity = catalog.get(kind, id);
  if (entity === undefined) throw notFound(name, id, path);
  return entity;
}

const refusedByLog = (what: string, { reason, owner }: CatalogRefusal): AppError =>
  new AppError("CONFLICT", `${what} is refused: ${reason}`, owner === undefined ? {} : { referrers: [owner] });

/** The table of kinds makes sure that kind and event belong together; the compiler cannot see it. */
const catalogEvent = (kind: CatalogKind, event: AnyChanged): CatalogEvent =>
  ({ type: `${typeName(kind)}Changed`, event }) as CatalogEvent;
