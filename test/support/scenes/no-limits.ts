// Limits that no test meets.
import { tokenLimitsEnv } from "../../../services/api/limits/config.ts";
import { createHistorySlots, createTokenLimits } from "../../../services/api/limits/token-limits.ts";
import { createLog } from "../../../services/common/log.ts";

const config = tokenLimitsEnv.parse({});

export const noTokenLimits = createTokenLimits({ ...config, API_AUTH: false }, createLog("test", "silent"));
export const wideSlots = createHistorySlots(config, noTokenLimits);
