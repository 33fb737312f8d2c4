// Every page of the console is usable by everybody, on any screen.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { graveFindings, shareConsole } from "./browser.ts";

const stage = shareConsole();

/** Paths below /console. */
async function linkedPaths(page: Page): Promise<string[]> {
  const links = await page.locator("header nav a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  return links.map((href) => (href ?? "").replace("/console", ""));
}

test("axe finds nothing grave on any page of the navigation, in light and dark", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await stage().open("", { colorScheme });
    await page.waitForSelector("main h1");
    for (const path of await linkedPaths(page)) {
      await page.click(`header nav a[href="/console${path}"]`);
      await page.waitForSelector(`header nav a[href="/console${path}"][aria-current=page]`);
      await page.waitForSelector("main h1");

      expect([path, await graveFindings(page)]).toEqual([path, []]);
    }
  }
});

test("every page of the navigation fits into a narrow window", async () => {
  const page = await stage().open("", { viewport: { width: 360, height: 740 } });
  await page.waitForSelector("main h1");
  for (const path of await linkedPaths(page)) {
    await page.click(`header nav a[href="/console${path}"]`);
    await page.waitForSelector(`header nav a[href="/console${path}"][aria-current=page]`);
    await page.waitForSelector("main h1");

    expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, 360]);
  }
});

test("in a narrow window the navigation is one line, in which the focus brings each link into view", async () => {
  const page = await stage().open("", { viewport: { width: 360, height: 740 } });
  await page.waitForSelector('header nav a[href="/console/system"]');
  const isInView = (selector: string) =>
    page.evaluate(
      `(({ left, right }) => left >= 0 && right <= innerWidth)(document.querySelector("${selector}").getBoundingClientRect())`,
    );
  const lines = await page.evaluate(
    "new Set([...document.querySelectorAll('header nav a')].map((link) => link.offsetTop)).size",
  );
  expect([lines, await isInView("header button")]).toEqual([1, false]);

  await page.locator("header .brand").focus();
  for (let links = await page.locator("header nav a").count(); links >= 0; links--) await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Log out");
  expect(await isInView("header button")).toBe(true);
  await page.locator("header nav a").last().click();
  await page.waitForSelector("main h1:text('System')");
  await expect.poll(() => isInView("header [aria-current=page]")).toBe(true);
  await page.waitForSelector("#topics");
  expect(await graveFindings(page)).toEqual([]);
});

test("the address loses the token, and a reload keeps the session", async () => {
  const page = await stage().open();
  await page.waitForSelector("main h1");

  expect(page.url()).not.toContain("token");
  await page.reload();
  await page.waitForSelector("main h1");
  expect(await page.textContent("main h1")).toBe("Cameras");
});

test("a new page has the focus on its heading, and a condition leaves it where it is", async () => {
  const page = await stage().open();
  await page.waitForSelector("main h1");
  expect(await page.locator(":focus").count()).toBe(0);

  await page.click("header nav a >> text=Webhooks");
  await page.waitForSelector("main h1:focus >> text=Webhooks");
  await page.click("main a >> text=New webhook");
  await page.waitForSelector("main h1:focus >> text=New webhook");
  await page.goBack();
  await page.waitForSelector("main h1:focus >> text=Webhooks");

  await page.click("header nav a >> text=Ask");
  await page.waitForSelector("main h1:focus >> text=Ask");
  await page.focus("select[name=time]");
  await page.selectOption("select[name=time]", "7d");
  await page.waitForURL(/last=7d/);
  await page.waitForSelector(".answer-part[aria-busy=false]");
  expect(await page.locator("select[name=time]:focus").count()).toBe(1);
  expect(await graveFindings(page)).toEqual([]);
});

test("a token that the server refuses leads to the login, which takes a whole link", async () => {
  const { open, system } = stage();
  const page = await open("", {}, /401|CloseEvent/);
  await page.waitForSelector("main h1");
  await page.evaluate("sessionStorage.clear()");
  await page.goto(`${new URL(system.url).origin}/console`);

  await page.fill("input[name=id]", system.token.id);
  await page.fill("input[name=value]", "wrong");
  await page.click("button[type=submit]");

  await page.waitForSelector("main.login [role=alert]");
  expect(await page.textContent("[role=alert]")).toContain("refused");

  // People paste the whole link.
  const fragment = new URLSearchParams({ "x-token-id": system.token.id, "x-token-value": system.token.value });
  await page.fill("input[name=id]", `${new URL(system.url).origin}/console#${fragment}`);
  expect(await page.inputValue("input[name=id]")).toBe(system.token.id);
  await page.keyboard.press("Enter");
  await page.waitForSelector("main h1:text('Cameras')");
});

test("a page whose files cannot be loaded says so, and does not load for ever", async () => {
  const page = await stage().open("", {}, /Failed to load|ERR_FAILED/);
  await page.waitForSelector("main h1");
  let attempts = 0;
  await page.route(/\/pages\/system\.ts$/, (route) => {
    attempts += 1;
    return route.abort();
  });

  await page.click('header nav a[href="/console/system"]');

  await page.waitForSelector("main [role=alert]");
  expect(await page.textContent("main [role=alert]")).toContain("could not be loaded");
  expect(attempts).toBe(2);
});

test("an address that no link has leads to no page, and the navigation stays", async () => {
  const page = await stage().open();
  await page.waitForSelector("main h1");

  await page.evaluate(
    "history.pushState(null, '', '/console/cameras/%zz'); dispatchEvent(new PopStateEvent('popstate'))",
  );

  await page.waitForSelector("main .empty:has-text('There is no such page.')");
  expect(await page.locator("header nav a").count()).toBeGreaterThan(3);
});

test("a refusal of a later answer leaves the last one on the page", async () => {
  const page = await stage().open("/system", {}, /Failed to load|ERR_FAILED/);
  await page.waitForSelector("#topics");

  await page.route(/\/graphql$/, (route) => route.abort());

  await page.waitForSelector("main [role=alert]");
  expect(await page.locator("#topics").count()).toBe(1);
});
