// deviceSummary: the devices that existed in a range, from the catalog in memory.
import type { DeviceSummaryBucketField, FilterDeviceSummaryInput } from "../../schemas/graphql/inputs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Device } from "../catalog/device.ts";
import type { PointOfInterest } from "../catalog/point-of-interest.ts";
import { matchesSite, type Site } from "../catalog/site.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { id } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { byBytes, checkCount, withEmpty } from "./buckets.ts";
import { entity, type Shown } from "./dimensions.ts";
import { type Bucket, firstBucket, NOTHING, type Question, type Range, type Summary } from "./shape.ts";

export interface DeviceDimension extends Shown {
  readonly value: (subject: Subject) => string | null;
}

interface Subject {
  readonly device: Device;
  readonly site: Site | null;
  readonly point: PointOfInterest | null;
}

export const deviceDimensions: Readonly<Record<DeviceSummaryBucketField, DeviceDimension>> = {
  SITE: { member: "site", show: entity("site"), value: ({ site }) => site?.id ?? null },
  POINT_OF_INTEREST: {
    member: "pointOfInterest",
    show: entity("pointOfInterest"),
    value: ({ point }) => point?.id ?? null,
  },
};

const filterFields: MemoryFields<FilterDeviceSummaryInput, Subject> = {
  siteId: id({ value: ({ device }) => device.siteId }),
  site: { matches: (filter, { site }) => site !== null && matchesSite(filter, site) },
  pointOfInterestId: id({ value: ({ device }) => device.pointOfInterestId }),
};

interface Lifetime extends Subject {
  readonly from: number;
  /** null = the device exists. */
  readonly to: number | null;
}

/** Throws BAD_USER_INPUT for too many buckets. */
export function summarizeDevices(
  catalog: Catalog,
  filter: FilterDeviceSummaryInput,
  question: Question<DeviceDimension>,
): Summary {
  const { range, grouping } = question;
  const found: Lifetime[] = [];
  for (const lifetime of lifetimesOf(catalog)) {
    if (existsIn(lifetime, range) && matches(filterFields, filter, lifetime)) found.push(lifetime);
  }
  const overall = { ...NOTHING, total: found.length };
  if (grouping === undefined) return { overall, buckets: undefined };
  const buckets = bucketsOf(found, question);
  return { overall, buckets: grouping.dimensions.length === 0 ? withEmpty(buckets, question) : buckets };
}

function* lifetimesOf(catalog: Catalog): Generator<Lifetime> {
  const subject = (device: Device): Subject => ({
    device,
    site: device.siteId === null ? null : (catalog.get("site", device.siteId) ?? null),
    point:
      device.pointOfInterestId === null ? null : (catalog.get("pointOfInterest", device.pointOfInterestId) ?? null),
  });
  for (const device of catalog.all("device")) yield { ...subject(device), from: device.createdAt, to: null };
  for (const { entity, deletedAt } of catalog.past("device")) {
    yield { ...subject(entity), from: entity.createdAt, to: deletedAt };
  }
}

const existsIn = ({ from, to }: Lifetime, range: Range): boolean =>
  from < range.to && (to === null || to >= range.from);

/** By how many the devices of a group become more or fewer with each bucket: a device may exist in very many of them. */
interface Group {
  readonly values: readonly (string | null)[];
  /** The values, to sort by: made once, because comparisons are many. */
  readonly bytes: readonly (Buffer | null)[];
  readonly changes: Map<number, number>;
}

function bucketsOf(found: readonly Lifetime[], { range, grouping, maxBuckets }: Question<DeviceDimension>): Bucket[] {
  const sizeMs = grouping?.sizeMs;
  const begin = sizeMs === undefined ? 0 : firstBucket(range, sizeMs);
  const bucketAt = (ms: number) => (sizeMs === undefined ? 0 : Math.floor((ms - begin) / sizeMs));
  const groups = new Map<string, Group>();
  for (const lifetime of found) {
    const values = grouping?.dimensions.map(({ value }) => value(lifetime)) ?? [];
    const key = JSON.stringify(values);
    const { changes } = groups.get(key) ?? setGroup(groups, key, values);
    const change = (bucket: number, by: number) => changes.set(bucket, (changes.get(bucket) ?? 0) + by);
    change(bucketAt(Math.max(lifetime.from, range.from)), 1);
    change(bucketAt(Math.min(lifetime.to ?? range.to - 1, range.to - 1)) + 1, -1);
  }
  const buckets: Bucket[] = [];
  for (const { values, changes } of [...groups.values()].sort((a, b) => byBytes(a.bytes, b.bytes))) {
    for (const { from, to, total } of stretchesOf(changes)) {
      checkCount(buckets.length + to - from, maxBuckets);
      for (let bucket = from; bucket < to; bucket++) {
        const time = sizeMs === undefined ? null : begin + bucket * sizeMs;
        buckets.push({ time, values, tally: { ...NOTHING, total } });
      }
    }
  }
  // Buckets of the same time keep the order of their groups.
  return buckets.sort((a, b) => (a.time ?? 0) - (b.time ?? 0));
}

/** The buckets in which devices exist: a group may have few devices in a range of very many buckets. */
function* stretchesOf(changes: Group["changes"]) {
  let [from, total] = [0, 0];
  for (const [to, by] of [...changes].sort(([a], [b]) => a - b)) {
    if (total > 0) yield { from, to, total };
    from = to;
    total += by;
  }
}

function setGroup(groups: Map<string, Group>, key: string, values: Group["values"]): Group {
  const bytes = values.map((value) => (value === null ? null : Buffer.from(value)));
  const group = { values, bytes, changes: new Map<number, number>() };
  groups.set(key, group);
  return group;
}
