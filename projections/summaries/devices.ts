// The query deviceSummary: the devices that existed in a range, from the catalog in memory.
import type { DeviceSummaryBucketField, FilterDeviceSummaryInput } from "../../schemas/graphql/inputs.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Device } from "../catalog/device.ts";
import type { PointOfInterest } from "../catalog/point-of-interest.ts";
import { matchesSite, type Site } from "../catalog/site.ts";
import type { MemoryFields } from "../filters/fields.ts";
import { idField } from "../filters/kinds/string.ts";
import { matches } from "../filters/match.ts";
import { testsOf } from "../filters/read-filter.ts";
import type { Walk } from "../filters/walk.ts";
import { byBytes, checkCount, withEmpty } from "./buckets.ts";
import { entity, type Shown } from "./dimensions.ts";
import { type Bucket, firstBucket, NOTHING, type Range, type Summary, type SummaryQuestion } from "./shape.ts";

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
  siteId: idField({ value: ({ device }) => device.siteId }),
  site: {
    test:
      (filter) =>
      ({ site }) =>
        site !== null && matchesSite(filter, site),
  },
  pointOfInterestId: idField({ value: ({ device }) => device.pointOfInterestId }),
};

/** Finding the group of a device takes as long as this many tests. */
const GROUPING_TESTS = 20;

interface Lifetime extends Subject {
  readonly from: number;
  /** Null while the device exists. */
  readonly to: number | null;
}

/** Rejects with BAD_USER_INPUT when there are too many buckets. */
export async function summarizeDevices(
  catalog: Catalog,
  filter: FilterDeviceSummaryInput,
  question: SummaryQuestion<DeviceDimension>,
  walk: Walk,
): Promise<Summary> {
  const { range, grouping } = question;
  const groups = createGroups(question);
  let total = 0;
  const there = [...catalog.all("device")].map((device) => ({ entity: device, deletedAt: null }));
  await walk([...there, ...catalog.past("device")], testsOf(filter) + GROUPING_TESTS, (known) => {
    const lifetime = lifetimeOf(known, catalog);
    if (!existsIn(lifetime, range) || !matches(filterFields, filter, lifetime)) return;
    total++;
    if (grouping !== undefined) groups.add(lifetime);
  });
  const overall = { ...NOTHING, total };
  if (grouping === undefined) return { overall, buckets: undefined };
  const buckets = groups.buckets();
  return { overall, buckets: grouping.dimensions.length === 0 ? withEmpty(buckets, question) : buckets };
}

function lifetimeOf({ entity: device, deletedAt }: DeviceEver, catalog: Catalog): Lifetime {
  const { siteId, pointOfInterestId } = device;
  const site = siteId === null ? null : (catalog.get("site", siteId) ?? null);
  const point = pointOfInterestId === null ? null : (catalog.get("pointOfInterest", pointOfInterestId) ?? null);
  return { device, site, point, from: device.createdAt, to: deletedAt };
}

interface DeviceEver {
  readonly entity: Device;
  /** Null while the device exists. */
  readonly deletedAt: number | null;
}

const existsIn = ({ from, to }: Lifetime, range: Range): boolean =>
  from < range.to && (to === null || to >= range.from);

/**
 * A group of devices. `changes` has, for each bucket in which it changes, the difference in the number of devices: a
 * device may exist in very many buckets.
 */
interface Group {
  readonly values: readonly (string | null)[];
  /** The bytes of the values, to sort by. They are converted once, because comparisons are many. */
  readonly bytes: readonly (Buffer | null)[];
  readonly changes: Map<number, number>;
}

function createGroups({ range, grouping, maxBuckets }: SummaryQuestion<DeviceDimension>) {
  const sizeMs = grouping?.sizeMs;
  const begin = sizeMs === undefined ? 0 : firstBucket(range, sizeMs);
  const bucketAt = (ms: number) => (sizeMs === undefined ? 0 : Math.floor((ms - begin) / sizeMs));
  const groups = new Map<string, Group>();

  function add(lifetime: Lifetime): void {
    const values = grouping?.dimensions.map(({ value }) => value(lifetime)) ?? [];
    const key = JSON.stringify(values);
    const { changes } = groups.get(key) ?? setGroup(groups, key, values);
    const change = (bucket: number, by: number) => changes.set(bucket, (changes.get(bucket) ?? 0) + by);
    change(bucketAt(Math.max(lifetime.from, range.from)), 1);
    change(bucketAt(Math.min(lifetime.to ?? range.to - 1, range.to - 1)) + 1, -1);
  }

  function buckets(): Bucket[] {
    const made: Bucket[] = [];
    for (const { values, changes } of [...groups.values()].sort((a, b) => byBytes(a.bytes, b.bytes))) {
      for (const { from, to, total } of stretchesOf(changes)) {
        checkCount(made.length + to - from, maxBuckets);
        for (let bucket = from; bucket < to; bucket++) {
          const time = sizeMs === undefined ? null : begin + bucket * sizeMs;
          made.push({ time, values, tally: { ...NOTHING, total } });
        }
      }
    }
    // Buckets of the same time keep the order of their groups.
    return made.sort((a, b) => (a.time ?? 0) - (b.time ?? 0));
  }

  return { add, buckets };
}

/**
 * Yields the ranges of consecutive buckets with the same number of devices, where there are any. A group may have few
 * devices in a range of very many buckets.
 */
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
