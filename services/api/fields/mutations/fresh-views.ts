// Mutations check their references in this instance's views, but another instance may have written since. So the views
// first reach the position that the caller has seen, and the end of the log before anything is reported missing or is
// deleted.
import { AppError } from "../../../../schemas/errors.ts";
import type { ApiContext } from "../../graphql/context.ts";

export type MutationResolver = (root: unknown, args: never, context: ApiContext, ...more: never[]) => unknown;

/** A NOT_FOUND of these mutations concerns a track. No view has tracks, so fresher views would not help. */
const OF_TRACKS: ReadonlySet<string> = new Set(["updateTrack", "createDetection", "createDetections"]);

export function byFreshViews(
  name: string,
  resolve: MutationResolver,
  viewsComplete: () => Promise<void>,
): MutationResolver {
  const isOfTracks = OF_TRACKS.has(name);
  const isDeletion = name.startsWith("delete");
  const asksForZones = /Zone$|Chronicle/.test(name);
  return async (root, args, context, ...more) => {
    if (context.minPosition.length > 0) {
      await context.catalogReached();
      if (asksForZones) await context.zonesReached();
    }
    if (isDeletion) await viewsComplete();
    const written = context.positions.length;
    try {
      return await resolve(root, args, context, ...more);
    } catch (error) {
      const isMissing = error instanceof AppError && error.code === "NOT_FOUND";
      if (isOfTracks || isDeletion || !isMissing || context.positions.length > written) throw error;
    }
    await viewsComplete();
    return resolve(root, args, context, ...more);
  };
}
