// Serves the console: one page for every path below /console, and its files under a hash of all of them.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LIBRARIES, ROOT, readModules } from "./modules.ts";
import { consolePage } from "./page.ts";

const ENTRY = "services/console/start.ts";
const STYLES = "services/console/style";
/** Styles of libraries, below those of the console. */
const LIBRARY_STYLES = ["node_modules/uplot/dist/uPlot.min.css"];

const TYPES = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" } as const;
/** A file under another hash is another file, so a browser may keep it for ever. */
const FOR_EVER = "public, max-age=31536000, immutable";

interface ServedFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

export interface ConsoleOptions {
  /** The URL at which browsers reach the REST interface, without a path; empty when they cannot. */
  readonly restUrl: string;
  /** Resolves with the origin of all links to media; undefined when it is that of the console. */
  mediaOrigin(): Promise<string | undefined>;
}

/** Serves /console, which needs no token itself: everything that it shows comes from the public interfaces. */
export function serveConsole(app: FastifyInstance, { restUrl, mediaOrigin }: ConsoleOptions): void {
  const modules = readModules(ENTRY);
  const styles = [...LIBRARY_STYLES, ...stylePaths()];
  const texts = new Map<string, string>(modules.map(({ path, text }) => [path, text]));
  for (const path of styles) texts.set(path, readFileSync(join(ROOT, path), "utf8"));

  const base = `/console/files/${hashOf(texts)}/`;
  const eager = modules.flatMap(({ path, isEager }) => (isEager ? [path] : []));
  for (const [path, text] of texts) serveFile(app, base + path, servedFile(path, text));

  const parts = { base, entry: ENTRY, eager, styles, libraries: LIBRARIES, restUrl };
  const pageFor = lastKept((mediaUrl: string) => {
    const { html, policy } = consolePage({ ...parts, mediaUrl });
    return { file: servedFile("console.html", html), policy };
  });
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // While no link can be signed, there is no image to show either.
    const { file, policy } = pageFor((await mediaOrigin().catch(() => undefined)) ?? "");
    return send(file, request, reply.header("content-security-policy", policy).header("cache-control", "no-cache"));
  };
  app.get("/console", sendPage);
  app.get("/console/*", sendPage);
  // A page that was opened before an upgrade must not take the new page for a script.
  app.get("/console/files/*", (_request, reply) => reply.code(404).send());
}

/** Returns the last result again for the same text. */
function lastKept<Result>(create: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: create(text) };
    return last.result;
  };
}

const stylePaths = (): string[] =>
  readdirSync(join(ROOT, STYLES))
    .sort()
    .map((name) => `${STYLES}/${name}`);

function hashOf(texts: ReadonlyMap<string, string>): string {
  const hash = createHash("sha256");
  for (const [path, text] of texts) hash.update(`${path}\0${text}\0`);
  return hash.digest("hex").slice(0, 16);
}

function servedFile(path: string, text: string): ServedFile {
  const type = path.endsWith(".html") ? "text/html; charset=utf-8" : TYPES[path.endsWith(".css") ? "css" : "js"];
  const plain = Buffer.from(text);
  return { type, plain, gzipped: gzipSync(plain, { level: 9 }) };
}

function serveFile(app: FastifyInstance, url: string, file: ServedFile): void {
  app.get(url, (request, reply) => send(file, request, reply.header("cache-control", FOR_EVER)));
}

function send({ type, plain, gzipped }: ServedFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.type(type).header("vary", "accept-encoding").header("x-content-type-options", "nosniff");
  const accepts = /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
  return accepts ? reply.header("content-encoding", "gzip").send(gzipped) : reply.send(plain);
}
