// A random history over some days, and a catalog of the data sources that it names.
import { createCatalog } from "../../../projections/catalog/catalog.ts";
import { createDataSourceIds } from "../../../projections/catalog/data-source-ids.ts";
import { tagOf } from "../../../projections/catalog/tag.ts";
import { createZonesView } from "../../../projections/catalog/zones-view.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import { zone } from "../../support/scenes/zone.ts";
import { createWorld, START, tags, type World, worldOf, zones as zoneIds } from "../history/world.ts";

const STRETCH = 4_000;

/** A minute of the world becomes days; now and then a millisecond beside the borders of buckets. */
export const later = (ms: number): number => START + (ms - START) * STRETCH + ((Math.abs(ms) / 100) % 3) - 1;
const laterOrNull = (ms: number | null): number | null => (ms === null ? null : later(ms));

export function createLongWorld(seed: number): World {
  const { log, changes } = createWorld(seed, 500, 12);
  return worldOf(
    log.map((entry) => ({ ...entry, message: stretched(entry.message) })),
    changes.map(({ event, recordedAt }) => {
      const { startTime, endTime, lastInside } = event;
      const times = { startTime: later(startTime), endTime: laterOrNull(endTime), lastInside: later(lastInside) };
      return { recordedAt, event: { ...event, ...times } };
    }),
  );
}

type Message = World["log"][number]["message"];

function stretched(message: Message): Message {
  const { event } = message;
  const changed = { ...event };
  for (const member of ["startTime", "endTime"]) {
    const time: unknown = Reflect.get(event, member);
    if (typeof time === "number") Reflect.set(changed, member, later(time));
  }
  if ("detections" in event) {
    const detections = event.detections.map((each) => ({ ...each, timestamp: later(each.timestamp) }));
    Reflect.set(changed, "detections", detections);
  }
  return { type: message.type, event: changed } as Message;
}

/** ds-a and ds-b are in places, ds-c is a data source without a device; what the others are called is nobody's. */
export function createScene() {
  const catalog = createCatalog();
  let offset = 0;
  const add = (type: CatalogEvent["type"], id: string, set: object) =>
    catalog.apply({ type, event: { id, change: "created", at: 1_000, set, cleared: [] } } as CatalogEvent, offset++);
  const nowhere = { position: null, polygon: null };
  for (const id of ["site-1", "site-2"]) add("SiteChanged", id, { name: `Name of ${id}`, timezone: "UTC", ...nowhere });
  const position = { longitude: 1, latitude: 2, altitude: null, crs: null };
  add("PointOfInterestChanged", "point-1", { siteId: "site-1", name: "Gate", position, metadata: null });
  for (const id of ["ds-a", "ds-b"]) {
    add("DataSourceChanged", id, { name: id.toUpperCase(), type: "VIDEO_DEVICE", labels: ["north"] });
  }
  for (const [dataSourceId, siteId, pointOfInterestId] of [
    ["ds-a", "site-1", "point-1"],
    ["ds-b", "site-2", null],
  ]) {
    const set = { name: "Camera", enabled: true, dataSourceId, siteId, pointOfInterestId, position: null };
    add("DeviceChanged", `device of ${dataSourceId}`, { transcoderId: null, externalId: null, address: null, ...set });
  }
  const plain = { description: null, timezone: null, active: true, validationReasons: [], metadata: null };
  add("ChronicleProducerChanged", "producer-1", { ...plain, name: "Rules" });
  for (const name of new Set(tags.slice(0, 3).map((each) => tagOf(each).name))) {
    const { id, color } = tagOf(name);
    add("TagChanged", id, { name, color });
  }
  return { catalog, dataSourceIds: createDataSourceIds(catalog), zones: createZones() };
}

/** Two of three zones have the same name, and one of those is deleted. */
function createZones() {
  const zones = createZonesView();
  const at = (zoneId: string) => ({ zoneId, dataSourceId: "ds-a", partition: 0, movedTo: null, refusal: null });
  for (const [offset, zoneId] of zoneIds.entries()) {
    zones.apply({ ...at(zoneId), offset, zone: zone({ zoneId, dataSourceId: "ds-a", name: nameOf(zoneId) }) });
  }
  zones.apply({ ...at("zone-1"), offset: 10, zone: null });
  return zones;
}

export const nameOf = (zoneId: string): string => (zoneId === "zone-3" ? "Door" : "Gate");
