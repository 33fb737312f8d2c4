import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { ConfigError, loadConfig } from "../../../../services/common/config.ts";
import { createSealer, SealError, secretsEnv } from "../../../../services/common/sealed.ts";

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const sealerOf = (key: Buffer, ...old: readonly Buffer[]) =>
  createSealer({ SECRETS_KEY: key, SECRETS_OLD_KEYS: [...old] });

test("a sealed text opens where it belongs, and shows nothing of the secret", () => {
  const sealer = sealerOf(newKey);
  const secret = "whsec_ümlaut and more";

  const sealed = sealer.seal(secret, "subscription a");

  expect(sealer.open(sealed, "subscription a")).toBe(secret);
  expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
  expect(sealer.seal(secret, "subscription a")).not.toBe(sealed);
  expect(() => sealer.open(sealed, "subscription b")).toThrow(SealError);
});

test("a text of which any character was changed does not open", () => {
  const sealer = sealerOf(newKey);
  const sealed = sealer.seal("secret", "a");

  for (const [i, character] of [...sealed].entries()) {
    // The last character of base64 has bits that no byte uses, so another one may mean the same.
    if (i === sealed.length - 1) continue;
    const changed = `${sealed.slice(0, i)}${character === "A" ? "B" : "A"}${sealed.slice(i + 1)}`;
    expect(() => sealer.open(changed, "a"), changed).toThrow(SealError);
  }
});

test.each(["", "v1", "v1..", "v1.00000000.", "v2.00000000.AAAA", "v1.00000000.AAAA.AAAA", "plain text"])(
  "%j is not a sealed text",
  (text) => {
    expect(() => sealerOf(newKey).open(text, "a")).toThrow(SealError);
  },
);

test("a text cut to its tag or shorter does not open", () => {
  const sealer = sealerOf(newKey);
  const sealed = sealer.seal("", "a");

  expect(sealer.open(sealed, "a")).toBe("");
  for (let end = 0; end < sealed.length - 1; end++) {
    expect(() => sealer.open(sealed.slice(0, end), "a")).toThrow(SealError);
  }
});

test("an old key opens what it sealed, and only while it is given", () => {
  const sealed = sealerOf(oldKey).seal("secret", "a");
  const rotated = sealerOf(newKey, oldKey);

  expect(rotated.open(sealed, "a")).toBe("secret");
  expect(rotated.isCurrent(sealed)).toBe(false);
  expect(rotated.isCurrent(rotated.seal("secret", "a"))).toBe(true);
  expect(() => sealerOf(newKey).open(sealed, "a")).toThrow("SECRETS_OLD_KEYS");
});

test("keys come as hex or base64, old ones separated by commas", () => {
  const env = {
    SECRETS_KEY: newKey.toString("base64"),
    SECRETS_OLD_KEYS: `${oldKey.toString("hex")}, ${newKey.toString("base64url")}`,
  };

  expect(loadConfig(secretsEnv, env)).toEqual({ SECRETS_KEY: newKey, SECRETS_OLD_KEYS: [oldKey, newKey] });
});

test.each([
  ["none", {}, "SECRETS_KEY is not set: it wants a key of 32 bytes in base64 or hex"],
  ["a short one", { SECRETS_KEY: "abcdef" }, "SECRETS_KEY wants a key of 32 bytes in base64 or hex"],
  ["a long one", { SECRETS_KEY: randomBytes(33).toString("hex") }, "SECRETS_KEY wants a key of 32 bytes"],
  [
    "a bad old one",
    { SECRETS_KEY: newKey.toString("hex"), SECRETS_OLD_KEYS: "abcdef" },
    "SECRETS_OLD_KEYS wants a key",
  ],
])("a configuration with %s as its key is refused with a sentence that does not show it", (_name, env, reason) => {
  const load = () => loadConfig(secretsEnv, env);

  expect(load).toThrow(ConfigError);
  expect(load).toThrow(reason);
  expect(load).not.toThrow("abcdef");
});
