import { stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { loadConfig } from "../../../services/common/config.ts";
import { secretsEnv } from "../../../services/common/sealed.ts";
import { ensureSecretsKey, secretsKeyFile } from "../../../services/embedded/secrets-key.ts";
import { tempDir } from "./temp-dir.ts";

test("a data directory has one key, which only its owner can read and the services accept", async () => {
  const dir = await tempDir();

  const file = secretsKeyFile(dir);

  await ensureSecretsKey(dir);
  const { SECRETS_KEY } = loadConfig(secretsEnv, { SECRETS_KEY_FILE: file });
  await ensureSecretsKey(dir);

  expect(loadConfig(secretsEnv, { SECRETS_KEY_FILE: file }).SECRETS_KEY).toEqual(SECRETS_KEY);
  expect(SECRETS_KEY).toHaveLength(32);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
