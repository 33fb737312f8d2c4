import type { MeasurementRecorded } from "../../../schemas/events.ts";
import type { FilterMeasurementInput, MeasurementsSort } from "../../../schemas/filters.ts";
import { measurementId } from "../../../schemas/identity.ts";
import { compile } from "../../filters/compile.ts";
import { measurementFields } from "../../filters/measurements.ts";
import { measurementRecord, measurementSelect, measurementsTable } from "../measurements.ts";
import { type KeyColumn, sortKey } from "./keyset.ts";
import { type Kind, page } from "./page.ts";
import { createParams } from "./params.ts";
import type { History, Page, PageRequest } from "./records.ts";
import { askCount } from "./run.ts";

const id: KeyColumn = { sql: "measurement_id", type: "String" };
const timestamp: KeyColumn = { sql: "timestamp", type: "time" };

const measurements: Kind<MeasurementRecorded> = {
  name: "measurements page",
  from: `${measurementsTable.name} FINAL`,
  narrow: () => ({ table: measurementsTable.name }),
  select: measurementSelect,
  toRecord: measurementRecord,
  keyOf: (record, column) =>
    column === "timestamp" ? record.timestamp : measurementId(record.sensorId, record.timestamp, record.value),
};

export function measurementsPage(
  { client, dataSourceIds }: History,
  request: PageRequest<FilterMeasurementInput, MeasurementsSort>,
): Promise<Page<MeasurementRecorded>> {
  const key = sortKey(request.sort, { ID: id, TIMESTAMP: timestamp }, [id]);
  return page(client, measurements, request, key, (params, filter) =>
    compile(measurementFields, filter, { params, dataSourceIds }),
  );
}

export function measurementsCount({ client, dataSourceIds }: History, filter: FilterMeasurementInput): Promise<number> {
  const params = createParams();
  const condition = compile(measurementFields, filter, { params, dataSourceIds });
  return askCount(client, "measurements count", measurements.from, condition, params);
}
