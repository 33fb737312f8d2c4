// Decides which signal a change of an activity chronicle causes, and which subscriptions get it.
import { hash } from "node:crypto";
import type { ChronicleSignal, SubscriptionFilters } from "../../../../schemas/records/subscription.ts";

/**
 * The fields that are requested from the GraphQL API. They include no signed link: a link differs in each answer, so
 * every answer would seem to be a change.
 */
export const CHRONICLE_FIELDS = `
  id name description startTime endTime timezone metadata priority status labels locations createdAt updatedAt
  position { type coordinates }
  chronicleProducer { id name }
  validation { status reason details }
  images { id timestamp }
  dataSourceClips { dataSource { id } startTime endTime displayName }
  tracks { id tag }
  sites { id name }
  dataSources { id name }
  tags { id name }
  pointsOfInterest { id name }`;

interface Referred {
  readonly id: string;
}

/** The members that filters use. Receivers get the whole object. */
export interface ShownChronicle extends Referred {
  readonly updatedAt: string;
  readonly endTime: string | null;
  readonly status: string | null;
  readonly priority: string | null;
  readonly labels: readonly string[] | null;
  readonly locations: readonly string[] | null;
  readonly chronicleProducer: Referred;
  readonly sites: readonly Referred[] | null;
  readonly dataSources: readonly Referred[] | null;
  readonly tags: readonly Referred[] | null;
  readonly pointsOfInterest: readonly Referred[] | null;
}

/** The part of a chronicle that is stored, so that its next change is recognised. */
export interface SeenChronicle {
  readonly hash: string;
  readonly isOpen: boolean;
}

export interface ChronicleNews {
  readonly signal: ChronicleSignal;
  readonly seen: SeenChronicle;
}

/**
 * `json` is the whole object.
 * @returns undefined when the object has not changed since it was last seen.
 */
export function newsOf(
  before: SeenChronicle | undefined,
  chronicle: ShownChronicle,
  json: string,
): ChronicleNews | undefined {
  const seen = { hash: hash("sha256", json, "base64url"), isOpen: chronicle.endTime === null };
  if (before?.hash === seen.hash) return undefined;
  if (!seen.isOpen && before?.isOpen !== false) return { signal: "chronicle_closed", seen };
  return { signal: before === undefined ? "chronicle_created" : "chronicle_updated", seen };
}

const idsOf = (list: readonly Referred[] | null): readonly string[] => list?.map(({ id }) => id) ?? [];
const orNone = (value: string | null): readonly string[] => (value === null ? [] : [value]);

type Values = (chronicle: ShownChronicle) => readonly string[];
type ChronicleFilter = Exclude<keyof SubscriptionFilters, "zoneIds" | "tags">;

/** The values of a chronicle for each filter. The filter passes when it contains one of them. */
const valuesOf: Readonly<Record<ChronicleFilter, Values>> = {
  chronicleIds: ({ id }) => [id],
  producerIds: ({ chronicleProducer }) => [chronicleProducer.id],
  dataSourceIds: ({ dataSources }) => idsOf(dataSources),
  siteIds: ({ sites }) => idsOf(sites),
  tagIds: ({ tags }) => idsOf(tags),
  pointOfInterestIds: ({ pointsOfInterest }) => idsOf(pointsOfInterest),
  labels: ({ labels }) => labels ?? [],
  locations: ({ locations }) => locations ?? [],
  statuses: ({ status }) => orNone(status),
  priorities: ({ priority }) => orNone(priority),
};

const WITHOUT_CASE: ReadonlySet<string> = new Set(["labels", "locations", "statuses", "priorities"]);

const lower = (text: string): string => text.toLowerCase();
const same = (text: string): string => text;
const foldOf = (name: ChronicleFilter) => (WITHOUT_CASE.has(name) ? lower : same);

type Wanted = ReadonlyMap<ChronicleFilter, ReadonlySet<string>>;

const wantedByAll = new WeakMap<SubscriptionFilters, Wanted>();

/**
 * The filters that are not empty. They are cached, because each change of a chronicle is matched with thousands of
 * subscriptions.
 */
function wantedBy(filters: SubscriptionFilters): Wanted {
  const known = wantedByAll.get(filters);
  if (known !== undefined) return known;
  const names = Object.keys(valuesOf) as ChronicleFilter[];
  const wanted = new Map(
    names.filter((name) => filters[name].length > 0).map((name) => [name, new Set(filters[name].map(foldOf(name)))]),
  );
  wantedByAll.set(filters, wanted);
  return wanted;
}

/** A chronicle matches when it has one of the values of each filter that is not empty. */
export const matchesChronicle = (filters: SubscriptionFilters, chronicle: ShownChronicle): boolean =>
  [...wantedBy(filters)].every(([name, wanted]) => {
    const fold = foldOf(name);
    return valuesOf[name](chronicle).some((value) => wanted.has(fold(value)));
  });
