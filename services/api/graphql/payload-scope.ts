// Restricts a mutation's payload for a token without the scope `read` to values of the mutation's own input: it shows
// no data that was stored before. A creation shows the values of the object that its input makes, another mutation the
// members that it sets.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from "graphql";
import { may, type Principal } from "../../../projections/catalog/tokens.ts";
import { AppError } from "../../../schemas/errors.ts";
import type { ApiContext } from "./context.ts";
import { fragmentsOf } from "./limits.ts";
import type { Operation } from "./operation.ts";

/** Fields whose values the API looks up in other objects, and links, which give a medium to anyone who has them. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  DataSourceClip: ["url", "thumbnailUrl", "displayName"],
  Detection: ["tag", "zoneIds", "geofenceIds", "deviceId"],
  Device: ["lastHeartbeat"],
  Image: ["url", "thumbnailUrl"],
  Track: ["deviceIds"],
  Video: ["url", "thumbnailUrl"],
  Zone: ["deviceId"],
};

/** These types have ids, but their objects are parts of the object that has them. */
const PARTS: ReadonlySet<string> = new Set(["DeviceCalibrationMarker"]);

/** Payload fields whose value derives from one input member with another name: that member, by type and field. */
const MADE_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Device: { uuid: "id" },
  Track: { finished: "endTime" },
};

/**
 * Mutations whose payload follows from their input alone. A repeated creation answers like the first one: see
 * `answered`.
 */
export const isCreation = (mutation: string): boolean =>
  mutation.startsWith("create") || mutation === "clip" || mutation === "uploadImage";

export const showsStored = ({ principal }: Pick<ApiContext, "principal">): boolean => may(principal, "read");

/** Returns the answer to a creation. `stored` is the object that exists by now, `made` the one that the input makes. */
export const answered = <T>(context: Pick<ApiContext, "principal">, stored: T, made: T): T =>
  showsStored(context) ? stored : made;

/** Returns the error as the caller may see it: only a token with `read` gets the ids of other objects. */
export function withoutReferrers(error: unknown, context: Pick<ApiContext, "principal">): unknown {
  if (!(error instanceof AppError) || error.referrers === undefined || showsStored(context)) return error;
  return new AppError(error.code, error.message, error.inputPath === undefined ? {} : { path: error.inputPath });
}

/** Throws FORBIDDEN with the path of the first field that is not the payload's own. Skipped fields count, too. */
export function checkPayload(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { variables }: Pick<Operation, "variables">,
  principal: Principal,
): void {
  if (may(principal, "read")) return;
  // The verdict on a document is kept, so that a repeated document needs no second check.
  const known = verdicts.get(operation) ?? verdictOf(schema, document, operation, variables);
  if (known.isFinal) verdicts.set(operation, known);
  if (known.refusal !== undefined) throw known.refusal;
}

interface PayloadVerdict {
  readonly refusal: AppError | undefined;
  /** When false, the verdict depends on the values of the variables. */
  readonly isFinal: boolean;
}

const verdicts = new WeakMap<OperationDefinitionNode, PayloadVerdict>();

type Path = readonly string[];
type Variables = Operation["variables"];

function verdictOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): PayloadVerdict {
  const fragments = fragmentsOf(document);
  const root = schema.getMutationType()?.name ?? "";
  const fields = rootFields(operation.selectionSet, fragments);
  const isFinal = fields.every(({ name }) => isCreation(name.value));
  for (const field of fields) {
    const type = typeOf(schema, root, field.name.value);
    if (field.selectionSet === undefined || type === undefined) continue;
    const set = isCreation(field.name.value) ? undefined : membersSet(field, variables);
    const walk = { schema, fragments, seen: new Set<string>(), set };
    const found = firstOfOthers(walk, field.selectionSet, type.name, [(field.alias ?? field.name).value]);
    if (found === undefined) continue;
    const message = `${found.at(-1)} is not the payload's own: it needs a token with the scope read, too`;
    return { refusal: new AppError("FORBIDDEN", message, { path: found }), isFinal };
  }
  return { refusal: undefined, isFinal };
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Returns the root fields of the operation, also those in fragments. The validated document has no cycles. */
export function rootFields(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  seen = new Set<string>(),
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(selection.selectionSet, fragments, seen);
    const fragment = seen.has(selection.name.value) ? undefined : fragments.get(selection.name.value);
    seen.add(selection.name.value);
    return fragment === undefined ? [] : rootFields(fragment.selectionSet, fragments, seen);
  });
}

/**
 * Returns the members to which the arguments give a value. A member that is null is cleared or stays, so it is not
 * among them.
 */
function membersSet({ arguments: given = [] }: FieldNode, variables: Variables): ReadonlySet<string> {
  const set = new Set(["id", "__typename"]);
  for (const { name, value: node } of given) {
    const value: unknown = valueFromASTUntyped(node, variables);
    if (value === null || typeof value !== "object" || Array.isArray(value)) set.add(name.value);
    else for (const [member, each] of Object.entries(value)) if (each != null) set.add(member);
  }
  return set;
}

interface PayloadWalk {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  /** Fragments that have been checked for their type. */
  readonly seen: Set<string>;
  /** Absent when all of the object's own values come from the input. */
  readonly set: ReadonlySet<string> | undefined;
}

function firstOfOthers(
  walk: PayloadWalk,
  { selections }: SelectionSetNode,
  typeName: string,
  path: Path,
): Path | undefined {
  const { schema, fragments, seen, set } = walk;
  for (const selection of selections) {
    let found: Path | undefined;
    if (selection.kind === Kind.INLINE_FRAGMENT) found = firstOfOthers(walk, selection.selectionSet, typeName, path);
    else if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value;
      const fragment = seen.has(name) ? undefined : fragments.get(name);
      seen.add(name);
      if (fragment !== undefined) found = firstOfOthers(walk, fragment.selectionSet, typeName, path);
    } else {
      const field = selection.name.value;
      const at = [...path, (selection.alias ?? selection.name).value];
      const isSet = set === undefined || set.has(MADE_OF[typeName]?.[field] ?? field);
      if (!isSet || isOfOthers(schema, typeName, field)) return at;
      const type = typeOf(schema, typeName, field);
      // A member that is an object of values is set as a whole.
      if (selection.selectionSet !== undefined && type !== undefined)
        found = firstOfOthers({ ...walk, set: undefined }, selection.selectionSet, type.name, at);
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

const typeOf = (schema: GraphQLSchema, typeName: string, field: string) => {
  const type = schema.getType(typeName);
  const found = isObjectType(type) ? type.getFields()[field] : undefined;
  return found === undefined ? undefined : getNamedType(found.type);
};

/**
 * @returns true when the field shows another object. Positions, polygons and similar values have no id: they are values
 * of the object that has them.
 */
export function isOfOthers(schema: GraphQLSchema, typeName: string, field: string): boolean {
  if (OF_OTHERS[typeName]?.includes(field) === true) return true;
  const type = typeOf(schema, typeName, field);
  return isObjectType(type) && type.getFields()["id"] !== undefined && !PARTS.has(type.name);
}
