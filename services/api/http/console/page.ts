// The one HTML page of the console. Its scripts and styles are files of this origin.
import { createHash } from "node:crypto";

export interface ConsolePage {
  readonly html: string;
  /** Value of the header Content-Security-Policy. */
  readonly policy: string;
}

export interface PageParts {
  /** Path under which the files are, with a slash at the end. */
  readonly base: string;
  readonly entry: string;
  readonly eager: readonly string[];
  readonly styles: readonly string[];
  readonly libraries: Readonly<Record<string, string>>;
  /** URL at which browsers reach the REST interface, without a path; empty when they cannot. */
  readonly restUrl: string;
  /** Origin of the images and videos; empty when it is that of the page. */
  readonly mediaUrl: string;
}

export function consolePage({ base, entry, eager, styles, libraries, restUrl, mediaUrl }: PageParts): ConsolePage {
  const imports = Object.fromEntries(Object.entries(libraries).map(([name, path]) => [name, base + path]));
  const map = JSON.stringify({ imports }).replaceAll("<", "\\u003c");
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="referrer" content="no-referrer" />
    <meta name="color-scheme" content="light dark" />
    <meta name="tracklog-rest" content="${escaped(restUrl)}" />
    <meta name="tracklog-media" content="${escaped(mediaUrl)}" />
    <title>tracklog</title>
    <link rel="icon" href="data:," />
${styles.map((path) => `    <link rel="stylesheet" href="${escaped(base + path)}" />`).join("\n")}
    <script type="importmap">${map}</script>
${eager.map((path) => `    <link rel="modulepreload" href="${escaped(base + path)}" />`).join("\n")}
    <script type="module" src="${escaped(base + entry)}"></script>
  </head>
  <body>
    <div id="console"><p class="starting">tracklog</p></div>
    <noscript>The console of tracklog needs JavaScript.</noscript>
  </body>
</html>
`;
  return { html, policy: policyOf(map, restUrl, mediaUrl) };
}

/**
 * Nothing comes from another host, besides images and videos from the server of the bucket. Scripts are files, besides
 * the import map, which the hash names. Pages of other sites must not frame the console and lure a user into clicks.
 */
function policyOf(importMap: string, restUrl: string, mediaUrl: string): string {
  const hash = createHash("sha256").update(importMap).digest("base64");
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    `img-src 'self' blob: data: ${mediaUrl}`.trimEnd(),
    `media-src 'self' blob: ${mediaUrl}`.trimEnd(),
    `connect-src 'self' ${restUrl}`.trimEnd(),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
