import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { GatewayError } from "./failure.ts";

interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Throws GatewayError unless the request carries the credentials as basic authorization or as X-ClickHouse headers. */
export function authorize(request: IncomingMessage, expected: Credentials): void {
  const given = basic(request.headers.authorization) ?? byHeaders(request);
  if (!same(`${given.user}:${given.password}`, `${expected.user}:${expected.password}`)) {
    throw new GatewayError(516, "AUTHENTICATION_FAILED", `Authentication failed for user ${given.user}`);
  }
}

function basic(header: string | undefined): Credentials | undefined {
  const encoded = /^basic (.+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const [user = "", ...rest] = Buffer.from(encoded, "base64").toString().split(":");
  return { user, password: rest.join(":") };
}

function byHeaders(request: IncomingMessage): Credentials {
  const one = (name: string) => String(request.headers[name] ?? "");
  return { user: one("x-clickhouse-user"), password: one("x-clickhouse-key") };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const same = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right));
