// A question as the query of an address, and back, so that a link reproduces it.
import { questionOf } from "./kinds.ts";
import type { Asked, AskedTime, Question } from "./question.ts";
import { DEFAULT_TIME, instant, isTime, PRESETS } from "./times-of.ts";

/** Servers refuse a request whose headers have more than 16 KiB (431), and the address is one part of them. */
export const LONGEST_ADDRESS = 14_000;

/** Wrong or unknown parts of an address are left out: a link of another version still asks something. */
export function askedOf(query: URLSearchParams): Asked {
  const question = questionOf(query.get("of") ?? "");
  const time = timeFor(question, timeOf(query));
  const relation = query.get("relation");
  const excluded = query.getAll("not");
  const values = question.filters.flatMap(({ key, isSingle = false, fault }) => {
    // The question would have the opposite of what the link says.
    if (excluded.includes(key) && !isExcludable(question, key)) return [];
    const given = query.getAll(key).filter((value) => value !== "" && fault?.(value) === undefined);
    return given.length === 0 ? [] : [[key, isSingle ? given.slice(0, 1) : given] as const];
  });
  const sort = query.get("sort") ?? "";
  const isSort = question.sorts.some(({ key }) => key === sort.replace(/^-/, ""));
  const by = query.get("by");
  return {
    of: question.id,
    time,
    relation: question.relations(time).find(({ key }) => key === relation)?.key ?? defaultRelation(question, time),
    values: new Map(values),
    without: new Set(excluded.filter((key) => isExcludable(question, key))),
    sort: isSort ? sort : defaultSort(question),
    by: by !== null && question.groups.some(({ key }) => key === by) ? by : defaultGroup(question),
    size: query.get("size") ?? "",
    view: query.get("view") ?? "",
  };
}

/** Defaults are left out. */
export function addressOf(asked: Asked): string {
  const question = questionOf(asked.of);
  const query = new URLSearchParams({ of: asked.of });
  for (const [key, value] of timeEntries(asked.time)) query.set(key, value);
  if (asked.relation !== "" && asked.relation !== defaultRelation(question, asked.time))
    query.set("relation", asked.relation);
  for (const [key, values] of asked.values) for (const value of values) query.append(key, value);
  for (const key of asked.without) if (asked.values.has(key)) query.append("not", key);
  if (asked.sort !== defaultSort(question)) query.set("sort", asked.sort);
  if (asked.by !== defaultGroup(question)) query.set("by", asked.by);
  if (asked.size !== "") query.set("size", asked.size);
  if (asked.view !== "") query.set("view", asked.view);
  return `/ask?${query}`;
}

/** A condition with a few fixed values needs no exclusion: the others are chosen. */
export const isExcludable = ({ canExclude, filters }: Question, asked: string): boolean =>
  canExclude && filters.some(({ key, from }) => key === asked && typeof from === "string");

/** The newest things come first. */
const defaultSort = ({ sorts: [first] }: Question): string => (first === undefined ? "" : `-${first.key}`);

const defaultRelation = (question: Question, time: AskedTime): string => question.relations(time)[0]?.key ?? "";

/** The first group is none. */
const defaultGroup = ({ groups: [, second] }: Question): string => second?.key ?? "";

function timeOf(query: URLSearchParams): AskedTime {
  const at = timestamp(query.get("at"));
  if (at !== undefined) return { kind: "moment", at };
  const [from, to] = [timestamp(query.get("from")), timestamp(query.get("to"))];
  if (from !== undefined && to !== undefined && from <= to) return { kind: "range", from, to };
  if (query.get("last") === "always") return { kind: "always" };
  const last = query.get("last") ?? "";
  return PRESETS.some(({ key }) => key === last) ? { kind: "last", last } : DEFAULT_TIME;
}

const AROUND_MS = 30_000;

/** The same time as far as the question can say it: instants have no moment, and a count needs two ends. */
export function timeFor({ time }: Question, asked: AskedTime): AskedTime {
  if (asked.kind === "moment" && time !== "periods")
    return { kind: "range", from: asked.at - AROUND_MS, to: asked.at + AROUND_MS };
  if (asked.kind === "always" && time === "bounded") return { kind: "last", last: "30d" };
  return asked;
}

function timeEntries(time: AskedTime): readonly (readonly [string, string])[] {
  switch (time.kind) {
    case "last":
      return [["last", time.last]];
    case "range":
      return [
        ["from", instant(time.from)],
        ["to", instant(time.to)],
      ];
    case "moment":
      return [["at", instant(time.at)]];
    case "always":
      return [["last", "always"]];
    default:
      return time satisfies never;
  }
}

/** Also reads milliseconds since the epoch, which other pages may write. A time that no clock shows is left out. */
function timestamp(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  return isTime(ms) ? ms : undefined;
}
