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
  const counts = new Map<string, { from: string; to: string; types: number; values: number }>();
  for (const { from, to, isType } of sources.flatMap(({ imports }) => imports)) {
    const rooms = { from: roomOf(from), to: roomOf(to) };
    if (rooms.from === rooms.to || buildingOf(from) !== buildingOf(to)) continue;
    const key = `${rooms.from} ${rooms.to}`;
    const count = counts.get(key) ?? { ...rooms, types: 0, values: 0 };
    if (isType) count.types++;
    else count.values++;
    counts.set(key, count);
  }
  return [...counts.values()];
}

function buildingOf(path: string): string {
  const [layer = "", service = ""] = path.split("/");
  return layer === "services" ? `services/${service}` : layer;
}

/** Groups of nodes that reach one another, of two and more. */
export function circlesOf(edges: readonly { readonly from: string; readonly to: string }[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const targets = next.get(from);
    if (targets === undefined) next.set(from, new Set([to]));
    else targets.add(to);
  }
  return stronglyConnected(next).filter((group) => group.length > 1);
}

export const circlesOfFiles = (imports: readonly Import[], withTypes: boolean): string[][] =>
  circlesOf(imports.filter(({ isType }) => withTypes || !isType));

/** R. Tarjan, Depth-First Search and Linear Graph Algorithms, SIAM J. Comput. 1 (1972). */
function stronglyConnected(next: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];

  function visit(node: string): number {
    const number = order.size;
    order.set(node, number);
    let low = number;
    open.push(node);
    for (const target of next.get(node) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    lowest.set(node, low);
    if (low === number) groups.push(open.splice(open.indexOf(node)).sort());
    return low;
  }

  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return groups;
}
