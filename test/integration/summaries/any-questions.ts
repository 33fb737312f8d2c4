// Random questions and filters, and the meaning of the filters written a second time.
import { tagOf } from "../../../projections/catalog/tag.ts";
import type { Dimension } from "../../../projections/summaries/dimensions.ts";
import type { Strategy, SummaryQuestion } from "../../../projections/summaries/shape.ts";
import type {
  FilterDataSourceInput,
  FilterIdInput as FilterIDInput,
  FilterSiteInput,
  FilterTagInput,
} from "../../../schemas/graphql/inputs.ts";
import { every, lower, text, when } from "../history/matches.ts";
import { pick, type Random, START, sources, tags, zones } from "../history/world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SIZES = [MINUTE_MS, 10 * MINUTE_MS, 12 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, DAY_MS];

export interface AnyQuestion {
  readonly question: SummaryQuestion<Dimension>;
  readonly names: readonly string[];
}

/** Ranges around the scene's three days, whose ends often are a border of buckets. */
export function anyQuestion(random: Random, dimensions: Readonly<Record<string, Dimension>>): AnyQuestion {
  const strategy = pick<Strategy>(random, ["ACTIVE", "ACTIVE", "STARTED", "ENDED"]);
  const sizeMs = random() < 0.6 ? pick(random, SIZES) : undefined;
  const unit = pick(random, [1, MINUTE_MS, HOUR_MS]);
  const from = Math.floor((START - DAY_MS + random() * 4 * DAY_MS) / unit) * unit;
  const longest = sizeMs === undefined || sizeMs >= HOUR_MS ? 5 * DAY_MS : sizeMs === MINUTE_MS ? 2 * HOUR_MS : DAY_MS;
  const to = from + Math.max(1, Math.floor((random() * longest) / unit) * unit);
  const names = Object.keys(dimensions).filter(() => random() < 0.4);
  const chosen = names.flatMap((name) => dimensions[name] ?? []);
  const grouping = random() < 0.1 ? undefined : { sizeMs, dimensions: chosen };
  return { question: { range: { from, to }, strategy, grouping, maxBuckets: 20_000 }, names };
}

const maybe = <T extends object>(random: Random, share: number, member: () => T): T | undefined =>
  random() < share ? member() : undefined;

export const anyId =
  (values: readonly string[]) =>
  (random: Random): FilterIDInput => ({
    ...maybe(random, 0.4, () => ({ eq: pick(random, values) })),
    ...maybe(random, 0.3, () => ({ ne: pick(random, values) })),
    ...maybe(random, 0.4, () => ({ in: values.filter(() => random() < 0.5) })),
  });

const tagIds = [...tags, "unknown"].map((name) => tagOf(name).id);
export const anyTagId = anyId(tagIds);
export const anySourceId = anyId([...sources, "unknown"]);
export const anyZoneId = anyId(zones);

/** `not`, and lists of others, around what `own` makes. */
export function nested<Filter extends object>(random: Random, own: (random: Random) => Filter, depth = 2): Filter {
  const inner = () => nested(random, own, depth - 1);
  const list = () => Array.from({ length: Math.floor(random() * 3) }, inner);
  if (depth === 0) return own(random);
  return {
    ...own(random),
    ...maybe(random, 0.15, () => ({ and: list() })),
    ...maybe(random, 0.2, () => ({ or: [inner(), ...list()] })),
    ...maybe(random, 0.2, () => ({ not: inner() })),
  };
}

export const anyTagFilter = (random: Random): FilterTagInput =>
  nested<FilterTagInput>(
    random,
    () => ({
      ...maybe(random, 0.3, () => ({ id: anyTagId(random) })),
      ...maybe(random, 0.4, () => ({
        name: pick(random, [{ eq: "PERSON" }, { ne: "car" }, { like: "A" }, { in: ["CAR", "50%_off"] }]),
      })),
    }),
    1,
  );

export const anySourceFilter = (random: Random): FilterDataSourceInput =>
  nested<FilterDataSourceInput>(
    random,
    () => ({
      ...maybe(random, 0.4, () => ({ id: anySourceId(random) })),
      ...maybe(random, 0.3, () => ({ name: pick(random, [{ eq: "DS-A" }, { ne: "DS-A" }, { like: "ds-" }]) })),
    }),
    1,
  );

export const anySiteFilter = (random: Random): FilterSiteInput =>
  nested<FilterSiteInput>(
    random,
    () => ({
      ...maybe(random, 0.4, () => ({ id: anyId(["site-1", "site-2", "unknown"])(random) })),
      ...maybe(random, 0.3, () => ({ name: pick(random, [{ like: "name" }, { eq: "Name of site-1" }]) })),
    }),
    1,
  );

const siteOf = (dataSourceId: string) =>
  dataSourceId === "ds-a" ? "site-1" : dataSourceId === "ds-b" ? "site-2" : null;

/** Only ds-a and ds-b are in the catalog. */
export const placeOf = (dataSourceId: string) => ({
  source: siteOf(dataSourceId) === null ? null : dataSourceId,
  site: siteOf(dataSourceId),
  point: dataSourceId === "ds-a" ? "point-1" : null,
});

export function tagPasses(tag: string, filter: FilterTagInput): boolean {
  const name = lower(tag);
  const id = tagOf(name).id;
  const passes = (each: FilterTagInput): boolean =>
    every(
      each,
      [when(each.id, (given) => text(id, given)), when(each.name, (given) => text(name, given, lower))],
      passes,
    );
  return name !== "" && passes(filter);
}

export function sourcePasses(dataSourceId: string, filter: FilterDataSourceInput): boolean {
  const { source } = placeOf(dataSourceId);
  const passes = (each: FilterDataSourceInput): boolean =>
    every(
      each,
      [
        when(each.id, (given) => text(source, given)),
        when(each.name, (given) => text(source?.toUpperCase() ?? "", given)),
      ],
      passes,
    );
  return source !== null && passes(filter);
}

export function sitePasses(dataSourceId: string, filter: FilterSiteInput): boolean {
  const { site } = placeOf(dataSourceId);
  const passes = (each: FilterSiteInput): boolean =>
    every(
      each,
      [when(each.id, (given) => text(site, given)), when(each.name, (given) => text(`Name of ${site}`, given))],
      passes,
    );
  return site !== null && passes(filter);
}
