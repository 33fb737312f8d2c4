// The frame of every page: navigation, the state of the connection, and the end of the session.

import { html, nothing, type TemplateResult } from "lit-html";
import { serverClock } from "../data/clock.ts";
import type { Connection } from "../data/live.ts";
import { type Times, wordsOfClock } from "./times.ts";

export interface FrameParts {
  readonly links: readonly (readonly [name: string, path: string])[];
  /** Path of the link that is open now. */
  readonly current: string | undefined;
  readonly connection: Connection;
  readonly times: Times;
  readonly onLeave: () => void;
}

export const CONSOLE = "/console";

export const framed = (
  page: TemplateResult,
  { links, current, connection, times, onLeave }: FrameParts,
): TemplateResult =>
  html`<a class="skip" href="#main">Skip to the page</a>
    <header class="frame">
      <a class="brand" href=${CONSOLE}>tracklog</a>
      <nav aria-label="Pages">
        ${links.map(
          ([name, path]) =>
            html`<a href=${CONSOLE + path} aria-current=${path === current ? "page" : "false"}>${name}</a>`,
        )}
      </nav>
      <span class="zone-of-times" title="Time zone of all times">${times.zone}</span>
      <button type="button" class="quiet" @click=${onLeave}>Log out</button>
    </header>
    ${lostView(connection, times)} ${clockView()}
    <main id="main" tabindex="-1">${page}</main>`;

const clockView = () => {
  const words = wordsOfClock(serverClock);
  return words === undefined ? nothing : html`<p class="clock-notice" role="status">${words}</p>`;
};

/** In a narrow window, the line of the links scrolls: the one of the open page comes into its middle. */
export function showCurrentLink(): void {
  const link = document.querySelector<HTMLElement>("header.frame [aria-current=page]");
  const line = link?.closest<HTMLElement>("header.frame");
  if (link && line) line.scrollLeft = link.offsetLeft - (line.clientWidth - link.offsetWidth) / 2;
}

/** A connection takes a moment at first; after this time the user should know. */
export const SLOW_CONNECTION_MS = 5_000;

function lostView(connection: Connection, times: Times) {
  if (connection.state === "lost")
    return html`<p class="lost" role="status">
      No connection since ${times.short(connection.since)}. It resumes by itself, and nothing will be missing.
    </p>`;
  if (connection.state === "connecting" && performance.now() - connection.since >= SLOW_CONNECTION_MS)
    return html`<p class="lost" role="status">
      There is no live connection yet: pictures stand still, and only what every token may do is offered.
    </p>`;
  return nothing;
}
