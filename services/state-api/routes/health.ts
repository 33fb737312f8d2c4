import { z } from "zod";
import { unavailable } from "../../../schemas/errors.ts";
import { type Route, route } from "../http/route.ts";

const status = z.object({ status: z.string().meta({ description: "ok when running" }) });
const answers = { 200: { description: "Yes", schema: status } };
const RETRY_AFTER_MS = 1_000;

/** The probes of the operations port, for those who reach this port only. */
export const healthRoutes = (isReady: () => boolean): readonly Route[] => [
  route({
    ...{ method: "GET", path: "/health", summary: "Whether the service runs", scope: "open", answers },
    handle: () => ({ status: 200, body: { status: "ok" } }),
  }),
  route({
    ...{ method: "GET", path: "/livez", summary: "Whether the process is alive", scope: "open", answers },
    handle: () => ({ status: 200, body: { status: "ok" } }),
  }),
  route({
    ...{ method: "GET", path: "/readyz", summary: "Whether the service takes requests", scope: "open" },
    answers: { ...answers, 503: { description: "Not yet, or not any more" } },
    handle: () => {
      if (!isReady()) throw unavailable("not ready", RETRY_AFTER_MS);
      return { status: 200, body: { status: "ok" } };
    },
  }),
];
