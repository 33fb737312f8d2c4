// Every page of the console. A page is loaded when it is opened for the first time.
import type { Scope } from "../data/live.ts";
import type { CreatePage } from "../parts/app.ts";

export interface Route {
  /** Matched against the path below /console; its groups are the place's params. */
  readonly pattern: RegExp;
  /** Name and path in the navigation; without them the page is reached from others. */
  readonly link?: readonly [name: string, path: string];
  /** Without it, the navigation does not offer the page. */
  readonly scope?: Scope;
  readonly load: () => Promise<CreatePage>;
}

export interface FoundRoute {
  readonly route: Route;
  readonly params: readonly string[];
}

export const routes: readonly Route[] = [
  {
    pattern: /^\/?$/,
    link: ["Cameras", "/"],
    load: async () => (await import("./cameras.ts")).createCamerasPage,
  },
  {
    pattern: /^\/cameras\/([^/]+)$/,
    load: async () => (await import("./camera.ts")).createCameraPage,
  },
  {
    pattern: /^\/ask\/?$/,
    link: ["Ask", "/ask"],
    load: async () => (await import("./ask.ts")).createAskPage,
  },
  {
    pattern: /^\/webhooks\/?$/,
    link: ["Webhooks", "/webhooks"],
    load: async () => (await import("./webhooks.ts")).createWebhooksPage,
  },
  {
    pattern: /^\/replays\/?$/,
    link: ["Replays", "/replays"],
    load: async () => (await import("./replays.ts")).createReplaysPage,
  },
  {
    pattern: /^\/system\/?$/,
    link: ["System", "/system"],
    scope: "admin",
    load: async () => (await import("./system.ts")).createSystemPage,
  },
  {
    pattern: /^\/tracks\/([^/]+)\/([^/]+)$/,
    load: async () => (await import("./track.ts")).createTrackPage,
  },
];

/** @returns undefined when there is no such page. */
export function routeOf(path: string): FoundRoute | undefined {
  for (const route of routes) {
    const match = route.pattern.exec(path);
    const params = match?.slice(1).map((text = "") => decoded(text));
    if (params?.every((text) => text !== undefined)) return { route, params };
  }
  return undefined;
}

/** @returns undefined for a text that no link of the console has. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
