// The conditions that questions have in common. Each is one member of a filter of the interface.
import type { Asked, Choice, Filter } from "./question.ts";

/** One value is compared, several are listed. */
const oneOf = (values: readonly string[]): object => (values.length === 1 ? { eq: values[0] } : { in: values });

type Source = Exclude<Filter["from"], "text" | readonly Choice[]>;

/** @param path members of the filter that lead to the condition, such as `zoneId`, or `dataSource.id`. */
const listed =
  (key: string, label: string, from: Source) =>
  (path: string): Filter => ({ key, label, from, member: (values) => within(path, oneOf(values)) });

export const cameras = listed("camera", "Camera", "cameras");
export const zones = listed("zone", "Zone", "zones");
export const geofences = listed("geofence", "Geofence", "geofences");
export const tags = listed("tag", "Tag", "tags");
export const sites = listed("site", "Site", "sites");
export const producers = listed("producer", "Producer", "producers");

/** Lists of ids and labels have no `eq` for one of them: `in` matches those that have all values. */
export const having = (filter: Filter, path: string): Filter => ({
  ...filter,
  member: (values) => within(path, { in: values }),
});

export const labels: Filter = {
  key: "label",
  label: "Label",
  from: "text",
  member: (values) => ({ labels: { in: values } }),
};

/** The text is a part of the value, in any case. */
export const contains = (key: string, label: string): Filter => ({
  key,
  label,
  from: "text",
  isSingle: true,
  member: ([value = ""]) => within(key, { like: value }),
});

export const exactly = (key: string, label: string, path = key): Filter => ({
  key,
  label,
  from: "text",
  member: (values) => within(path, oneOf(values)),
});

export const validation = (path = "validation"): Filter => ({
  key: "validation",
  label: "Validation",
  from: [
    { key: "VALID", name: "Valid" },
    { key: "INVALID", name: "Not valid" },
    { key: "none", name: "Not judged" },
  ],
  member: (values) => ({ or: values.map((value) => within(path, judged(value))) }),
});

const judged = (value: string) => (value === "none" ? { attributeExists: false } : { eq: value });

export const finished: Filter = {
  key: "finished",
  label: "Ended",
  from: [
    { key: "yes", name: "Ended" },
    { key: "no", name: "Still seen" },
  ],
  // Both together are every one.
  member: (values) => (new Set(values).size > 1 ? {} : { finished: { eq: values[0] === "yes" } }),
};

/** The filter of the interface for the values that were chosen. */
export function filterOf(filters: readonly Filter[], { values }: Asked, time: object = {}): Record<string, unknown> {
  const members = filters.flatMap((filter) => {
    const chosen = values.get(filter.key) ?? [];
    return chosen.length === 0 ? [] : [filter.member(chosen)];
  });
  return Object.assign({}, time, ...members);
}

function within(path: string, condition: object): object {
  return path.split(".").reduceRight((inner, member) => ({ [member]: inner }), condition);
}
