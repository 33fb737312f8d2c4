// The page, and the app that every page gets.
import type { TemplateResult } from "lit-html";
import type { Live, Scope } from "../data/live.ts";
import type { Requests } from "../data/requests.ts";
import type { Times } from "./times.ts";

export interface App extends Requests {
  readonly live: Live;
  readonly times: Times;
  /** Whether the token has the scope, so that the page offers what needs it. The server checks again. */
  may(scope: Scope): boolean;
  /** Has the page drawn once before the next frame, however often it is called. */
  redraw(): void;
  /** Opens a path below /console, such as `/cameras/west?at=...`. `replace` leaves no entry in the history. */
  go(path: string, options?: { readonly replace?: boolean }): void;
}

/** The place that the address names: the groups that the pattern of a route matched, and the query. */
export interface Place {
  readonly params: readonly string[];
  readonly query: URLSearchParams;
}

/** A page lives until another one is opened. It is drawn from its own fields, and asks for that by `redraw`. */
export interface Page {
  readonly title: string;
  view(): TemplateResult;
  /** The query of the address has changed, by `go` or by the browser's buttons. */
  moved?(query: URLSearchParams): void;
  /** Asks the user when something would be lost. Without it, the page may be left at any time. */
  mayLeave?(): boolean;
  /** Ends subscriptions and requests. */
  stop(): void;
}

export type CreatePage = (app: App, place: Place) => Page;
