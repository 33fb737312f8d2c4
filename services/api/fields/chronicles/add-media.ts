// Adds images and clips to activities, and to events, which are activities under their former name.
import type { Chronicle } from "../../../../projections/chronicles/define-chronicle.ts";
import { appended, keyOfClip } from "../../../../projections/chronicles/evolve.ts";
import type { ActivityMediaAdded } from "../../../../schemas/chronicles/activity.ts";
import { badInput, type InputPath, notFound } from "../../../../schemas/errors.ts";
import { limits } from "../../../../schemas/limits.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { findChronicles } from "./find.ts";
import { parseIds } from "./inputs.ts";

/** Members of an input that name activities. */
interface Named {
  readonly eventIds?: readonly string[] | null | undefined;
  readonly activityChronicleIds?: readonly string[] | null | undefined;
}

type Added = Partial<Pick<ActivityMediaAdded, "imageIds" | "clips">>;

/**
 * Checks that all named activities exist before anything is created. Throws NOT_FOUND with the path of the first
 * missing one. The returned function adds media to each activity, and keeps the additions of simultaneous callers.
 */
export async function activitiesNamed(named: Named, path: InputPath, context: ApiContext, deps: MutationDeps) {
  const activities = new Map<string, { readonly activity: Chronicle<"activityChronicle">; readonly path: InputPath }>();
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
    for (const each of activities.values()) checkMediaQuota(each.activity, added, each.path);
    const at = deps.now();
    await context.write(
      [...activities.keys()].map((id) => ({ type: "ActivityMediaAdded", event: { id, at, ...added } }) as const),
    );
  };
}

/**
 * Throws BAD_USER_INPUT when the activity would then have more images, or clips, than an input may contain. Media that
 * it already has are not counted twice.
 */
export function checkMediaQuota(
  { id, ...has }: Pick<Chronicle<"activityChronicle">, "id" | "imageIds" | "clips">,
  { imageIds, clips }: Required<Added>,
  path: InputPath,
): void {
  const all = [appended(has.imageIds, imageIds, (each) => each), appended(has.clips, clips, keyOfClip)];
  if (all.every(({ length }) => length <= limits.maxTexts)) return;
  throw badInput(`${id} would have more than ${limits.maxTexts} images, or clips`, path);
}
