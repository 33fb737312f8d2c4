// Questions that are answered by a summary: numbers by time and by group.

import { bucketSize, NO_BUCKETS } from "./bucket-size.ts";
import { durationMs } from "./duration.ts";
import { filterOf } from "./filters.ts";
import type { AnswerPage, Asked, Choice, Column, CountedBucket, Filter, Period, Question } from "./question.ts";
import { instant } from "./times-of.ts";

/** A file of kinds/ has this for a count. */
export interface CountKind extends Pick<Question, "id" | "name" | "about"> {
  /** Field of Query, the type of its filter, and its argument for buckets with its type. */
  readonly field: string;
  readonly filterType: string;
  readonly bucketArgument: string;
  readonly bucketType: string;
  readonly filters: readonly Filter[];
  /** Whether the filter of the interface has "not"; it has by default. */
  readonly canExclude?: boolean;
  readonly groups: readonly GroupKind[];
  /** Whether what it counts lasts, so that the answer says how many began and ended, and how long they took. */
  readonly counts: "instants" | "tracks" | "periods";
}

interface GroupKind extends Choice {
  /** Value of the enumeration of fields. */
  readonly field: string;
  /** Selection in the key of a bucket. */
  readonly selection: string;
  /** The name that people read. */
  readonly of: (key: BucketKey) => string | null | undefined;
  /** Distinguishes groups of the same name. By default the name is the id. */
  readonly idOf?: (key: BucketKey) => string | undefined;
}

/** The key of a bucket has the members that were selected. */
export interface BucketKey {
  readonly time?: string | null;
  readonly [member: string]: unknown;
}

interface Tallied {
  readonly key: BucketKey;
  readonly total: number;
  readonly startedCount?: number;
  readonly endedCount?: number;
  readonly summaryStatistics?: { readonly duration: { readonly average: string; readonly max: string } | null };
}

interface SummaryAnswer {
  readonly total: number;
  readonly buckets: readonly Tallied[] | null;
}

const BEGAN_AND_ENDED = " startedCount endedCount";
const STATISTICS = " summaryStatistics { duration { average max } }";
export const NO_GROUP: Choice = { key: "", name: "Nothing" };

export function countQuestion(kind: CountKind): Question {
  const { field, filterType, bucketArgument, bucketType, counts } = kind;
  const groupOf = ({ by }: Asked) => kind.groups.find(({ key }) => key === by);
  const sizeOf = ({ size }: Asked, period: Period) => bucketSize(size, period);

  function documentFor(group: GroupKind | undefined, size: string): string {
    const key = `${size === "" ? "" : " time"}${group === undefined ? "" : ` ${group.selection}`}`;
    const numbers = `total${counts === "instants" ? "" : BEGAN_AND_ENDED}${counts === "periods" ? STATISTICS : ""}`;
    const buckets = key === "" ? "" : `\n    buckets { key {${key} } ${numbers} }`;
    return `query ($startTime: DateTimeOffset!, $endTime: DateTimeOffset!, $filter: ${filterType}, $bucket: ${bucketType}) {
  ${field}(startTime: $startTime, endTime: $endTime, filter: $filter, ${bucketArgument}: $bucket) {
    ${numbers}${buckets}
  }
}`;
  }

  return {
    ...kind,
    form: "count",
    time: "bounded",
    sorts: [],
    canExclude: kind.canExclude ?? true,
    relations: () => [],
    groups: [NO_GROUP, ...kind.groups],
    columns: (asked) => columnsOf(counts, groupOf(asked), asked.size),
    operation(asked, period) {
      const [group, size] = [groupOf(asked), sizeOf(asked, period)];
      const bucket = {
        ...(size === "" ? {} : { size }),
        ...(group === undefined ? {} : { fields: [group.field] }),
      };
      const hasBuckets = Object.keys(bucket).length > 0;
      const { from, to } = period ?? { from: 0, to: 0 };
      return {
        document: documentFor(group, size),
        variables: {
          startTime: instant(from),
          endTime: instant(to),
          filter: filterOf(kind.filters, asked),
          bucket: hasBuckets ? bucket : null,
        },
      };
    },
    read: (data, asked) => readSummary(kind, groupOf(asked), (data as SummaryData)[field], asked),
  };
}

/** The document asks for exactly these members. */
type SummaryData = Readonly<Record<string, SummaryAnswer>>;

function readSummary(
  { counts }: CountKind,
  group: GroupKind | undefined,
  answer: SummaryAnswer | undefined,
  { size }: Asked,
): AnswerPage {
  // Without buckets, everything together is the one row.
  const tallied = answer === undefined ? [] : (answer.buckets ?? [{ ...answer, key: {} }]);
  const nameOf = ({ key }: Tallied) => (group === undefined ? "all" : (group.of(key) ?? "none"));
  const idOf = ({ key }: Tallied) => group?.idOf?.(key) ?? group?.of(key) ?? "";
  return {
    total: answer?.total ?? 0,
    buckets: tallied.map((each): CountedBucket => {
      const { time } = each.key;
      return { time: time == null ? null : Date.parse(time), key: idOf(each), group: nameOf(each), total: each.total };
    }),
    rows: tallied.map((each) => ({
      id: `${each.key.time} ${idOf(each)}`,
      links: [],
      cells: [
        ...(size === NO_BUCKETS ? [] : [each.key.time ?? null]),
        ...(group === undefined ? [] : [nameOf(each)]),
        each.total,
        ...(counts === "instants" ? [] : [each.startedCount ?? 0, each.endedCount ?? 0]),
        ...(counts === "periods" ? lengthsOf(each) : []),
      ],
    })),
  };
}

const lengthsOf = ({ summaryStatistics }: Tallied): (number | null)[] => {
  const { average = null, max = null } = summaryStatistics?.duration ?? {};
  return [average, max].map((text) => (text === null ? null : durationMs(text)));
};

function columnsOf(counts: CountKind["counts"], group: GroupKind | undefined, size: string): readonly Column[] {
  return [
    ...(size === NO_BUCKETS ? [] : [{ name: "From", kind: "time" } as const]),
    ...(group === undefined ? [] : [{ name: group.name, kind: "text" } as const]),
    { name: "Count", kind: "number" },
    ...(counts === "instants"
      ? []
      : [{ name: "Began", kind: "number" } as const, { name: "Ended", kind: "number" } as const]),
    ...(counts === "periods"
      ? [{ name: "Average length", kind: "length" } as const, { name: "Longest", kind: "length" } as const]
      : []),
  ];
}
