// One Avro record per event type; the subject in the registry is the record's name.
import type { EventType } from "../events.ts";
import { type AvroSchema, detections, enumeration, optional, properties, record, time, zone } from "./fragments.ts";

const id = (name: string) => ({ name, type: "string" });
const at = (name: string) => ({ name, type: time });
const maybe = (name: string, type: unknown) => ({ name, ...optional(type) });

export const records: { readonly [K in EventType]: AvroSchema } = {
  TrackCreated: record("TrackCreated", [
    id("trackId"),
    id("dataSourceId"),
    { name: "tag", type: "string" },
    at("startTime"),
    maybe("endTime", time),
    maybe("modelId", "string"),
    maybe("properties", properties),
    maybe("metadata", "string"),
    detections,
  ]),
  TrackUpdated: record("TrackUpdated", [
    id("trackId"),
    id("dataSourceId"),
    maybe("tag", "string"),
    maybe("startTime", time),
    maybe("endTime", time),
    maybe("properties", properties),
    maybe("metadata", "string"),
    { name: "cleared", type: { type: "array", items: "string" }, default: [] },
    detections,
  ]),
  TrackExpired: record("TrackExpired", [
    id("trackId"),
    id("dataSourceId"),
    at("endTime"),
    { name: "reason", type: enumeration("EndReason", ["expired"], "expired") },
    maybe("readUpTo", "long"),
  ]),
  DetectionsRecorded: record("DetectionsRecorded", [id("dataSourceId"), detections]),
  ZoneCreated: record("ZoneCreated", [{ name: "zone", type: zone }]),
  ZoneUpdated: record("ZoneUpdated", [{ name: "zone", type: zone }]),
  ZoneDeleted: record("ZoneDeleted", [id("zoneId"), id("dataSourceId"), at("deletedAt"), maybe("movedTo", "string")]),
  ZoneVersion: record("ZoneVersion", [
    id("zoneId"),
    id("dataSourceId"),
    maybe("zone", zone),
    { name: "partition", type: "int" },
    { name: "offset", type: "long" },
  ]),
  ZoneIntersectionChanged: record("ZoneIntersectionChanged", [
    id("intersectionId"),
    id("zoneId"),
    id("trackId"),
    id("dataSourceId"),
    { name: "tag", type: "string" },
    { name: "state", type: enumeration("MessageState", ["START", "UPDATE", "END"], "UPDATE") },
    at("startTime"),
    maybe("endTime", time),
    at("lastInside"),
    {
      name: "cause",
      type: record("Cause", [
        { name: "partition", type: "int" },
        { name: "offset", type: "long" },
        { name: "index", type: "int" },
      ]),
    },
  ]),
  DataSourceEntry: record("DataSourceEntry", [
    id("dataSourceId"),
    { name: "name", type: "string" },
    {
      name: "type",
      type: enumeration("DataSourceType", ["FOLDER", "VIDEO_DEVICE", "IMAGE_DEVICE", "GEOPOSITION"], "VIDEO_DEVICE"),
    },
    maybe("labels", { type: "array", items: "string" }),
    at("createdAt"),
    at("updatedAt"),
  ]),
  TokenEntry: record("TokenEntry", [
    id("tokenId"),
    { name: "name", type: "string" },
    { name: "valueSha256", type: "string" },
    { name: "scopes", type: { type: "array", items: "string" } },
    at("createdAt"),
    maybe("revokedAt", time),
  ]),
  DeadLetter: record("DeadLetter", [
    id("id"),
    { name: "topic", type: "string" },
    { name: "partition", type: "int" },
    { name: "offset", type: "long" },
    { name: "reason", type: "string" },
    maybe("key", "bytes"),
    maybe("value", "bytes"),
    at("recordedAt"),
  ]),
  DeadLetterRedriven: record("DeadLetterRedriven", [
    id("id"),
    at("redrivenAt"),
    { name: "topic", type: "string" },
    { name: "partition", type: "int" },
    { name: "offset", type: "long" },
  ]),
};
