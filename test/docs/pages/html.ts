// The frame of a reference page: one file without scripts, which loads nothing.

/** HTML, as opposed to text that is still to be escaped. */
export interface Html {
  readonly html: string;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

type Part = Html | string | readonly Part[];

const render = (part: Part): string =>
  typeof part === "string" ? escaped(part) : "html" in part ? part.html : part.map(render).join("");

/** Escapes the values, unless they are HTML themselves. */
export const html = (texts: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  html: texts.map((text, at) => `${text}${render(values[at] ?? "")}`).join(""),
});

/** Paragraphs, and `code` within them. */
export function prose(text: string): Html {
  const paragraphs = text.trim() === "" ? [] : text.trim().split(/\n\s*\n/);
  return { html: paragraphs.map((each) => `<p>${inline(each)}</p>`).join("") };
}

export const phrase = (text: string): Html => ({ html: inline(text) });

const inline = (text: string): string => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");

export interface NavigationGroup {
  readonly title: string;
  /** Ids of elements of the page, with the texts of the links to them. */
  readonly links: readonly (readonly [string, string])[];
}

export interface ReferencePage {
  readonly title: string;
  readonly introduction: string;
  readonly navigation: readonly NavigationGroup[];
  readonly body: readonly Html[];
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dee4, #3a4149); --soft: light-dark(#f4f6f8, #1d2228);
  --text: light-dark(#1f2328, #e4e8ec); --faint: light-dark(#59636e, #9aa4af); --link: light-dark(#0857b8, #6cb0ff); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: light-dark(#fff, #14181c);
  display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; background: var(--soft);
  border-right: 1px solid var(--line); font-size: 13px; }
nav a { display: block; overflow-wrap: anywhere; padding: 1px 0; }
nav summary { font-weight: 600; margin-top: .6rem; cursor: pointer; }
main { padding: 1.5rem 2rem 6rem; max-width: 64rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
h1 { font-size: 1.7rem; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 2.2rem 0 .3rem; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
h4 { margin: 1rem 0 .2rem; font-size: .8rem; color: var(--faint); text-transform: uppercase; letter-spacing: .05em; }
p { margin: .35rem 0; } code, pre { font-family: ui-monospace, monospace; font-size: .92em; }
code { background: var(--soft); border-radius: 3px; padding: 0 .2em; overflow-wrap: anywhere; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: 14px; }
th { text-align: left; font-size: 12px; color: var(--faint); font-weight: 600; }
td, th { border-bottom: 1px solid var(--line); padding: .35rem .6rem .35rem 0; vertical-align: top; }
td p { margin: 0; } td:first-child code { white-space: nowrap; } td td, td th { font-size: 13px; } .mark { font-size: 11px; border: 1px solid var(--line); border-radius: 3px;
  padding: 0 .3em; color: var(--faint); white-space: nowrap; } :target { background: light-dark(#fff6d6, #3b3417); }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; max-height: 40vh; } main { padding: 1rem; } }
`;

export function referencePage({ title, introduction, navigation, body }: ReferencePage): string {
  const groups = navigation.map(
    ({ title: name, links }) => html`<details open><summary>${name}</summary>
${links.map(
  ([id, text]) => html`<a href="#${id}">${text}</a>
`,
)}</details>
`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<nav>
${groups}</nav>
<main>
<h1>${title}</h1>
${prose(introduction)}
${body}
</main>
</body>
</html>
`.html;
}

export const table = (head: readonly string[], rows: readonly (readonly Part[])[]): Html =>
  rows.length === 0
    ? html``
    : html`<table><tr>${head.map((each) => html`<th>${each}</th>`)}</tr>
${rows.map(
  (cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</table>
`;

export const mark = (text: string): Html => html` <span class="mark">${text}</span>`;
