import { geofence as description } from "../../../../projections/catalog/geofence.ts";
import { countVertices } from "../../../../schemas/bounds.ts";
import type { GeoJsonPolygonInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { Input } from "../../write/said.ts";
import { type EntityMutations, mutationsOf } from "../entities.ts";
import type { ByHand } from "./by-hand.ts";

export const geofence: ByHand = { mutations: geofenceMutations };

/** Every mutation tells all partitions after the catalog, also one that is repeated: the first may have died in between. */
function geofenceMutations(deps: MutationDeps): EntityMutations {
  const { geofences: steps } = deps;
  const mutations = mutationsOf(description, deps);

  async function told<T>(context: ApiContext, write: Promise<T>): Promise<T> {
    const written = await write;
    await steps.tell(context);
    return written;
  }

  /** Only what makes a geofence larger, or active, needs room. */
  function withRoom<T>(input: Input, context: ApiContext, write: () => Promise<T>): Promise<T> {
    const id = typeof input["id"] === "string" ? input["id"] : undefined;
    const before = id === undefined ? undefined : context.catalog.get("geofence", id);
    const isActive = input["active"] ?? before?.active;
    const vertices = verticesOf(input) ?? countVertices(before?.bounds.rings ?? []);
    const growth = vertices - (before?.active ? countVertices(before.bounds.rings) : 0);
    return isActive === true && growth > 0 ? steps.withRoom(context, { id, vertices }, write) : write();
  }

  return {
    create: (input, context) => withRoom(input, context, () => told(context, mutations.create(input, context))),
    update: (input, context) => withRoom(input, context, () => told(context, mutations.update(input, context))),
    remove: (id, context) => told(context, mutations.remove(id, context)),
  };
}

/** Of the bounds that a caller gives, whose types GraphQL has checked; undefined = it gives none. */
function verticesOf({ bounds }: Input): number | undefined {
  if (bounds == null) return undefined;
  const { polygon } = bounds as { readonly polygon: GeoJsonPolygonInput };
  return polygon.coordinates.reduce((sum, ring) => sum + ring.length, 0);
}
