// A real browser in front of a whole system, for the tests of the console.
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { launchBrowser } from "../../support/running/browser.ts";
import { newToken } from "../../support/running/new-token.ts";
import { startStateApi } from "../../support/running/state-api.ts";
import { type System, shareSystem } from "../../support/running/system.ts";

export interface ConsoleStage {
  readonly system: System;
  /** `http://host:port` of the REST interface. */
  readonly restUrl: string;
  /**
   * Opens the console with a token that may do everything.
   * @param path below /console, such as `/cameras/west`.
   * @param expected messages of the browser that belong to the test, such as a refused request.
   */
  open(path?: string, options?: BrowserContextOptions, expected?: RegExp): Promise<Page>;
}

/**
 * A system with a console and a REST interface, and a browser, for all tests of a file. A message on the console of the
 * browser that is an error, or an exception of the page, fails the test that opened the page.
 */
export function shareConsole(settings: Readonly<Record<string, string>> = {}): () => ConsoleStage {
  let restPort = 0;
  const shared = shareSystem(async () => {
    restPort = await freePort();
    return { API_CONSOLE: "true", API_CONSOLE_REST_URL: `http://127.0.0.1:${restPort}`, ...settings };
  });
  let browser: Browser | undefined;
  let token: System["token"] | undefined;
  beforeAll(async () => {
    const system = shared();
    token = await newToken(system, ["admin"]);
    const { origin } = new URL(system.url);
    const rest = { STATE_API_PORT: String(restPort), STATE_API_ORIGINS: origin, STATE_API_GRAPHQL_URL: system.url };
    [browser] = await Promise.all([launchBrowser(), startStateApi(system, rest)]);
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined || token === undefined) throw new Error("the browser starts before the first test");
    const system = shared();
    const restUrl = `http://127.0.0.1:${restPort}`;
    return { system, restUrl, open: openIn(browser, { url: system.url, token }) };
  };
}

/** A finding that keeps people from using the page. */
const GRAVE: ReadonlySet<string | null | undefined> = new Set(["serious", "critical"]);

/** @returns the serious and critical findings of axe on the page, each with the first places where it is. */
export async function graveFindings(page: Page): Promise<string[]> {
  // Its script is not of the page, so the page's policy does not hold for it.
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } };
    return (await axe.run()).violations;
  });
  return violations
    .filter(({ impact }) => GRAVE.has(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))}`);
}

interface AxeViolation {
  readonly id: string;
  readonly impact?: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

export function linkOf({ url, token }: Pick<System, "url" | "token">, path: string): string {
  const fragment = new URLSearchParams({ "x-token-id": token.id, "x-token-value": token.value });
  return `${new URL(url).origin}/console${path}#${fragment}`;
}

const openIn =
  (browser: Browser, system: Pick<System, "url" | "token">): ConsoleStage["open"] =>
  async (path = "", options = {}, expected = /(?!)/) => {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: "en-GB", ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && !expected.test(message.text())) faults.push(message.text());
    });
    onTestFinished(async () => {
      await context.close();
      expect(faults).toEqual([]);
    });
    await page.goto(linkOf(system, path));
    return page;
  };
