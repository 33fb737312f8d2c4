import { unavailable } from "../../../schemas/errors.ts";
import { probeAnswer } from "../../../schemas/rest/http.ts";
import { isProbePassed, type ProbePath } from "../../common/process/probes.ts";
import { type Route, route } from "./route.ts";

const answers = { 200: { description: "Yes.", schema: probeAnswer } };

/** The probes of the operator's port, for callers that reach this port only. */
export function healthRoutes(isReady: () => boolean): readonly Route[] {
  const probe = (path: ProbePath, summary: string, description: string, more: Route["answers"] = {}) =>
    route({
      method: "GET",
      path,
      summary,
      description,
      scope: "open",
      answers: { ...answers, ...more },
      handle: () => {
        if (!isProbePassed(path, isReady)) throw unavailable("not ready");
        return { status: 200, body: { status: "ok" } };
      },
    });
  return [
    probe("/health", "Tells whether the service runs", "A process that answers at all runs."),
    probe("/livez", "Tells whether the process is alive", "A process that answers at all is alive."),
    probe("/readyz", "Tells whether the service takes requests", "Load balancers send requests while it does.", {
      503: { description: "The service does not take requests yet, or is stopping." },
    }),
  ];
}
