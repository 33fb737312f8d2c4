// The options that choose a part of the log, for all commands.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { ReplaySelection } from "../../../projections/replay/selection.ts";
import { parseDateTime } from "../../../schemas/date-time.ts";

/** Event times in ms; data sources are named by their ids or their names. */
export type AskedSelection =
  | { readonly kind: "tracks"; readonly trackIds: readonly string[] }
  | { readonly kind: "range"; readonly dataSources: readonly string[]; readonly from: number; readonly to: number }
  | { readonly kind: "offsets"; readonly spans: readonly AskedOffsets[] };

interface AskedOffsets {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true, default: [] as string[] } as const;

/** For parseArgs, but for `to`, which a command may use for more. */
export const selectionOptions = {
  "data-source": texts,
  from: text,
  partition: texts,
  offsets: texts,
  tracks: texts,
} as const;

interface SelectionTexts {
  readonly "data-source": readonly string[];
  readonly from?: string | undefined;
  readonly partition: readonly string[];
  readonly offsets: readonly string[];
  readonly tracks: readonly string[];
}

/** @returns true when one of the options is given. */
export const isSelected = (options: SelectionTexts, until: string | undefined): boolean =>
  Object.values(kindsIn(options, until)).some((is) => is);

function kindsIn(options: SelectionTexts, until: string | undefined) {
  const { "data-source": dataSources, from, partition, offsets, tracks } = options;
  return {
    isRange: dataSources.length > 0 || from !== undefined || until !== undefined,
    isOffsets: partition.length > 0 || offsets.length > 0,
    isTracks: tracks.length > 0,
  };
}

/** Throws with a sentence about the fault. */
export function parseSelection(options: SelectionTexts, until: string | undefined): AskedSelection {
  const { "data-source": dataSources, from, partition, offsets, tracks } = options;
  const { isRange, isOffsets, isTracks } = kindsIn(options, until);
  if (Number(isRange) + Number(isOffsets) + Number(isTracks) !== 1) {
    throw new Error("Give one of --data-source, --partition and --tracks");
  }
  if (isRange) return parseRange(dataSources, from, until);
  return isOffsets ? parseOffsets(partition, offsets) : { kind: "tracks", trackIds: idsIn(tracks) };
}

function parseRange(
  dataSources: readonly string[],
  from: string | undefined,
  until: string | undefined,
): AskedSelection {
  if (dataSources.length === 0) throw new Error("Give --data-source with --from and --to");
  if (dataSources.includes("")) throw new Error("--data-source needs a name");
  const range = { from: timeOf("--from", from), to: timeOf("--to", until) };
  if (range.from >= range.to) throw new Error("--from must be before --to");
  return { kind: "range", dataSources: [...new Set(dataSources)], ...range };
}

function timeOf(option: string, given: string | undefined): number {
  const time = given === undefined ? undefined : parseDateTime(given);
  if (time === undefined) throw new Error(`${option} needs an ISO 8601 time with offset, such as 2026-01-01T00:00:00Z`);
  return time;
}

function parseOffsets(partitions: readonly string[], offsets: readonly string[]): AskedSelection {
  if (partitions.length !== offsets.length) throw new Error("Give --offsets with each --partition");
  const spans = partitions.map((partition, at) => {
    const [, first, end] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(offsets[at] ?? "") ?? [];
    if (!/^\d{1,9}$/.test(partition)) throw new Error("--partition needs the number of a partition");
    if (first === undefined || end === undefined) throw new Error("--offsets needs two numbers, such as 1200..1300");
    if (Number(first) >= Number(end)) throw new Error("--offsets A..B leaves B out, so A must be below B");
    return { partition: Number(partition), from: Number(first), to: Number(end) };
  });
  return { kind: "offsets", spans };
}

function idsIn(given: readonly string[]): readonly string[] {
  const ids = new Set(given.flatMap((each) => each.split(",")).map((id) => id.trim()));
  if (ids.has("")) throw new Error("--tracks needs ids, separated by commas");
  return [...ids];
}

export interface SelectableParts {
  readonly catalog: Catalog;
  /** Partitions of the camera-log. */
  readonly partitions: number;
  /** Data sources that may be named by their ids although the catalog does not have them. */
  readonly dataSourceIds?: ReadonlySet<string>;
}

/** A data source is found by its id, or else by its name. Throws with a sentence when a part does not exist. */
export function selectionIn(asked: AskedSelection, parts: SelectableParts): ReplaySelection {
  if (asked.kind === "tracks") return asked;
  if (asked.kind === "offsets") {
    const absent = asked.spans.find(({ partition }) => partition >= parts.partitions);
    if (absent === undefined) return asked;
    throw new Error(`The camera-log has no partition ${absent.partition}: it has ${parts.partitions}.`);
  }
  const { dataSources, from, to } = asked;
  return { kind: "range", from, to, dataSourceIds: dataSources.map((given) => sourceIdOf(given, parts)) };
}

function sourceIdOf(given: string, { catalog, dataSourceIds }: SelectableParts): string {
  if (catalog.get("dataSource", given) !== undefined || dataSourceIds?.has(given) === true) return given;
  const named = [...catalog.all("dataSource")].filter(({ name }) => name === given);
  const [found, ...more] = named;
  if (found === undefined) throw new Error(`There is no data source with the id or the name ${given}.`);
  if (more.length > 0) throw new Error(`Several data sources are named ${given}: give the id of one.`);
  return found.id;
}
