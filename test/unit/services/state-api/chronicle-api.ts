// The endpoint of chronicle queries in this process, before a GraphQL server of the test.
import { onTestFinished } from "vitest";
import { AppError } from "../../../../schemas/errors.ts";
import { loadConfig } from "../../../../services/common/config.ts";
import { createLog } from "../../../../services/common/log.ts";
import { outboundEnv } from "../../../../services/common/outbound/config.ts";
import { chronicleQueryRoutes } from "../../../../services/state-api/chronicle-query/routes.ts";
import { openApiOf } from "../../../../services/state-api/http/openapi.ts";
import { createStateServer } from "../../../../services/state-api/http/server.ts";
import { createUpstream } from "../../../../services/state-api/upstream/upstream.ts";
import { createOpenApiCheck } from "../../../support/oracles/openapi.ts";

interface Settings {
  readonly ownUrl?: string;
  readonly lists?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly answerBudgetBytes?: number;
  readonly now?: () => number;
}

const PATH = "/api/chronicles/query";
export const NOW = Date.parse("2026-03-01T00:00:00.000Z");
export const credentials = { token_id: "reader", token_value: "right" };

const principals = {
  reader: { tokenId: "reader", name: "reader", scopes: ["read" as const] },
  writer: { tokenId: "writer", name: "writer", scopes: ["write" as const] },
};

const authenticate = Object.assign(
  ({ id, value }: { readonly id: unknown; readonly value: unknown }) =>
    (id === "reader" || id === "writer") && value === "right"
      ? principals[id]
      : new AppError("UNAUTHENTICATED", "the token is not valid"),
  { isCurrent: () => true },
);

/**
 * Requests and answers must fit the OpenAPI document. A query is of one day, against our own API, unless `members`
 * say otherwise. The server closes when the test ends.
 */
export function chronicleApi({ ownUrl = "", lists = {}, answerBudgetBytes = 2 ** 29, ...more }: Settings = {}) {
  const upstream = createUpstream({ ...loadConfig(outboundEnv, lists), ownUrl, answerBudgetBytes });
  const routes = chronicleQueryRoutes({ upstream, now: () => NOW, ...more });
  const log = createLog("test", "silent");
  const { app } = createStateServer({
    host: "127.0.0.1",
    port: 0,
    bodyLimitBytes: 1024 * 1024,
    maxRequests: 100,
    routes,
    authenticate,
    log,
  });
  onTestFinished(async () => {
    await upstream.stop();
    await app.close();
  });
  const check = createOpenApiCheck(openApiOf(routes));
  const ask = async (members: object = {}, headers: Record<string, string> = {}) => {
    const response = await app.inject({
      method: "POST",
      url: PATH,
      payload: query(ownUrl, members),
      headers,
    });
    const { statusCode: status, headers: answered } = response;
    const exchange = { method: "POST", path: PATH, sent: query(ownUrl, members), status };
    check({ ...exchange, contentType: answered["content-type"] ?? null, answer: response.json() });
    return { status, headers: answered, body: response.json() };
  };
  return { app, ask };
}

export const query = (url: string, members: object) => ({
  credentials: { graphql_url: url, ...credentials },
  record_kind: "activity_chronicle",
  start_time: "2026-02-01T00:00:00.000Z",
  end_time: "2026-02-02T00:00:00.000Z",
  ...members,
});
