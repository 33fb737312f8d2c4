import { unavailable } from "../../../schemas/errors.ts";
import { probeAnswer } from "../../../schemas/rest/http.ts";
import { isProbePassed, type ProbePath } from "../../common/process/probes.ts";
import { type Route, route } from "./route.ts";

const answers = { 200: { description: "Yes", schema: probeAnswer } };

/** The probes of the operator's port, for callers that reach this port only. */
export function healthRoutes(isReady: () => boolean): readonly Route[] {
  const probe = (path: ProbePath, summary: string, more: Route["answers"] = {}) =>
    route({
      method: "GET",
      path,
      summary,
      scope: "open",
      answers: { ...answers, ...more },
      handle: () => {
        if (!isProbePassed(path, isReady)) throw unavailable("not ready");
        return { status: 200, body: { status: "ok" } };
      },
    });
  return [
    probe("/health", "Whether the service runs"),
    probe("/livez", "Whether the process is alive"),
    probe("/readyz", "Whether the service takes requests", { 503: { description: "Not yet, or not any more" } }),
  ];
}
