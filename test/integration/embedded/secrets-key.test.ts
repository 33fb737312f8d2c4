import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../../services/common/config.ts";
import { secretsEnv } from "../../../services/common/sealed.ts";
import { secretsKey } from "../../../services/embedded/secrets-key.ts";
import { tempDir } from "./temp-dir.ts";

test("a data directory has one key, which only its owner can read and the services accept", async () => {
  const dir = await tempDir();

  const key = await secretsKey(dir);

  expect(await secretsKey(dir)).toBe(key);
  expect((await stat(join(dir, "secrets-key"))).mode & 0o777).toBe(0o600);
  expect(loadConfig(secretsEnv, { SECRETS_KEY: key }).SECRETS_KEY).toHaveLength(32);
});
