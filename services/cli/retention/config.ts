import { z } from "zod";
import { clickhouseEnv } from "../../common/config.ts";

export const retentionEnv = z.object({ ...clickhouseEnv.shape });
