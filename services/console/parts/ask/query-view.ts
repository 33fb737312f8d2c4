// The question as GraphQL, so that a program can ask it as well.
import { html, type TemplateResult } from "lit-html";
import { curlOf } from "../../questions/curl.ts";
import type { Operation } from "../../questions/question.ts";
import { copyButton } from "../copy.ts";

export const queryView = (operation: Operation, origin: string): TemplateResult => {
  const variables = JSON.stringify(operation.variables, null, 2);
  return html`<div class="query">
    ${block("Query", operation.document)} ${block("Variables", variables)} ${block("As a command", curlOf(origin, operation))}
    <p class="hint">
      The command takes the token from the variables ID and VALUE of the shell. While
      <code>hasNextPage</code> is true, the next page comes with <code>after</code> set to <code>endCursor</code>.
    </p>
  </div>`;
};

const block = (name: string, text: string) =>
  html`<section class="card">
    <div class="row">
      <h2>${name}</h2>
      ${copyButton(text)}
    </div>
    <pre tabindex="0" aria-label=${name}>${text}</pre>
  </section>`;
