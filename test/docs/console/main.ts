// npm run docs:console -- LINK: takes the pictures of docs/console from a running tracklog. LINK is the one to the
// console that `npm start` prints. The demo needs some minutes before there is much to see.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import type { BrowserContextOptions, Page } from "playwright-core";
import { ROOT } from "../../structure/repository.ts";
import { launchBrowser } from "../../support/running/browser.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const [link = ""] = positionals;
if (!URL.canParse(link)) throw new Error("Give the link to the console that npm start prints, in quotes.");
const { origin, hash } = new URL(link);

/** A width of an article, and one of a telephone. */
const WIDE = { width: 1_280, height: 800 };
const NARROW = { width: 360, height: 740 };
const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: WIDE, colorScheme: "light" },
  dark: { viewport: WIDE, colorScheme: "dark" },
  narrow: { viewport: NARROW, colorScheme: "light" },
};
/** Pictures are alive and lists are filled after this time. */
const SETTLED_MS = 4_000;

const folder = `${ROOT}docs/console`;
mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
const context = await browser.newContext({ viewport: WIDE, locale: "en-GB" });
const pages = await pagesOf(await context.newPage());
for (const [look, options] of Object.entries(looks)) {
  for (const [name, path] of Object.entries(pages)) {
    const shown = await browser.newContext({ ...options, locale: "en-GB" });
    const page = await shown.newPage();
    await page.goto(`${origin}/console${path}${name === "login" ? "" : hash}`);
    await page.waitForTimeout(SETTLED_MS);
    await page.screenshot({ path: `${folder}/${name}-${look}.jpg`, type: "jpeg", quality: 60 });
    await shown.close();
    console.log(`docs/console/${name}-${look}.jpg`);
  }
}
await browser.close();

/** @returns the path below /console of each page, by the name of its picture. */
async function pagesOf(page: Page): Promise<Record<string, string>> {
  const hrefOf = async (path: string, part: string) => {
    await page.goto(`${origin}/console${path}${hash}`);
    const first = page.locator(`main a[href*="${part}"]`).first();
    return ((await first.getAttribute("href")) ?? "").replace("/console", "");
  };
  const camera = await hrefOf("", "/cameras/");
  const track = await hrefOf("/ask", "/tracks/");
  const past = `${camera}?at=${new Date(Date.now() - 60_000).toISOString()}`;
  return {
    cameras: "",
    camera,
    past,
    track,
    ask: "/ask",
    webhooks: "/webhooks",
    replays: "/replays",
    system: "/system",
    login: "",
  };
}
