// The entry of the console: it takes the token, connects, and shows the page that the address names.
import { html, render } from "lit-html";
import { createLive, type Live } from "./data/live.ts";
import { createRequests, type Requests } from "./data/requests.ts";
import { forgetToken, keepToken, type Token, takeToken } from "./data/session.ts";
import { loginView } from "./pages/login.ts";
import { type Route, routeOf, routes } from "./pages/routes.ts";
import type { App, Page } from "./parts/app.ts";
import { CONSOLE, framed } from "./parts/frame.ts";
import { empty, loading } from "./parts/states.ts";
import { createTimes } from "./parts/times.ts";

const root = document.querySelector<HTMLElement>("#console") ?? document.body;
const restUrl = document.querySelector<HTMLMetaElement>("meta[name=tracklog-rest]")?.content ?? "";

const token = takeToken();
// A link with another token, opened in this tab, changes only the fragment.
addEventListener("hashchange", () => {
  if (location.hash.includes("x-token-id")) location.reload();
});
root.replaceChildren();
if (token === undefined) showLogin(false);
else openConsole(token);

function showLogin(wasRefused: boolean): void {
  document.title = "tracklog";
  const enter = (given: Token) => {
    keepToken(given);
    location.reload();
  };
  render(loginView(wasRefused, enter), root);
}

function leave(wasRefused: boolean): void {
  forgetToken();
  if (wasRefused) showLogin(true);
  else location.assign(CONSOLE);
}

function openConsole(given: Token): void {
  const requests = createRequests(given, restUrl);
  const console = new Console(
    requests,
    createLive(given, () => console.connectionChanged()),
  );
  console.open();
}

/** The open page, and all that it is given. */
class Console {
  readonly #live: Live;
  readonly #app: App;
  readonly #times = createTimes();
  #page: Page | undefined;
  #route: Route | undefined;
  /** The path of the page that is open or on its way. */
  #path: string | undefined;
  #willDraw = false;

  constructor(requests: Requests, live: Live) {
    this.#live = live;
    this.#app = {
      ...requests,
      live,
      times: this.#times,
      may: (scope) => this.#scopes.includes(scope) || this.#scopes.includes("admin"),
      redraw: () => this.#redraw(),
      go: (path, options) => this.#go(path, options?.replace ?? false),
    };
    addEventListener("popstate", () => this.open());
    document.addEventListener("click", (event) => this.#follow(event));
  }

  get #scopes(): readonly string[] {
    const { connection } = this.#live;
    return connection.state === "connected" ? connection.scopes : this.#lastScopes;
  }
  #lastScopes: readonly string[] = [];

  /** Shows what the address names. */
  open(): void {
    const path = location.pathname.slice(CONSOLE.length);
    const query = new URLSearchParams(location.search);
    if (path === this.#path) {
      this.#page?.moved?.(query);
      this.#redraw();
      return;
    }
    this.#path = path;
    this.#page?.stop();
    this.#page = undefined;
    const found = routeOf(path);
    this.#route = found?.route;
    found?.route.load().then(
      (create) => {
        if (this.#path !== path) return;
        this.#page = create(this.#app, { params: found.params, query });
        this.#redraw();
      },
      // The files of this version may be gone after an upgrade; the new page knows the new ones.
      () => location.reload(),
    );
    this.#redraw();
  }

  connectionChanged(): void {
    const { connection } = this.#live;
    if (connection.state === "refused") {
      this.#page?.stop();
      this.#page = undefined;
      this.#live.stop();
      leave(true);
      return;
    }
    if (connection.state === "connected") this.#lastScopes = connection.scopes;
    this.#redraw();
  }

  #go(path: string, replace: boolean): void {
    history[replace ? "replaceState" : "pushState"](null, "", CONSOLE + path);
    this.open();
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
    document.querySelector<HTMLElement>("#main")?.focus();
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
    const links = routes.flatMap(({ link }) => (link === undefined ? [] : [link]));
    const current = this.#route?.link?.[1];
    const parts = { links, current, connection, times: this.#times, onLeave: () => leave(false) };
    render(framed(this.#view(), parts), root);
  }

  #view() {
    if (this.#page !== undefined) return this.#page.view();
    if (this.#route !== undefined) return loading("the page");
    return empty("There is no such page.", html`<a href=${CONSOLE}>All cameras</a>`);
  }
}
