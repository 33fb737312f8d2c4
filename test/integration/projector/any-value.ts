// Random values of the types that columns have: usual ones, the ends of ranges, and what only JSON makes harmless.
import { chance } from "../../support/random/any-values.ts";
import { pick, type Random } from "../history/world.ts";

const TEXTS = [
  "",
  "person",
  "a\n\nb\n",
  "\u0000",
  'it\'s \\ "quoted"',
  "żółw 🐢",
  "\u{10FFFF}",
  "x".repeat(42),
  "x".repeat(43),
  "x".repeat(127),
  "x".repeat(128),
  "ü".repeat(42),
  "€".repeat(64),
  "z".repeat(16_383),
  "z".repeat(16_384),
  JSON.stringify({ text: "\n".repeat(30_000) }),
];

const FLOATS = [
  0,
  -0,
  1,
  -1.5,
  0.1 + 0.2,
  1 / 3,
  5e-324,
  Number.MIN_VALUE * 3,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  2 ** 53 + 2,
  1e21,
  1e-7,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

/** Years 0 and 9999, the bounds of ClickHouse's calendar, and few months between: each is a partition. */
const TIMES = [
  -62_167_219_200_000,
  Date.UTC(1899, 11, 31, 23, 59, 59, 999),
  Date.UTC(1900, 0, 1),
  -1,
  0,
  1,
  Date.UTC(2026, 0, 1),
  Date.UTC(2026, 1, 28, 23, 59, 59, 999),
  Date.UTC(2299, 11, 31, 23, 59, 59, 999),
  253_402_300_799_999,
];

/** Some are out of range for smaller types, and wrap around. */
const COUNTS = [0, 1, 127, 255, 256, 65_535, 70_000, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 52, Number.MAX_SAFE_INTEGER];

const WHOLES = [...COUNTS, -1, -2_147_483_648, -Number.MAX_SAFE_INTEGER];

/** Hours of few months. */
const HOURS = [-17_259_888, -1, 0, 438_287, 438_288, 490_896, 1_139_568, 70_389_527];

const list = <Item>(random: Random, item: () => Item): Item[] => Array.from({ length: Math.floor(random() * 5) }, item);

export function anyValue(type: string, random: Random): unknown {
  if (chance(random, 0.1)) return null;
  const [, outer = type, inner = ""] = /^(\w+)\((.*)\)$/.exec(type) ?? [];
  const parts = inner.split(/, (?![^(]*\))/);
  const any = (part: string | undefined) => anyValue(part ?? "", random);
  switch (outer) {
    case "String":
      return chance(random, 0.5) ? `${random()}` : pick(random, TEXTS);
    case "Float64":
      return chance(random, 0.5) ? (random() - 0.5) * 10 ** pick(random, [-300, -3, 0, 5, 300]) : pick(random, FLOATS);
    case "DateTime64":
      return pick(random, TIMES);
    case "Bool":
      return chance(random, 0.5);
    case "Int32":
      return pick(random, HOURS);
    case "Int64":
      return pick(random, WHOLES);
    case "UInt8":
    case "UInt16":
    case "UInt32":
    case "UInt64":
      return pick(random, COUNTS);
    case "LowCardinality":
    case "Nullable":
      return any(inner);
    case "SimpleAggregateFunction":
      return any(inner.slice(inner.indexOf(", ") + 2));
    case "Array":
      return list(random, () => any(inner));
    case "Tuple":
      return parts.map(any);
    case "Map":
      return Object.fromEntries(list(random, () => [pick(random, [...TEXTS.slice(0, 6), "7"]), any(parts[1])]));
    default:
      throw new Error(`no values of ${type}`);
  }
}
