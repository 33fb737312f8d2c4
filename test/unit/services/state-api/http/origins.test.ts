// Pages of other origins, as browsers ask on their behalf.
import { afterAll, expect, test } from "vitest";
import { letEverybodyIn } from "../../../../../projections/catalog/tokens.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { route } from "../../../../../services/state-api/http/route.ts";
import { createStateServer } from "../../../../../services/state-api/http/server.ts";

const CONSOLE = "https://tracklog.example";
const answers = { 200: { description: "found" } };
const server = createStateServer({
  host: "127.0.0.1",
  port: 0,
  origins: [CONSOLE],
  bodyLimitBytes: 1_000,
  maxRequests: 10,
  authenticate: letEverybodyIn,
  log: createLog("test", "silent"),
  routes: [
    route({
      ...{ method: "GET", path: "/api/things/{id}", summary: "", scope: "read", answers },
      handle: () => ({ status: 200, body: {} }),
    }),
  ],
});
await server.start();
afterAll(() => server.stop());

const send = (method: string, path: string, headers: Record<string, string>) =>
  fetch(server.url() + path, { method, headers });

const PREFLIGHT = { "access-control-request-method": "GET", "access-control-request-headers": "x-token-id" };

test("a browser may send the token from a page of a listed origin", async () => {
  const response = await send("OPTIONS", "/api/things/1", { origin: CONSOLE, ...PREFLIGHT });

  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe(CONSOLE);
  expect(response.headers.get("access-control-allow-headers")).toBe(
    "content-type, if-none-match, x-token-id, x-token-value",
  );
  expect(response.headers.get("access-control-allow-methods")).toContain("DELETE");
});

test.each(["/api/things/1", "/api/nothing"])("a page of a listed origin may read the answer of %s", async (path) => {
  const response = await send("GET", path, { origin: CONSOLE });

  expect(response.headers.get("access-control-allow-origin")).toBe(CONSOLE);
  expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  expect(response.headers.get("vary")).toBe("origin");
});

test("a page of another origin may do neither", async () => {
  const preflight = await send("OPTIONS", "/api/things/1", { origin: "https://elsewhere.example", ...PREFLIGHT });
  const response = await send("GET", "/api/things/1", { origin: "https://elsewhere.example" });

  expect(preflight.status).toBe(405);
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
});
