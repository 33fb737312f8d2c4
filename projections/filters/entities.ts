// Filters of what lies in memory: zones and data sources.
import type { DataSourceEntry, Zone } from "../../schemas/events.ts";
import type { FilterDataSourceInput, FilterZoneInput } from "../../schemas/filters.ts";
import { given, matches } from "./combine.ts";
import { matchesPoints } from "./points.ts";
import { matchesBoolean, matchesId, matchesString, matchesStringList, matchesTime } from "./values.ts";

export const matchesZone = (filter: FilterZoneInput, zone: Zone): boolean => matches(filter, zone, ofZone);

function ofZone(filter: FilterZoneInput, zone: Zone): boolean {
  return (
    given(filter.id, (each) => matchesId(each, zone.zoneId)) &&
    given(filter.name, (each) => matchesString(each, zone.name)) &&
    given(filter.dataSourceId, (each) => matchesId(each, zone.dataSourceId)) &&
    given(filter.active, (each) => matchesBoolean(each, zone.active)) &&
    given(filter.createdAt, (each) => matchesTime(each, zone.createdAt)) &&
    given(filter.updatedAt, (each) => matchesTime(each, zone.updatedAt))
  );
}

export const matchesDataSource = (filter: FilterDataSourceInput, source: DataSourceEntry): boolean =>
  matches(filter, source, ofDataSource);

function ofDataSource(filter: FilterDataSourceInput, source: DataSourceEntry): boolean {
  return (
    given(filter.id, (each) => matchesId(each, source.dataSourceId)) &&
    given(filter.name, (each) => matchesString(each, source.name)) &&
    given(filter.type, (each) => matchesString(each, source.type)) &&
    given(filter.labels, (each) => matchesStringList(each, source.labels ?? [])) &&
    // The position is that of the device, and no data source has one yet.
    given(filter.position, (each) => matchesPoints(each, []))
  );
}
