// The open page: which one the address names, and everything that it is given.

import { html, render } from "lit-html";
import { learnServerTime } from "./data/clock.ts";
import { ApiError } from "./data/errors.ts";
import { createLive, type Live } from "./data/live.ts";
import { loadNewerFiles } from "./data/newer-files.ts";
import type { Requests } from "./data/requests.ts";
import type { Token } from "./data/session.ts";
import { type FoundRoute, type Route, routeOf, routes } from "./pages/routes.ts";
import type { App, Page } from "./parts/app.ts";
import { CONSOLE, framed, SLOW_CONNECTION_MS, showCurrentLink } from "./parts/frame.ts";
import { PageFocus } from "./parts/page-focus.ts";
import { empty, loading, refused } from "./parts/states.ts";
import { createTimes } from "./parts/times.ts";
import { Visits } from "./parts/visits.ts";

export class Console {
  readonly #live: Live;
  readonly #app: App;
  readonly #root: HTMLElement;
  readonly #focus: PageFocus;
  readonly #onLeave: (wasRefused: boolean) => void;
  readonly #times = createTimes();
  readonly #visits = new Visits(history, location.pathname + location.search);
  #page: Page | undefined;
  #route: Route | undefined;
  /** The path of the page that is open or on its way. */
  #path: string | undefined;
  #search = "";
  /** The files of the page could not be loaded. */
  #hasFailed = false;
  /** Thrown by the page. */
  #fault: unknown;
  #willDraw = false;
  #shownLink = "";
  /** Pages ask for times of the server from their beginning. */
  readonly #hasTime = learnServerTime(CONSOLE);

  /** @param onLeave ends the session; `wasRefused` when the server did not accept the token. */
  constructor(root: HTMLElement, requests: Requests, token: Token, onLeave: (wasRefused: boolean) => void) {
    this.#root = root;
    this.#focus = new PageFocus(root);
    this.#onLeave = onLeave;
    const live = createLive(token, () => this.#connectionChanged());
    this.#live = live;
    this.#app = {
      ...requests,
      live,
      times: this.#times,
      may: (scope) => this.#scopes.includes(scope) || this.#scopes.includes("admin"),
      redraw: () => this.#redraw(),
      go: (path, options) => this.#go(path, options?.replace ?? false),
    };
    addEventListener("popstate", () => this.#moved());
    document.addEventListener("click", (event) => this.#follow(event));
    setTimeout(() => this.#redraw(), SLOW_CONNECTION_MS);
  }

  get #scopes(): readonly string[] {
    const { connection } = this.#live;
    return connection.state === "connected" ? connection.scopes : this.#lastScopes;
  }
  #lastScopes: readonly string[] = [];

  /** Shows what the address names. */
  open(): void {
    // The login has taken the place of the pages. They would ask unseen, with a refused token.
    if (this.#live.connection.state === "refused") return;
    const path = location.pathname.slice(CONSOLE.length);
    const query = new URLSearchParams(location.search);
    if (path === this.#path) {
      // A link to a place within the page changes neither path nor query.
      if (location.search === this.#search) return;
      this.#search = location.search;
      this.#focus.leave(false);
      this.#page?.moved?.(query);
      this.#redraw();
      return;
    }
    // The first page takes no focus: the user has just come.
    if (this.#path !== undefined) this.#focus.leave(true);
    this.#path = path;
    this.#search = location.search;
    this.#hasFailed = false;
    this.#fault = undefined;
    this.#page?.stop();
    this.#page = undefined;
    const found = routeOf(path);
    this.#route = found?.route;
    if (found !== undefined) this.#load(found, path, query);
    this.#redraw();
  }

  #load({ route, params }: FoundRoute, path: string, query: URLSearchParams): void {
    Promise.all([route.load(), this.#hasTime]).then(
      ([create]) => {
        if (this.#path !== path) return;
        try {
          this.#page = create(this.#app, { params, query });
        } catch (error) {
          this.#fault = error;
        }
        this.#redraw();
      },
      // The files of this version may be gone after an upgrade.
      () => {
        if (this.#path !== path || loadNewerFiles()) return;
        this.#hasFailed = true;
        this.#redraw();
      },
    );
  }

  #connectionChanged(): void {
    const { connection } = this.#live;
    if (connection.state === "refused") {
      this.#page?.stop();
      this.#page = undefined;
      this.#live.stop();
      this.#onLeave(true);
      return;
    }
    if (connection.state === "connected") this.#lastScopes = connection.scopes;
    this.#redraw();
  }

  /** @returns false when the user stays on the page. */
  #go(path: string, replace: boolean): boolean {
    const url = CONSOLE + path;
    if (!this.#mayShow(new URL(url, location.href).pathname)) return false;
    this.#visits.visit(url, replace);
    this.open();
    return true;
  }

  /** The browser went back or forward, which nothing can prevent. */
  #moved(): void {
    if (this.#mayShow(location.pathname)) {
      this.#visits.arrived(location.pathname + location.search);
      this.open();
    } else this.#visits.takeBack();
  }

  /** A change of the query alone leaves the page as it is. */
  #mayShow(pathname: string): boolean {
    return pathname.slice(CONSOLE.length) === this.#path || this.#mayLeave();
  }

  #mayLeave(): boolean {
    return this.#page?.mayLeave?.() ?? true;
  }

  #logOut(): void {
    if (!this.#mayLeave()) return;
    this.#page?.stop();
    this.#onLeave(false);
  }

  /** Links within the console change the page without loading the document again. */
  #follow(event: MouseEvent): void {
    const link = (event.target as Element | null)?.closest?.("a");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.target !== "" || link.hasAttribute("download")) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || !(url.pathname === CONSOLE || url.pathname.startsWith(`${CONSOLE}/`))) return;
    if (url.hash !== "" && url.pathname === location.pathname) return;
    event.preventDefault();
    this.#go(url.pathname.slice(CONSOLE.length) + url.search, false);
  }

  #redraw(): void {
    if (this.#willDraw) return;
    this.#willDraw = true;
    requestAnimationFrame(() => {
      this.#willDraw = false;
      this.#draw();
    });
  }

  #draw(): void {
    const { connection } = this.#live;
    if (connection.state === "refused") return;
    document.title = this.#page === undefined ? "tracklog" : `${this.#page.title} · tracklog`;
    const isOffered = ({ scope }: Route) => scope === undefined || this.#app.may(scope);
    const links = routes.flatMap((route) => (route.link !== undefined && isOffered(route) ? [route.link] : []));
    const current = this.#route?.link?.[1];
    const parts = { links, current, connection, times: this.#times, onLeave: () => this.#logOut() };
    render(framed(this.#safeView(), parts), this.#root);
    // The links of a scope come after the token is known.
    const shown = `${current} ${links.length}`;
    if (shown !== this.#shownLink) showCurrentLink();
    this.#shownLink = shown;
    if (this.#page !== undefined || this.#hasFailed || this.#route === undefined) this.#focus.arrive();
  }

  /** A page with a fault leaves the navigation as it is. */
  #safeView() {
    try {
      if (this.#fault === undefined) return this.#view();
    } catch (error) {
      this.#fault = error;
    }
    console.error(this.#fault);
    return refused(new ApiError("INTERNAL", "This page has a fault."), () => location.reload());
  }

  #view() {
    if (this.#page !== undefined) return this.#page.view();
    if (this.#hasFailed)
      return refused(new ApiError("UNREACHABLE", "This page could not be loaded."), () => location.reload());
    if (this.#route !== undefined) return loading("the page");
    return empty("There is no such page.", html`<a href=${CONSOLE}>All cameras</a>`);
  }
}
