// Replay sessions: Redis has them, and services/replay runs them.
import { createGuard } from "../../common/outbound/guard.ts";
import { createSealer } from "../../common/sealed.ts";
import type { RestArea, Shared } from "../shared/shared.ts";
import { replayRoutes } from "./routes.ts";
import { createReplaySessions } from "./store.ts";

export function replayArea({ config, namespace, redis }: Shared): RestArea {
  const all = config.STATE_API_MAX_REPLAYS;
  // Without tokens all callers count as one.
  const perToken = config.STATE_API_AUTH === "on" ? config.STATE_API_MAX_REPLAYS_PER_TOKEN : all;
  const limits = { all, perToken };
  const routes = replayRoutes({
    sessions: createReplaySessions(redis(4), namespace, limits),
    guard: createGuard(config, "public"),
    sealer: createSealer(config),
    maxTracks: config.STATE_API_MAX_REPLAY_TRACKS,
    now: Date.now,
  });
  return { routes };
}
