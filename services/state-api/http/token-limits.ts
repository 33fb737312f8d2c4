// The limits of each token at this instance.
import { type Callers, createCallers } from "../../common/fairness/callers.ts";
import type { Log } from "../../common/log.ts";

export type RestLimits = Callers<"requests" | "bytes", never>;

/** The settings of the service that limit a token. */
export interface RestLimitSettings {
  readonly STATE_API_AUTH: "on" | "off";
  readonly STATE_API_TOKEN_REQUESTS_PER_S: number;
  readonly STATE_API_TOKEN_BYTES_PER_S: number;
}

const SETTINGS: Readonly<Record<string, string>> = {
  requests: "STATE_API_TOKEN_REQUESTS_PER_S",
  bytes: "STATE_API_TOKEN_BYTES_PER_S",
};

/** @returns undefined without authentication: all callers are one then. */
export function createRestLimits(config: RestLimitSettings, log: Log): RestLimits | undefined {
  if (config.STATE_API_AUTH === "off") return undefined;
  return createCallers<"requests" | "bytes", never>({
    limits: {
      perS: { requests: config.STATE_API_TOKEN_REQUESTS_PER_S, bytes: config.STATE_API_TOKEN_BYTES_PER_S },
      inProgress: {},
    },
    settingOf: (name) => `${SETTINGS[name]}`,
    log,
    now: () => performance.now(),
  });
}
