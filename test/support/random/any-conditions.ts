// Random conditions, and filters made of them.
import type {
  FilterBooleanInput,
  FilterDateTimeOffsetInput,
  FilterIDInput,
  FilterIDListInput,
  FilterPointInput,
  FilterStringInput,
  FilterTimeRangeInput,
  FilterTrackPropertyInput,
  TimeRangeInput,
} from "../../../schemas/filters.ts";
import type {
  FilterChronicleValidationStatusInput,
  FilterDeviceMessageStateInput,
  FilterMessageStateInput,
} from "../../../schemas/graphql/inputs.ts";
import { pick, type Random } from "../../integration/history/world.ts";
import { square } from "../scenes/zone.ts";
import { any } from "./any-values.ts";

type Logic = "and" | "or" | "not";
type Makers<Filter> = {
  readonly [Name in Exclude<keyof Filter, Logic>]-?: (random: Random) => NonNullable<Filter[Name]>;
};

/** Up to three of the members, now and then null. */
function some<Filter extends object>(random: Random, makers: Makers<Filter>): Filter {
  const members: Record<string, unknown> = {};
  const names = Object.keys(makers) as Exclude<keyof Filter & string, Logic>[];
  for (let left = Math.floor(random() * 2.6); left > 0; left--) {
    const name = pick(random, names);
    members[name] = random() < 0.05 ? null : makers[name](random);
  }
  return members as Filter;
}

export function filterOf<Filter extends object>(makers: Makers<Filter>): (random: Random, depth?: number) => Filter {
  const make = (random: Random, depth = 2): Filter => {
    const filter = some(random, makers);
    if (depth === 0 || random() < 0.5) return filter;
    const inner = () => Array.from({ length: Math.floor(random() * 3.5) }, () => make(random, depth - 1));
    return {
      ...filter,
      ...(random() < 0.3 ? { and: inner() } : {}),
      ...(random() < 0.5 ? { or: inner() } : {}),
      ...(random() < 0.4 ? { not: make(random, depth - 1) } : {}),
    };
  };
  return make;
}

const maybe = <T extends object>(random: Random, share: number, member: () => T): T | undefined =>
  random() < share ? member() : undefined;

const listOf = <T>(random: Random, entry: () => T): T[] => Array.from({ length: Math.floor(random() * 4) }, entry);

export const id =
  (values: readonly string[]) =>
  (random: Random): FilterIDInput => {
    const one = () => pick(random, values);
    return {
      ...maybe(random, 0.3, () => ({ eq: one() })),
      ...maybe(random, 0.4, () => ({ ne: one() })),
      ...maybe(random, 0.4, () => ({ in: listOf(random, one) })),
    };
  };

export const text =
  (values: readonly string[]) =>
  (random: Random): FilterStringInput => ({
    ...id(values)(random),
    ...maybe(random, 0.3, () => ({ like: pick(random, any.parts) })),
    ...maybe(random, 0.15, () => ({ attributeExists: random() < 0.5 })),
  });

export const list =
  (values: readonly string[]) =>
  (random: Random): FilterIDListInput => ({
    ...maybe(random, 0.5, () => ({ eq: listOf(random, () => pick(random, values)) })),
    ...maybe(random, 0.5, () => ({ in: listOf(random, () => pick(random, values)) })),
  });

export const boolean = (random: Random): FilterBooleanInput => ({
  ...maybe(random, 0.5, () => ({ eq: random() < 0.5 })),
  ...maybe(random, 0.3, () => ({ ne: random() < 0.5 })),
  ...maybe(random, 0.2, () => ({ attributeExists: random() < 0.5 })),
});

export const time = (random: Random): FilterDateTimeOffsetInput => ({
  ...maybe(random, 0.2, () => ({ eq: any.time(random) })),
  ...maybe(random, 0.7, () => ({ between: [any.time(random), any.time(random)] })),
  ...maybe(random, 0.15, () => ({ attributeExists: random() < 0.5 })),
});

const range = (random: Random): TimeRangeInput => ({
  ...maybe(random, 0.8, () => ({ start: any.time(random) })),
  ...maybe(random, 0.8, () => ({ end: any.time(random) })),
});

export const timeRange = (random: Random): FilterTimeRangeInput =>
  pick<FilterTimeRangeInput>(random, [
    { containing: range(random) },
    { containedBy: range(random) },
    { intersecting: range(random) },
    { startingWithin: range(random) },
    { endingWithin: range(random) },
    { containingInstant: any.time(random) },
    { before: any.time(random) },
    { after: any.time(random) },
  ]);

/** No border goes through a position: metres are rounded. */
export const position = (random: Random): FilterPointInput => {
  const corner = () => Math.floor(random() * 8) / 100 + 0.005;
  const [x, y] = [corner(), corner()];
  return {
    ...maybe(random, 0.3, () => ({
      in: { type: "Polygon", coordinates: [square(0.07, x, y), square(0.03, x + 0.02, y + 0.02)] },
    })),
    ...maybe(random, 0.4, () => ({
      near: { point: { type: "Point", coordinates: [x, y] }, radius: any.radius(random) },
    })),
    ...maybe(random, 0.3, () => ({ attributeExists: random() < 0.5 })),
  };
};

export const property = (random: Random): FilterTrackPropertyInput => ({
  ...maybe(random, 0.6, () => ({ type: text(any.types)(random) })),
  ...maybe(random, 0.6, () => ({ value: text(any.words)(random) })),
});

export const state = (random: Random): FilterMessageStateInput => ({
  ...maybe(random, 0.4, () => ({ eq: pick(random, any.states) })),
  ...maybe(random, 0.3, () => ({ ne: pick(random, any.states) })),
  ...maybe(random, 0.4, () => ({ in: listOf(random, () => pick(random, any.states)) })),
});

export const validation = (random: Random): FilterChronicleValidationStatusInput => ({
  ...maybe(random, 0.4, () => ({ eq: pick(random, any.judgements) })),
  ...maybe(random, 0.3, () => ({ ne: pick(random, any.judgements) })),
  ...maybe(random, 0.4, () => ({ in: listOf(random, () => pick(random, any.judgements)) })),
  ...maybe(random, 0.2, () => ({ attributeExists: random() < 0.5 })),
});

export const deviceState = (random: Random): FilterDeviceMessageStateInput => ({
  ...maybe(random, 0.4, () => ({ eq: pick(random, any.deviceStates) })),
  ...maybe(random, 0.3, () => ({ ne: pick(random, any.deviceStates) })),
  ...maybe(random, 0.4, () => ({ in: listOf(random, () => pick(random, any.deviceStates)) })),
});
