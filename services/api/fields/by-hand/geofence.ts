import { geofence as description } from "../../../../projections/catalog/geofence.ts";
import { countVertices } from "../../../../schemas/bounds.ts";
import type { GeoJsonPolygonInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { Input } from "../../write/input-fields.ts";
import type { EntityMutations } from "../entities.ts";
import { mutationsOf } from "../entity-mutations.ts";
import type { ByHand } from "./by-hand.ts";

export const geofenceByHand: ByHand = { mutations: geofenceMutations };

/**
 * Every mutation notifies all partitions after the catalog event is written. A repeated mutation does so again, because
 * the first may have failed between the two.
 */
function geofenceMutations(deps: MutationDeps): EntityMutations {
  const { geofences: steps } = deps;
  const mutations = mutationsOf(description, deps);

  async function thenAnnounce<T>(context: ApiContext, write: Promise<T>): Promise<T> {
    const written = await write;
    await steps.announce(context);
    return written;
  }

  /** Only a change that enlarges or activates a geofence counts against the vertex quota. */
  function withVertexQuota<T>(input: Input, context: ApiContext, write: () => Promise<T>): Promise<T> {
    const id = typeof input["id"] === "string" ? input["id"] : undefined;
    const before = id === undefined ? undefined : context.catalog.get("geofence", id);
    const isActive = input["active"] ?? before?.active;
    const vertices = verticesOf(input) ?? countVertices(before?.bounds.rings ?? []);
    const growth = vertices - (before?.active ? countVertices(before.bounds.rings) : 0);
    return isActive === true && growth > 0 ? steps.withVertexQuota(context, { id, vertices }, write) : write();
  }

  return {
    create: (input, context) =>
      withVertexQuota(input, context, () => thenAnnounce(context, mutations.create(input, context))),
    update: (input, context) =>
      withVertexQuota(input, context, () => thenAnnounce(context, mutations.update(input, context))),
    remove: (id, context) => thenAnnounce(context, mutations.remove(id, context)),
  };
}

/**
 * Returns the number of vertices of the bounds in the input, whose types GraphQL has checked.
 * @returns undefined when the input has no bounds.
 */
function verticesOf({ bounds }: Input): number | undefined {
  if (bounds == null) return undefined;
  const { polygon } = bounds as { readonly polygon: GeoJsonPolygonInput };
  return polygon.coordinates.reduce((sum, ring) => sum + ring.length, 0);
}
