// The explorer for development, served from this machine: optional packages, read when the page is switched on.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";

const assets = {
  "graphiql.min.css": ["graphiql", "graphiql.min.css"],
  "react.production.min.js": ["react", "umd/react.production.min.js"],
  "react-dom.production.min.js": ["react-dom", "umd/react-dom.production.min.js"],
  "graphiql.min.js": ["graphiql", "graphiql.min.js"],
} as const;

const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" } as const;

/** Serves /graphiql; enter the two token headers in its headers tab. Throws when the packages are not installed. */
export function serveGraphiql(app: FastifyInstance): void {
  for (const [name, [packageName, path]] of Object.entries(assets)) {
    // Not every package lets its files be resolved by name.
    const folder = import.meta.resolve(`${packageName}/package.json`);
    const body = readFileSync(fileURLToPath(new URL(path, folder)));
    const type = name.endsWith(".css") ? types.css : types.js;
    app.get(`/graphiql/${name}`, (_request, reply) => reply.type(type).send(body));
  }
  app.get("/graphiql", (_request, reply) => reply.type("text/html; charset=utf-8").send(page));
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>tracklog GraphiQL</title>
    <link rel="stylesheet" href="/graphiql/graphiql.min.css" />
    <style>body { margin: 0 } #graphiql { height: 100vh }</style>
  </head>
  <body>
    <div id="graphiql"></div>
    <script src="/graphiql/react.production.min.js"></script>
    <script src="/graphiql/react-dom.production.min.js"></script>
    <script src="/graphiql/graphiql.min.js"></script>
    <script>
      const subscriptionUrl = location.origin.replace(/^http/, "ws") + "/graphql";
      const fetcher = GraphiQL.createFetcher({ url: "/graphql", subscriptionUrl });
      const defaultHeaders = JSON.stringify({ "x-token-id": "", "x-token-value": "" }, null, 2);
      const explorer = React.createElement(GraphiQL, { fetcher, defaultHeaders, shouldPersistHeaders: true });
      ReactDOM.createRoot(document.getElementById("graphiql")).render(explorer);
    </script>
  </body>
</html>
`;
