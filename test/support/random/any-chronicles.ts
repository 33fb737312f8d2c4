// Random events about chronicles.
import type { ChronicleField } from "../../../projections/chronicles/define-chronicle.ts";
import { type AnyChronicleDescription, chronicleFieldsOf } from "../../../projections/chronicles/define-chronicle.ts";
import type { ChronicleEvent } from "../../../projections/chronicles/evolve.ts";
import type { AnyChanged } from "../../../schemas/catalog/changed.ts";
import type { Clip } from "../../../schemas/chronicles/activity.ts";
import { pick, type Random } from "../../integration/history/world.ts";
import { anyPosition } from "./any-objects.ts";
import { any, chance } from "./any-values.ts";

const some = <T>(random: Random, values: readonly T[]): T[] => [
  ...new Set(Array.from({ length: Math.floor(random() * 4) }, () => pick(random, values))),
];

const anyClip = (random: Random): Clip => {
  const startTime = any.time(random);
  return { dataSourceId: pick(random, any.sources), startTime, endTime: startTime + 1_000 };
};

const idsOf: Readonly<Record<string, readonly string[]>> = {
  dataSourceIds: any.sources,
  activityChronicleIds: any.ids,
  eventChronicleIds: any.ids,
};

const values: { readonly [T in ChronicleField["type"]]: (random: Random, name: string) => unknown } = {
  name: (random) => pick(random, any.words),
  text: (random) => pick(random, any.words),
  id: (random) => pick(random, any.sources),
  timezone: (random) => pick(random, any.words),
  json: () => '{"a":[1,{"b":"x"}]}',
  texts: (random) => some(random, any.labels),
  ids: (random, name) => some(random, idsOf[name] ?? any.labels),
  time: any.time,
  flag: (random) => chance(random, 0.5),
  point: anyPosition,
  validation: (random) => ({ status: pick(random, any.judgements), reason: "because", details: null }),
  clips: (random) => {
    const clips = Array.from({ length: 2 }, () => anyClip(random));
    return chance(random, 0.3) ? [...clips, ...clips] : clips;
  },
};

const typeOf = ({ kind }: AnyChronicleDescription) => `${kind[0]?.toUpperCase()}${kind.slice(1)}Changed`;

/** The description of the kind decides the fields of the event, so that type and event belong together. */
const eventOf = (description: AnyChronicleDescription, event: AnyChanged): ChronicleEvent =>
  ({ type: typeOf(description), event }) as ChronicleEvent;

export function anyCreation(random: Random, description: AnyChronicleDescription, id: string): ChronicleEvent {
  const set = chronicleFieldsOf(description).map(([name, { type, nullable }]) => [
    name,
    nullable && chance(random, 0.3) ? null : values[type](random, name),
  ]);
  const event: AnyChanged = { id, at: any.time(random), change: "created", set: Object.fromEntries(set), cleared: [] };
  return eventOf(description, event);
}

/** An update, a deletion, a repeated creation, or media that are added. */
export function anyChange(random: Random, description: AnyChronicleDescription, id: string): ChronicleEvent {
  const at = any.time(random);
  const roll = random();
  if (roll < 0.1) return anyCreation(random, description, id);
  if (roll < 0.4 && description.kind === "activityChronicle") {
    const clips = chance(random, 0.5) ? [anyClip(random), anyClip(random)] : [];
    return { type: "ActivityMediaAdded", event: { id, at, imageIds: some(random, any.ids), clips } };
  }
  const fields = chronicleFieldsOf(description);
  const nothing = Object.fromEntries(fields.map(([name]) => [name, null]));
  if (roll > 0.97) return eventOf(description, { id, at, change: "deleted", set: nothing, cleared: [] });
  const set = { ...nothing };
  const cleared: string[] = [];
  for (const [name, { type, nullable }] of fields) {
    if (chance(random, 0.2)) set[name] = values[type](random, name) as never;
    else if (nullable && chance(random, 0.1)) cleared.push(name);
  }
  return eventOf(description, { id, at, change: "updated", set, cleared });
}
