// Adds images and clips to activities, and to events, which are activities under their former name.
import type { ActivityMediaAdded } from "../../../../schemas/chronicles/activity.ts";
import { notFound } from "../../../../schemas/errors.ts";
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
  const ids = new Set<string>();
  for (const member of ["eventIds", "activityChronicleIds"] as const) {
    const wanted = parseIds(named[member] ?? [], [...path, member]);
    if (wanted.length === 0) continue;
    const found = await findChronicles("activityChronicle", wanted, context, deps);
    const missing = wanted.findIndex((id) => !found.has(id));
    if (missing >= 0) {
      const word = member === "eventIds" ? "event" : "activity chronicle";
      throw notFound(word, wanted[missing] ?? "", [...path, member, missing]);
    }
    for (const id of wanted) ids.add(id);
  }
  return async ({ imageIds = [], clips = [] }: Added): Promise<void> => {
    if (ids.size === 0) return;
    const at = deps.now();
    await context.write(
      [...ids].map((id) => ({ type: "ActivityMediaAdded", event: { id, at, imageIds, clips } }) as const),
    );
  };
}
