// The cameras and zones of the benchmark's history, as the API knows them.
import type { ClickHouseClient } from "@clickhouse/client";
import { createCatalog } from "../../../projections/catalog/catalog.ts";
import { createZonesView } from "../../../projections/catalog/zones-view.ts";
import type { SummaryContext } from "../../../projections/summaries/dimensions.ts";
import { dataSourceCreated } from "../../support/scenes/catalog.ts";
import { zone } from "../../support/scenes/zone.ts";
import { type Size, zoneIdSql } from "../query/fill.ts";

export async function benchCatalog(client: ClickHouseClient, { cameras, zones: count }: Size): Promise<SummaryContext> {
  const catalog = createCatalog();
  for (let i = 0; i < cameras; i++) catalog.apply(dataSourceCreated(`camera-${i}`), i);
  const zones = createZonesView();
  const result = await client.query({
    query: `SELECT ${zoneIdSql("number")} AS id FROM numbers(${count})`,
    format: "JSONEachRow",
  });
  for (const [offset, { id: zoneId }] of (await result.json<{ id: string }>()).entries()) {
    const place = { zoneId, dataSourceId: "camera-0", partition: 0, offset, movedTo: null, refusal: null };
    zones.apply({ ...place, zone: zone({ zoneId, name: `Zone ${offset % 100}` }) });
  }
  return { catalog, zones };
}
