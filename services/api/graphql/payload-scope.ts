// A mutation's payload for a token without the scope `read`: the object's own values, and nothing about other objects.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { may, type Principal } from "../../../projections/catalog/tokens.ts";
import { AppError } from "../../../schemas/errors.ts";
import { fragmentsOf } from "./limits.ts";

/** Values that the API looks up elsewhere, and links, by which anybody gets a medium. */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  DataSourceClip: ["url", "thumbnailUrl", "displayName"],
  Detection: ["tag", "zoneIds", "geofenceIds", "deviceId"],
  Device: ["lastHeartbeat"],
  Image: ["url", "thumbnailUrl"],
  Track: ["deviceIds"],
  Video: ["url", "thumbnailUrl"],
  Zone: ["deviceId"],
};

/** They have ids, and yet they are parts of the object. */
const PARTS: ReadonlySet<string> = new Set(["DeviceCalibrationMarker"]);

/** Throws FORBIDDEN with the path of the first field that is not the payload's own. Fields that are skipped count. */
export function checkPayload(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  principal: Principal,
): void {
  if (may(principal, "read")) return;
  // Documents that are sent again are parsed once.
  const known = verdicts.get(operation) ?? { refusal: refusalOf(schema, document, operation) };
  verdicts.set(operation, known);
  if (known.refusal !== undefined) throw known.refusal;
}

const verdicts = new WeakMap<OperationDefinitionNode, { readonly refusal: AppError | undefined }>();

type Path = readonly string[];

function refusalOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
  const fragments = fragmentsOf(document);
  const root = schema.getMutationType()?.name ?? "";
  const found = firstOfOthers(schema, fragments, new Set(), operation.selectionSet, root, []);
  if (found === undefined) return undefined;
  const message = `${found.at(-1)} is not the payload's own: it needs a token with the scope read, too`;
  return new AppError("FORBIDDEN", message, { path: found });
}

/** The validated document has no cycles; `seen` holds the fragments that have been looked through for their type. */
function firstOfOthers(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  seen: Set<string>,
  { selections }: SelectionSetNode,
  typeName: string,
  path: Path,
): Path | undefined {
  const again = (inner: SelectionSetNode, type: string, at: Path) =>
    firstOfOthers(schema, fragments, seen, inner, type, at);
  for (const selection of selections) {
    let found: Path | undefined;
    if (selection.kind === Kind.INLINE_FRAGMENT) found = again(selection.selectionSet, typeName, path);
    else if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const name = selection.name.value;
      const fragment = seen.has(name) ? undefined : fragments.get(name);
      seen.add(name);
      if (fragment !== undefined) found = again(fragment.selectionSet, typeName, path);
    } else {
      const at = [...path, (selection.alias ?? selection.name).value];
      if (path.length > 0 && isOfOthers(schema, typeName, selection.name.value)) return at;
      const type = typeOf(schema, typeName, selection.name.value);
      if (selection.selectionSet !== undefined && type !== undefined)
        found = again(selection.selectionSet, type.name, at);
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

/** Positions, polygons and the like have no id: they are values of the object that has them. */
export function isOfOthers(schema: GraphQLSchema, typeName: string, field: string): boolean {
  if (OF_OTHERS[typeName]?.includes(field) === true) return true;
  const type = typeOf(schema, typeName, field);
  return isObjectType(type) && type.getFields()["id"] !== undefined && !PARTS.has(type.name);
}
