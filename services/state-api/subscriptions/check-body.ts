// Checks the token of the credentials and the addresses in a body before anything is stored.
import { type Authenticate, may } from "../../../projections/catalog/tokens.ts";
import { AppError } from "../../../schemas/errors.ts";
import type { FlawAnswer } from "../../../schemas/rest/http.ts";
import type { SubscriptionBody } from "../../../schemas/rest/subscriptions.ts";
import { type Guard, HTTP, type Scheme, WEB_SOCKET } from "../../common/outbound/guard.ts";
import { Problem } from "../http/problem.ts";

/** Throws a refusal when the token is not one of ours, is revoked, or may not read. */
export function checkCredentials(authenticate: Authenticate, { credentials }: SubscriptionBody): void {
  const { x_token_id, x_token_value } = credentials;
  const principal = authenticate({ id: x_token_id, value: x_token_value });
  if (principal instanceof AppError) throw refused("unauthenticated", "this is no valid token of this installation");
  if (!may(principal, "read")) throw refused("forbidden", "this token does not have the scope read");
}

const refused = (kind: "unauthenticated" | "forbidden", detail: string) =>
  new Problem(kind, `credentials: ${detail}`, { errors: [{ pointer: "#/credentials", detail }] });

/**
 * Throws a refusal of the addresses that this server may not call. A name is checked again when it is resolved. The
 * address of our own API is always allowed, because the operator chose it.
 */
export function checkAddresses(
  guard: Guard,
  isOwn: (graphqlUrl: string) => boolean,
  { webhook_url, credentials: { graphql_url, ws_url } }: SubscriptionBody,
): void {
  const isOwnSocket = (url: string) => isOwn(url.replace(/^ws/, "http"));
  const flaws = [
    ...flawsOf(guard, "#/webhook_url", webhook_url, HTTP),
    ...flawsOf(guard, "#/credentials/graphql_url", unless(isOwn, graphql_url), HTTP),
    ...flawsOf(guard, "#/credentials/ws_url", unless(isOwnSocket, ws_url), WEB_SOCKET),
  ];
  const [first] = flaws;
  if (first !== undefined) throw new Problem("validation", `${first.pointer}: ${first.detail}`, { errors: flaws });
}

const unless = (isOurs: (url: string) => boolean, url: string | null | undefined): string | undefined =>
  url == null || isOurs(url) ? undefined : url;

function flawsOf(guard: Guard, pointer: string, url: string | undefined, schemes: readonly Scheme[]): FlawAnswer[] {
  const detail = url === undefined ? undefined : guard.refusal(url, schemes);
  return detail === undefined ? [] : [{ pointer, detail }];
}
