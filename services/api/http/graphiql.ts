// The explorer for development. Its files come from optional packages, which are read only when the page is enabled.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { graphiqlPage, type PageSettings } from "./graphiql-page.ts";

const assets = {
  "graphiql.min.css": ["graphiql", "graphiql.min.css"],
  "react.production.min.js": ["react", "umd/react.production.min.js"],
  "react-dom.production.min.js": ["react-dom", "umd/react-dom.production.min.js"],
  "graphiql.min.js": ["graphiql", "graphiql.min.js"],
} as const;

const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" } as const;

/**
 * Pages of other sites must not frame the page and lure the user into clicks. Answers must not load pictures from other
 * hosts.
 */
const POLICY = "frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; base-uri 'none'";

/** Serves /graphiql. Throws when the packages are not installed. */
export function serveGraphiql(app: FastifyInstance, settings: PageSettings): void {
  const page = graphiqlPage(settings);
  for (const [name, [packageName, path]] of Object.entries(assets)) {
    // Not every package exports its files by name, so the path starts at its package.json.
    const folder = import.meta.resolve(`${packageName}/package.json`);
    const body = readFileSync(fileURLToPath(new URL(path, folder)));
    const type = name.endsWith(".css") ? types.css : types.js;
    app.get(`/graphiql/${name}`, (_request, reply) => reply.type(type).send(body));
  }
  app.get("/graphiql", (_request, reply) =>
    reply.type("text/html; charset=utf-8").header("content-security-policy", POLICY).send(page),
  );
}
