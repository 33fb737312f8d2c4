// Checks an event of the topic chronicles. The API checks its input in the same way.
import { checkId } from "../check-texts.ts";
import { checkStoredTime } from "../check-times.ts";
import { checkMetadata } from "../checks.ts";
import { type Flaw, flaw, under } from "../flaw.ts";
import type { Clip } from "./activity.ts";
import type { ChronicleEvents, ChronicleFields, ChronicleKind, ChronicleType } from "./kinds.ts";

type Required<Fields> = { [F in keyof Fields]: null extends Fields[F] ? never : F }[keyof Fields];
type RequiredFields = { readonly [K in ChronicleKind]: readonly Required<ChronicleFields[K]>[] };

const required: RequiredFields = {
  activityChronicle: ["name", "chronicleProducerId", "startTime"],
  eventChronicle: ["name", "chronicleProducerId", "timestamp"],
  summaryChronicle: ["name", "chronicleProducerId", "startTime", "endTime"],
};

type Chronicled = { [T in ChronicleType]: { readonly type: T; readonly event: ChronicleEvents[T] } }[ChronicleType];

export function checkChronicle({ type, event }: Chronicled): Flaw | undefined {
  const found = under("id", checkId(event.id));
  if (found !== undefined) return found;
  switch (type) {
    case "ActivityMediaAdded":
      return checkClips(event.clips);
    case "ActivityChronicleChanged":
      return checkChange(event, required.activityChronicle) ?? checkClips(event.set.clips ?? []);
    case "EventChronicleChanged":
      return checkChange(event, required.eventChronicle);
    case "SummaryChronicleChanged":
      return checkChange(event, required.summaryChronicle);
    default:
      return type satisfies never;
  }
}

interface AnyChange {
  readonly change: "created" | "updated" | "deleted";
  readonly set: object;
  readonly cleared: readonly string[];
}

const times = ["startTime", "endTime", "timestamp"];

function checkChange({ change, set, cleared }: AnyChange, fields: readonly string[]): Flaw | undefined {
  for (const name of fields) {
    if (cleared.includes(name)) return flaw(`${name} may not be missing`, "cleared");
    if (change === "created" && Reflect.get(set, name) === null) return under("set", flaw("missing", name));
  }
  for (const name of times) {
    const ms: unknown = Reflect.get(set, name);
    const found = typeof ms === "number" ? checkStoredTime(ms) : undefined;
    if (found !== undefined) return under("set", under(name, found));
  }
  const metadata: unknown = Reflect.get(set, "metadata");
  return typeof metadata === "string" ? under("set", under("metadata", checkMetadata(metadata))) : undefined;
}

function checkClips(clips: readonly Clip[]): Flaw | undefined {
  for (const { startTime, endTime } of clips) {
    const found = checkStoredTime(startTime) ?? checkStoredTime(endTime);
    if (found !== undefined) return under("clips", found);
  }
  return undefined;
}
