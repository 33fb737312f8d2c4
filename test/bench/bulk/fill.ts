// A large installation's catalog, written into the catalog topic as the API would write it.
import type { Changed } from "../../../schemas/catalog/changed.ts";
import type { CatalogFields, CatalogKind } from "../../../schemas/catalog/kinds.ts";
import type { CatalogEvent } from "../../../schemas/events.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { topicName } from "../../../schemas/topics.ts";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createPublisher } from "../../../services/common/kafka/write/publisher.ts";
import { createLog } from "../../../services/common/log.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import type { PreparedSystem } from "../../support/running/launch-system.ts";

export interface Size {
  readonly sites: number;
  readonly devices: number;
  readonly geofences: number;
}

const AT = Date.UTC(2026, 0, 1);
const PER_BATCH = 1_000;
const MAX_BYTES = 16 * 1024 * 1024;

export const siteId = (i: number) => `site-${String(i).padStart(6, "0")}`;
export const deviceId = (i: number) => `device-${String(i).padStart(6, "0")}`;

/** Each device has a data source of its own; devices take turns over the sites. */
export function* entitiesOf({ sites, devices, geofences }: Size): Generator<CatalogEvent> {
  for (let i = 0; i < sites; i++) {
    const fields = { name: `Site ${i}`, timezone: "UTC", position: placeOf(i), polygon: null };
    yield { type: "SiteChanged", event: created<"site">(siteId(i), fields) };
  }
  for (let i = 0; i < devices; i++) {
    const id = deviceId(i);
    const source = { name: `Camera ${i}`, type: "VIDEO_DEVICE", labels: [`floor-${i % 10}`] } as const;
    yield { type: "DataSourceChanged", event: created<"dataSource">(id, source) };
    const device = {
      ...{ name: `Camera ${i}`, enabled: i % 7 > 0, dataSourceId: id, siteId: siteId(i % sites) },
      ...{ pointOfInterestId: null, transcoderId: null, externalId: `ext-${i}`, address: null, position: placeOf(i) },
    };
    yield { type: "DeviceChanged", event: created<"device">(id, device) };
  }
  for (let i = 0; i < geofences; i++) {
    const fields = {
      ...{ name: `Geofence ${i}`, labels: [`area-${i % 50}`], siteId: siteId(i % sites), pointOfInterestId: null },
      ...{ bounds: squareOf(i), active: true },
    };
    yield { type: "GeofenceChanged", event: created<"geofence">(`geofence-${i}`, fields) };
  }
}

const placeOf = (i: number) => ({ longitude: 4 + i * 1e-4, latitude: 52 + i * 1e-4, altitude: null, crs: null });

function squareOf(i: number) {
  const [x, y] = [4 + (i % 200) * 1e-3, 52 + Math.floor(i / 200) * 1e-3];
  return { rings: [[x, y, x + 8e-4, y, x + 8e-4, y + 8e-4, x, y + 8e-4, x, y]], crs: null };
}

const created = <K extends CatalogKind>(id: string, set: CatalogFields[K]): Changed<CatalogFields[K]> => ({
  ...{ id, change: "created" as const, at: AT, cleared: [] },
  set,
});

export async function fillCatalog({ env, namespace }: PreparedSystem, events: Iterable<CatalogEvent>): Promise<void> {
  const log = createLog("bench", "silent");
  const codec = await createCodec(loadConfig(registryEnv, env));
  const publisher = createPublisher({
    kafka: createKafka("bench", loadConfig(kafkaEnv, env), log),
    topics: [topicName(namespace, "catalog")],
    log,
    lingerMs: 0,
    maxBatchBytes: MAX_BYTES,
    maxQueueBytes: MAX_BYTES,
    timeoutMs: 30_000,
  });
  await publisher.start();
  try {
    let batch: ReturnType<typeof recordMessage>[] = [];
    for (const event of events) {
      batch.push(recordMessage(codec, namespace, event, { source: "bench", timeMs: AT }));
      if (batch.length < PER_BATCH) continue;
      await publisher.publish(batch);
      batch = [];
    }
    if (batch.length > 0) await publisher.publish(batch);
  } finally {
    await publisher.stop();
  }
}
