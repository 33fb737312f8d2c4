// Makes values for any input of the schema from its types alone: a field that is added to the schema later is covered
// without a change.
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";

export const FROM = "2026-01-01T12:00:00.000Z";
export const TO = "2026-01-01T13:00:00.000Z";

/** Texts that no object of a scene holds: wildcards and quotes, control characters, odd Unicode, one of 10 kB. */
export const STRANGE_TEXTS: readonly string[] = [
  "%_\\ \\% '; DROP TABLE tracks_v1; -- `\"$1 {x:String}",
  "\u0000\u0001\u001f\u007f\r\n\t",
  "\ud800 \u202e\u200b 日本語 🚶‍♀️ Å İıſßΣς ﬀ",
  "x".repeat(10_000),
];

/** Objects of the scene in docs/queries.md, so that more is checked of an input than whether they exist. */
const KNOWN: Readonly<Record<string, string>> = {
  dataSourceId: "quay-camera",
  deviceId: "quay-device",
  siteId: "harbour",
  pointOfInterestId: "quay",
  trackId: "walk-1",
  zoneId: "gangway",
  geofenceId: "berth-2",
  activityChronicleId: "late-visit",
  eventChronicleId: "gate-opened",
  summaryChronicleId: "new-year",
  sensorId: "tide",
  chronicleProducerId: "quay-watch",
  eventProducerId: "quay-watch",
};

const samples: Readonly<Record<string, unknown>> = {
  ID: "none",
  String: "none",
  Int: 1,
  Float: 1.5,
  Boolean: true,
  JSON: { some: ["json"] },
  DateTimeOffset: FROM,
  DateTimeDuration: "PT1M",
};

const strange: Readonly<Record<string, readonly unknown[]>> = {
  ID: ["", ...STRANGE_TEXTS],
  String: ["", ...STRANGE_TEXTS],
  Int: [0, -1, 2_147_483_647, -2_147_483_648],
  Float: [0, -0.5, 1e308, -1e308, 5e-324],
  Boolean: [false],
  JSON: [null, 0, "", [], {}, { "": { "": null } }, STRANGE_TEXTS, nestedArray(100)],
  DateTimeOffset: ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "1969-12-31T23:59:59-18:00", "", "now"],
  DateTimeDuration: ["PT0S", "P9999Y", "-PT1S", "", "soon"],
};

/** A value that fits the type, with the required members only. */
export function sampleOf(type: GraphQLInputType, name = ""): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, name);
  if (isListType(type)) return type.toString().includes("DateTimeOffset") ? [FROM, TO] : coordinatesOr(type);
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) return sampleObject(type);
  return KNOWN[name] ?? samples[type.name];
}

/** Strange values of the type, each by itself. Within objects one member at a time, beside those that are required. */
export function strangeValuesOf(type: GraphQLInputType, depth = 4): unknown[] {
  if (isNonNullType(type)) return strangeValuesOf(type.ofType, depth).filter((value) => value !== null);
  if (isListType(type)) {
    const inner = strangeValuesOf(type.ofType, depth);
    return [null, [], ...inner.map((value) => [value]), inner.filter((value) => value !== null)];
  }
  if (isEnumType(type)) return [null, ...type.getValues().map(({ name }) => name)];
  if (!isInputObjectType(type)) return [null, ...(strange[type.name] ?? [])];
  if (depth === 0) return [];
  return Object.values(type.getFields())
    .filter(({ name }) => !LOGIC.has(name))
    .flatMap((field) =>
      strangeValuesOf(field.type, depth - 1).map((value) => ({
        ...(type.isOneOf ? {} : sampleObject(type)),
        [field.name]: value,
      })),
    );
}

export const LOGIC: ReadonlySet<string> = new Set(["and", "or", "not"]);

/** Required members only. A filter of times is between two, because an empty one does not bound anything. */
export function sampleObject(type: GraphQLInputObjectType): Record<string, unknown> {
  if (type.name === "FilterDateTimeOffsetInput") return { between: [FROM, TO] };
  const fields = Object.values(type.getFields());
  const needed = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
  const [, kind = ""] = /^Update(\w+)Input$/.exec(type.name) ?? [];
  const nameOf = (member: string) => (member === "id" ? `${kind.charAt(0).toLowerCase()}${kind.slice(1)}Id` : member);
  return Object.fromEntries(needed.map(({ name, type: inner }) => [name, sampleOf(inner, nameOf(name))]));
}

/** A ring for polygons, a point else. */
function coordinatesOr(type: GraphQLInputType): unknown {
  const square = [
    [0, 0],
    [0.001, 0],
    [0.001, 0.001],
    [0, 0.001],
    [0, 0],
  ];
  const depth = type.toString().split("[").length - 1;
  if (!type.toString().includes("Float")) return [];
  return depth === 1 ? [4.3, 52.1] : depth === 3 ? [square] : [[square]];
}

function nestedArray(depth: number): unknown {
  return depth === 0 ? [] : [nestedArray(depth - 1)];
}
