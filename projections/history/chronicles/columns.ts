// Decides for each type of field how the tables of chronicles store its values: the members of a tuple after its rank,
// and the columns of the view from which a value is read.
import type { Clip } from "../../../schemas/chronicles/activity.ts";
import type { ChronicleValidation } from "../../../schemas/chronicles/fields.ts";
import type { GeoPosition } from "../../../schemas/events.ts";
import type { ChronicleField, ChronicleFieldType } from "../../chronicles/define-chronicle.ts";
import type { WireRow } from "../table.ts";

interface Kept<Value> {
  /** The members after the rank. Null clears the field. */
  readonly stored: (value: Value | null) => readonly unknown[];
  /** The members in a row that does not set the field. They are never null for a required field. */
  readonly absent: (nullable: boolean) => readonly unknown[];
  /** The columns to select from the view. */
  readonly select: (column: string) => readonly string[];
  readonly read: (row: WireRow, column: string) => unknown;
}

// The casts are safe: the projector wrote these values, and their types are in the migrations.
const single = <Value>(none: Value): Kept<Value> => ({
  stored: (value) => [value],
  absent: (nullable) => [nullable ? null : none],
  select: (column) => [column],
  read: (row, column) => row[column],
});

const text = single("");

const time: Kept<number> = {
  ...single(0),
  // The alias must differ from the column's name; otherwise conditions would refer to the number.
  select: (column) => [`toUnixTimestamp64Milli(${column}) AS ${column}_ms`],
  read: (row, column) => (row[`${column}_ms`] === null ? null : Number(row[`${column}_ms`])),
};

const listOf = <Entry, Wire>(
  toWire: (entry: Entry) => Wire,
  fromWire: (wire: Wire) => Entry,
): Kept<readonly Entry[]> => ({
  stored: (value) => [value !== null, (value ?? []).map(toWire)],
  absent: () => [false, []],
  select: (column) => [column, `${column}_given`],
  read: (row, column) => (row[`${column}_given`] === true ? (row[column] as Wire[]).map(fromWire) : null),
});

const identity = (value: string): string => value;
const texts = listOf<string, string>(identity, identity);

const clips = listOf<Clip, readonly [string, number, number]>(
  ({ dataSourceId, startTime, endTime }) => [dataSourceId, startTime, endTime],
  ([dataSourceId, startTime, endTime]) => ({
    dataSourceId,
    startTime: Number(startTime),
    endTime: Number(endTime),
  }),
);

const point: Kept<GeoPosition> = {
  stored: (value) => [value?.longitude ?? null, value?.latitude ?? null, value?.altitude ?? null, value?.crs ?? null],
  absent: () => [null, null, null, null],
  select: () => ["longitude", "latitude", "altitude", "position_crs"],
  read: ({ longitude, latitude, altitude, position_crs }) =>
    longitude === null ? null : ({ longitude, latitude, altitude, crs: position_crs } as GeoPosition),
};

const validation: Kept<ChronicleValidation> = {
  stored: (value) => [value?.status ?? null, value?.reason ?? null, value?.details ?? null],
  absent: () => [null, null, null],
  select: () => ["validation_status", "validation_reason", "validation_details"],
  read: ({ validation_status, validation_reason, validation_details }) =>
    validation_status === null
      ? null
      : ({ status: validation_status, reason: validation_reason, details: validation_details } as ChronicleValidation),
};

/** Each value has the type that its field's description names; the compiler cannot check this here. */
const kept: { readonly [T in ChronicleFieldType]: Kept<never> } = {
  name: text,
  text,
  id: text,
  timezone: text,
  json: text,
  texts,
  ids: texts,
  time,
  flag: single(false),
  point,
  validation,
  clips,
};

export const storedValuesOf = ({ type }: ChronicleField, value: unknown): readonly unknown[] =>
  kept[type].stored(value as never);

export const absentValuesOf = ({ type, nullable }: ChronicleField): readonly unknown[] => kept[type].absent(nullable);

export const selectOf = (name: string, { type }: ChronicleField): readonly string[] =>
  kept[type].select(columnOf(name));

export const readOf = (name: string, { type }: ChronicleField, row: WireRow): unknown =>
  kept[type].read(row, columnOf(name));

/** The column of a field, for example start_time for `startTime`. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the key of an id or clip in the map of a list's added entries. */
export const entryKeyOf = (field: ChronicleField, entry: unknown): string => {
  const [, [only] = []] = storedValuesOf(field, [entry]) as [boolean, unknown[]];
  return typeof only === "string" ? only : JSON.stringify(only);
};
