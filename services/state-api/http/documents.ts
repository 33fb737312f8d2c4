// The OpenAPI document, and a page to browse it and to try requests. The page's library is an optional package, served
// from here: the page loads nothing from elsewhere.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { documentAnswer } from "../../../schemas/rest/http.ts";
import { openApiOf } from "./openapi.ts";
import { type Route, route } from "./route.ts";

const PATH = "/openapi.json";

/** Returns the route of the document, which describes `routes` and itself. */
export function openApiRoute(routes: readonly Route[]): Route {
  const own: Route = route({
    method: "GET",
    path: PATH,
    summary: "Returns this document",
    description: "It is made from the schemas that check the requests.",
    scope: "open",
    answers: { 200: { description: "The document, in OpenAPI 3.1.", schema: documentAnswer } },
    handle: () => ({ status: 200, body: document }),
  });
  const document: string = JSON.stringify(openApiOf([...routes, own]));
  return own;
}

const types = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  html: "text/html; charset=utf-8",
};

/** No other site may frame the page, and the page can send its contents to this server only. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="referrer" content="no-referrer" />
    <title>tracklog: State Machine REST API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Without validatorUrl the page would send the document to a server of the library's makers. */
const START = `SwaggerUIBundle({ url: "${PATH}", dom_id: "#docs", deepLinking: true, validatorUrl: "none" });\n`;

/** Returns no routes when the package is not installed. */
export function docsRoutes(): readonly Route[] {
  const folder = libraryFolder();
  if (folder === undefined) return [];
  const library = (name: string) => readFileSync(new URL(name, folder));
  return [
    file("/docs", types.html, PAGE),
    file("/docs/", types.html, PAGE),
    file("/docs/start.js", types.js, START),
    file("/docs/swagger-ui.css", types.css, library("swagger-ui.css")),
    file("/docs/swagger-ui-bundle.js", types.js, library("swagger-ui-bundle.js")),
  ];
}

function libraryFolder(): URL | undefined {
  try {
    const folder = new URL("static/", import.meta.resolve("@fastify/swagger-ui/package.json"));
    return existsSync(fileURLToPath(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

const file = (path: string, type: string, body: string | Buffer): Route =>
  route({
    method: "GET",
    path,
    summary: "",
    scope: "open",
    answers: {},
    handle: () => ({
      status: 200,
      body,
      headers: { "content-type": type, "content-security-policy": POLICY, "x-content-type-options": "nosniff" },
    }),
  });
