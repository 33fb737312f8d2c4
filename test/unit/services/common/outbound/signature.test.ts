import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { signedHeaders } from "../../../../../services/common/outbound/signature.ts";

const newSecret = () => randomBytes(32).toString("base64");

test("the library of Standard Webhooks makes the same signature", () => {
  const secret = newSecret();
  const at = new Date("2026-01-01T00:00:00.999Z");
  const body = JSON.stringify({ signal: "test", name: "Zürich 🚪" });

  const { "webhook-signature": signature, ...headers } = signedHeaders("msg_1", at.getTime(), body, [secret]);

  expect(signature).toBe(new Webhook(secret).sign("msg_1", at, body));
  expect(headers).toEqual({ "webhook-id": "msg_1", "webhook-timestamp": "1767225600" });
});

test("during a rotation a receiver with either secret can verify it", () => {
  const secrets = [newSecret(), `whsec_${newSecret()}`];

  const headers = signedHeaders("msg_1", Date.now(), "{}", secrets);

  for (const secret of secrets) expect(new Webhook(secret).verify("{}", headers)).toEqual({});
  expect(() => new Webhook(newSecret()).verify("{}", headers)).toThrow();
  expect(() => new Webhook(secrets[0] ?? "").verify("{ }", headers)).toThrow();
});
