// Adds images and clips to activities, and to events, which are activities under their former name.
import type { Chronicle } from "../../../../projections/chronicles/define-chronicle.ts";
import { appended, keyOfClip } from "../../../../projections/chronicles/evolve.ts";
import type { ActivityMediaAdded } from "../../../../schemas/chronicles/activity.ts";
import { badInput, notFound } from "../../../../schemas/errors.ts";
import { limits } from "../../../../schemas/limits.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { Path } from "../../write/said.ts";
import { findChronicles } from "./find.ts";
import { parseIds } from "./inputs.ts";

/** Members of an input. */
interface Named {
  readonly eventIds?: readonly string[] | null | undefined;
  readonly activityChronicleIds?: readonly string[] | null | undefined;
}

type Added = Partial<Pick<ActivityMediaAdded, "imageIds" | "clips">>;

/**
 * Checks that all of them exist before anything is made: throws NOT_FOUND with the path of the first that does not. The
 * returned function adds to each of them. Two callers at the same time lose nothing of each other.
 */
export async function activitiesNamed(named: Named, path: Path, context: ApiContext, deps: MutationDeps) {
  const activities = new Map<string, { readonly activity: Chronicle<"activityChronicle">; readonly path: Path }>();
  for (const member of ["eventIds", "activityChronicleIds"] as const) {
    const wanted = parseIds(named[member] ?? [], [...path, member]);
    if (wanted.length === 0) continue;
    const found = await findChronicles("activityChronicle", wanted, context, deps);
    const missing = wanted.findIndex((id) => !found.has(id));
    if (missing >= 0) {
      const word = member === "eventIds" ? "event" : "activity chronicle";
      throw notFound(word, wanted[missing] ?? "", [...path, member, missing]);
    }
    for (const [id, activity] of found) activities.set(id, { activity, path: [...path, member] });
  }
  return async ({ imageIds = [], clips = [] }: Added): Promise<void> => {
    if (activities.size === 0) return;
    const added = { imageIds, clips };
    for (const each of activities.values()) checkRoom(each.activity, added, each.path);
    const at = deps.now();
    await context.write(
      [...activities.keys()].map((id) => ({ type: "ActivityMediaAdded", event: { id, at, ...added } }) as const),
    );
  };
}

/** Throws BAD_USER_INPUT when the activity would have more of them than an input may give it. What it has needs no room. */
export function checkRoom(
  { id, ...has }: Pick<Chronicle<"activityChronicle">, "id" | "imageIds" | "clips">,
  { imageIds, clips }: Required<Added>,
  path: Path,
): void {
  const all = [appended(has.imageIds, imageIds, (each) => each), appended(has.clips, clips, keyOfClip)];
  if (all.every(({ length }) => length <= limits.maxTexts)) return;
  throw badInput(`${id} would have more than ${limits.maxTexts} images, or clips`, path);
}
