// The rooms of the house, the imports between them, and the circles that these form.
import type { Import, Source } from "./sources.ts";

/**
 * Returns `projections/live` or `services/api/feed`. Loose files of a service or a layer are in the room
 * `services/api` or `schemas`.
 */
export function roomOf(path: string): string {
  const folders = path.split("/").slice(0, -1);
  return folders.slice(0, folders[0] === "services" ? 3 : 2).join("/");
}

export interface RoomImports {
  readonly from: string;
  readonly to: string;
  readonly types: number;
  readonly values: number;
}

/** Within one building: projections, schemas, or one service. */
export function importsBetweenRooms(sources: readonly Source[]): RoomImports[] {
  const crossing = sources
    .flatMap(({ imports }) => imports)
    .filter(({ from, to }) => roomOf(from) !== roomOf(to) && buildingOf(from) === buildingOf(to));
  const byRooms = Map.groupBy(crossing, ({ from, to }) => `${roomOf(from)} ${roomOf(to)}`);
  return [...byRooms].map(([rooms, imports]) => {
    const [from = "", to = ""] = rooms.split(" ");
    const types = imports.filter(({ isType }) => isType).length;
    return { from, to, types, values: imports.length - types };
  });
}

/** Returns `projections`, `services/api`. */
export function buildingOf(path: string): string {
  const [layer = "", service = ""] = path.split("/");
  return layer === "services" ? `services/${service}` : layer;
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** Groups of nodes that reach one another, of two and more. */
export const circlesOf = (edges: readonly Edge[]): string[][] =>
  stronglyConnected(Map.groupBy(edges, ({ from }) => from)).filter((group) => group.length > 1);

export const circlesOfFiles = (imports: readonly Import[], withTypes: boolean): string[][] =>
  circlesOf(imports.filter(({ isType }) => withTypes || !isType));

/** R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM J. Comput. 1 (1972). */
function stronglyConnected(edgesFrom: ReadonlyMap<string, readonly Edge[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];

  function visit(node: string): number {
    const number = order.size;
    order.set(node, number);
    let low = number;
    open.push(node);
    for (const { to } of edgesFrom.get(node) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (open.includes(to)) low = Math.min(low, order.get(to) ?? low);
    }
    lowest.set(node, low);
    if (low === number) groups.push(open.splice(open.indexOf(node)).sort());
    return low;
  }

  for (const node of edgesFrom.keys()) if (!order.has(node)) visit(node);
  return groups;
}
