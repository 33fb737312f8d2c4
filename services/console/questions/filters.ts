// The conditions that questions have in common. Each is one member of a filter of the interface.
import { areaCondition, areaFault } from "./area.ts";
import type { ChoiceKind } from "./choice-kinds.ts";
import { joinedFilter } from "./joined-filter.ts";
import type { Asked, Filter } from "./question.ts";

/** One value is compared, several are listed. */
const oneOf = (values: readonly string[]): object => (values.length === 1 ? { eq: values[0] } : { in: values });

/** @param path members of the filter that lead to the condition, such as `zoneId`, or `dataSource.id`. */
const listed =
  (key: string, label: string, from: ChoiceKind) =>
  (path: string): Filter => ({ key, label, from, member: (values) => within(path, oneOf(values)) });

export const cameras = listed("camera", "Camera", "cameras");
export const zones = listed("zone", "Zone", "zones");
export const geofences = listed("geofence", "Geofence", "geofences");
export const tags = listed("tag", "Tag", "tags");
export const tagIds = listed("tagId", "Tag", "tagIds");
export const sites = listed("site", "Site", "sites");
export const places = listed("place", "Point of interest", "places");
export const producers = listed("producer", "Producer", "producers");
export const activityIds = listed("activity", "Activity", "activities");
export const eventIds = listed("event", "Event", "events");

/** Lists of ids and labels have no `eq` for one of them: `in` matches those that have all values. */
export const having = (filter: Filter, path: string): Filter => ({
  ...filter,
  member: (values) => within(path, { in: values }),
});

/** A condition that few questions need. */
export const rare = (filter: Filter): Filter => ({ ...filter, isRare: true });

const words =
  (key: string, label: string) =>
  (path: string): Filter => ({ key, label, from: "text", member: (values) => within(path, { in: values }) });

export const labels = words("label", "Label")("labels");
export const locations = rare(words("location", "Location")("locations"));
export const cameraLabels = words("cameraLabel", "Camera's label");

/** The text is a part of the value, in any case. */
export const contains = (key: string, label: string, path = key): Filter => ({
  key,
  label,
  from: "text",
  isSingle: true,
  member: ([value = ""]) => within(path, { like: value }),
});

export const exactly = (key: string, label: string, path = key): Filter => ({
  key,
  label,
  from: "text",
  member: (values) => within(path, oneOf(values)),
});

export const timezone = rare({ ...exactly("timezone", "Time zone"), hint: "Such as Europe/Amsterdam" });

export const cameraType = (path: string): Filter => ({
  key: "cameraType",
  label: "Camera's type",
  from: [
    { key: "VIDEO_DEVICE", name: "Video" },
    { key: "IMAGE_DEVICE", name: "Images" },
    { key: "GEOPOSITION", name: "Positions" },
    { key: "FOLDER", name: "Stored media" },
  ],
  isRare: true,
  member: (values) => within(path, oneOf(values)),
});

/** @param label names what must be in the area. */
export const positions = (label: string, path = "position"): Filter => ({
  key: "area",
  label,
  from: "text",
  hint: "Longitude, latitude, metres; or a polygon as GeoJSON",
  isRare: true,
  isSingle: true,
  fault: areaFault,
  member: ([value = ""]) => within(path, areaCondition(value)),
});

/** A text at a path of the metadata, written as `path.to.it=text`. */
export const metadata: Filter = {
  key: "metadata",
  label: "Metadata",
  from: "text",
  hint: "Path=text, such as vehicle.colour=red",
  isRare: true,
  fault: (value) => (/^[^=]+=/.test(value) ? undefined : "A path, =, and the text that is there."),
  member: (values) => ({
    and: values.map((value) => {
      const [path = "", ...text] = value.split("=");
      return { metadata: { path: path.split("."), filter: { eq: text.join("=") } } };
    }),
  }),
};

/** Both together are every one. */
const yesOrNo = (key: string, label: string, yes: string, no: string): Filter => ({
  key,
  label,
  from: [
    { key: "yes", name: yes },
    { key: "no", name: no },
  ],
  member: (values) => (new Set(values).size > 1 ? {} : { [key]: { eq: values[0] === "yes" } }),
});

export const finished = yesOrNo("finished", "Ended", "Ended", "Still seen");
export const draft = rare(yesOrNo("draft", "Draft", "A draft", "No draft"));

export const validation = (path = "validation"): Filter => ({
  key: "validation",
  label: "Validation",
  from: [
    { key: "VALID", name: "Valid" },
    { key: "INVALID", name: "Not valid" },
    { key: "none", name: "Not reviewed" },
  ],
  member: (values) => ({ or: values.map((value) => within(path, reviewed(value))) }),
});

const reviewed = (value: string) => (value === "none" ? { attributeExists: false } : { eq: value });

/**
 * The filter of the interface for the values that were chosen.
 * @param required members that it, and each filter within it, must have.
 */
export function filterOf(
  filters: readonly Filter[],
  { values, without }: Pick<Asked, "values" | "without">,
  time: object = {},
  required: object = {},
): Record<string, unknown> {
  const members = filters.flatMap((filter) => {
    const chosen = values.get(filter.key) ?? [];
    if (chosen.length === 0) return [];
    return [without.has(filter.key) ? noneOf(filter, chosen, required) : filter.member(chosen)];
  });
  return joinedFilter([{ ...required, ...time }, ...members], required);
}

/** A list of ids or labels has all values of its condition, so each value is excluded by itself. */
function noneOf({ member }: Filter, values: readonly string[], required: object): object {
  const each = values.map((value) => ({ ...required, ...member([value]) }));
  return { not: each.length === 1 ? each[0] : { ...required, or: each } };
}

function within(path: string, condition: object): object {
  return path.split(".").reduceRight((inner, member) => ({ [member]: inner }), condition);
}
