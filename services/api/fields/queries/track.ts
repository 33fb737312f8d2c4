import { trackById, trackWindow } from "../../../../projections/history/queries/tracks.ts";
import type { ApiContext } from "../../graphql/context.ts";

interface Args {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly timestamp?: number | null;
}

/** Finds a track within 24 hours of `timestamp`; without it, only one that was active less than 24 hours ago. */
export async function track(_root: unknown, { id, timestamp }: Args, context: ApiContext) {
  await context.historyReached();
  return (await trackById(context.history.client, id, trackWindow(timestamp, Date.now()))) ?? null;
}
