// How the values of each type of field are kept in the tables of chronicles: what a row says, behind its rank, and the
// columns of the view from which the value is read.
import type { Clip } from "../../schemas/chronicles/activity.ts";
import type { ChronicleValidation } from "../../schemas/chronicles/fields.ts";
import type { GeoPosition } from "../../schemas/events.ts";
import type { ChronicleField, ChronicleFieldType } from "../chronicles/define-chronicle.ts";
import type { WireRow } from "./table.ts";

interface Kept<Value> {
  /** What follows the rank; null = the field is cleared. */
  readonly said: (value: Value | null) => readonly unknown[];
  /** In a row that says nothing of the field. A field that may not be missing has no null there. */
  readonly unsaid: (nullable: boolean) => readonly unknown[];
  /** To be selected of the view. */
  readonly select: (column: string) => readonly string[];
  readonly read: (row: WireRow, column: string) => unknown;
}

// The casts are safe: we wrote these values, and their types are in the migrations.
const single = <Value>(none: Value): Kept<Value> => ({
  said: (value) => [value],
  unsaid: (nullable) => [nullable ? null : none],
  select: (column) => [column],
  read: (row, column) => row[column],
});

const text = single("");

const time: Kept<number> = {
  ...single(0),
  // The alias must not be the column's name: conditions would then mean the number.
  select: (column) => [`toUnixTimestamp64Milli(${column}) AS ${column}_ms`],
  read: (row, column) => (row[`${column}_ms`] === null ? null : Number(row[`${column}_ms`])),
};

const listOf = <Entry, Wire>(
  toWire: (entry: Entry) => Wire,
  fromWire: (wire: Wire) => Entry,
): Kept<readonly Entry[]> => ({
  said: (value) => [value !== null, (value ?? []).map(toWire)],
  unsaid: () => [false, []],
  select: (column) => [column, `${column}_given`],
  read: (row, column) => (row[`${column}_given`] === true ? (row[column] as Wire[]).map(fromWire) : null),
});

const asItIs = (value: string): string => value;
const texts = listOf<string, string>(asItIs, asItIs);

const clips = listOf<Clip, readonly [string, number, number]>(
  ({ dataSourceId, startTime, endTime }) => [dataSourceId, startTime, endTime],
  ([dataSourceId, startTime, endTime]) => ({
    dataSourceId,
    startTime: Number(startTime),
    endTime: Number(endTime),
  }),
);

const point: Kept<GeoPosition> = {
  said: (value) => [value?.longitude ?? null, value?.latitude ?? null, value?.altitude ?? null, value?.crs ?? null],
  unsaid: () => [null, null, null, null],
  select: () => ["longitude", "latitude", "altitude", "position_crs"],
  read: ({ longitude, latitude, altitude, position_crs }) =>
    longitude === null ? null : ({ longitude, latitude, altitude, crs: position_crs } as GeoPosition),
};

const validation: Kept<ChronicleValidation> = {
  said: (value) => [value?.status ?? null, value?.reason ?? null, value?.details ?? null],
  unsaid: () => [null, null, null],
  select: () => ["validation_status", "validation_reason", "validation_details"],
  read: ({ validation_status, validation_reason, validation_details }) =>
    validation_status === null
      ? null
      : ({ status: validation_status, reason: validation_reason, details: validation_details } as ChronicleValidation),
};

/** The types of the values are those of the descriptions: the compiler does not see them here. */
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

export const saidOf = ({ type }: ChronicleField, value: unknown): readonly unknown[] => kept[type].said(value as never);

export const unsaidOf = ({ type, nullable }: ChronicleField): readonly unknown[] => kept[type].unsaid(nullable);

export const selectOf = (name: string, { type }: ChronicleField): readonly string[] =>
  kept[type].select(columnOf(name));

export const readOf = (name: string, { type }: ChronicleField, row: WireRow): unknown =>
  kept[type].read(row, columnOf(name));

/** `startTime` is start_time. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The key of an id or clip among those that were added to a list. */
export const keyOf = (field: ChronicleField, entry: unknown): string => {
  const [, [only] = []] = saidOf(field, [entry]) as [boolean, unknown[]];
  return typeof only === "string" ? only : JSON.stringify(only);
};
