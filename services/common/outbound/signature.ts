// The headers of Standard Webhooks (https://www.standardwebhooks.com). By them the receiver verifies the sender of a
// delivery, and recognises a repeated one.
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** `secrets` are all valid secrets in base64, with or without the prefix whsec_. */
export function signedHeaders(id: string, atMs: number, body: string, secrets: readonly string[]) {
  const timestamp = Math.floor(atMs / 1_000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
