import { z } from "zod";
import { type Route, route } from "../http/route.ts";

const health = z.object({ status: z.string().meta({ description: "ok when running" }) });

export const healthRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/health",
    summary: "Whether the service runs",
    scope: "open",
    answers: { 200: { description: "It runs", schema: health } },
    handle: () => ({ status: 200, body: { status: "ok" } }),
  }),
];
