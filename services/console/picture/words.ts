// The words of a live region for the thing under the pointer. They have no figures that run on, for each change is read
// out.
import type { Hit } from "./hit.ts";
import type { Scene } from "./scene.ts";

export function wordsOfHit(hit: Hit, { objects, stays, zones }: Pick<Scene, "objects" | "stays" | "zones">): string {
  if (hit.kind === "zone") return hit.zone.isActive ? hit.zone.name : `${hit.zone.name}, not active`;
  const { trackId, tag } = objects.get(hit.object.trackId) ?? hit.object;
  const zoneIds = stays.filter((stay) => stay.trackId === trackId).map(({ zoneId }) => zoneId);
  const names = zoneIds.map((id) => zones.find((zone) => zone.id === id)?.name ?? id);
  return [`${tag === "" ? "unknown" : tag} ${trackId}`, ...names.map((name) => `in ${name}`)].join(", ");
}
