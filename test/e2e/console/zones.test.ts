// Zones are drawn and changed on the picture of a camera, by mouse and by keys, and nobody loses a change.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { isolated } from "../../../services/console/picture/isolated.ts";
import { processEnv, until } from "../../support/running/processes.ts";
import { graveFindings, linkOf, shareConsole } from "./browser.ts";

const stage = shareConsole();
const TOKENS = fileURLToPath(import.meta.resolve("../../../services/cli/tokens/main.ts"));

interface ShownZone {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly polygon: { readonly coordinates: readonly (readonly (readonly [number, number])[])[] };
}

async function createCamera(): Promise<string> {
  const create = 'mutation { createDataSource(dataSource: { name: "Yard", type: VIDEO_DEVICE }) { id } }';
  const { createDataSource } = await stage().system.client.ask<{ createDataSource: { id: string } }>(create);
  return createDataSource.id;
}

async function zonesOf(camera: string): Promise<readonly ShownZone[]> {
  const query = `query ($id: ID!) {
    zones(filter: { dataSourceId: { eq: $id } }) { edges { node { id name active polygon { coordinates } } } }
  }`;
  type Answer = { readonly zones: { readonly edges: readonly { readonly node: ShownZone }[] } };
  const { zones } = await stage().system.client.ask<Answer>(query, { id: camera });
  return zones.edges.map(({ node }) => node);
}

async function createZone(dataSourceId: string, name: string): Promise<string> {
  const coordinates = [
    [
      [200, 150],
      [400, 150],
      [400, 300],
      [200, 300],
      [200, 150],
    ],
  ];
  const create = "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }";
  const zone = { dataSourceId, name, polygon: { coordinates } };
  return (await stage().system.client.ask<{ createZone: { id: string } }>(create, { zone })).createZone.id;
}

/** Opens the page of a camera, where zones can be drawn. */
async function openCamera(camera: string): Promise<Page> {
  const page = await stage().open(`/cameras/${camera}`);
  await page.waitForSelector("text=Draw a zone");
  return page;
}

async function beginChange(page: Page, name: string): Promise<void> {
  await page.selectOption("select[name=zone]", { label: name });
  await page.click("button:has-text('Change')");
  await page.waitForSelector("input[name=zone-name]");
}

/** A place on the canvas by its parts of the width and the height. */
async function placeOn(page: Page, [x, y]: readonly [number, number]): Promise<readonly [number, number]> {
  const box = await page.locator("canvas.picture").first().boundingBox();
  if (box === null) throw new Error("the picture is not shown");
  return [Math.round(box.x + x * box.width), Math.round(box.y + y * box.height)];
}

async function clickAll(page: Page, places: readonly (readonly [number, number])[]): Promise<void> {
  for (const place of places) await page.mouse.click(...(await placeOn(page, place)));
}

const save = async (page: Page): Promise<void> => {
  await page.click("button:has-text('Save')");
  await page.waitForSelector("text=is saved");
};

/** Waits until the live region says it. */
const told = (page: Page, words: string | RegExp) =>
  page.locator(".zone-editor [role=status]").filter({ hasText: words }).waitFor({ state: "attached" });

/** The position that the live region says of the last corner. */
async function toldPoint(page: Page): Promise<readonly number[]> {
  const text = (await page.locator(".zone-editor [role=status]").textContent()) ?? "";
  const [, x, y] = / at (-?[\d.]+), (-?[\d.]+)\./.exec(text) ?? [];
  return [Number(x), Number(y)];
}

test("a zone drawn with the mouse has exactly the corners that were clicked", async () => {
  const camera = await createCamera();
  const page = await openCamera(camera);
  await page.click("text=Draw a zone");
  const corners: (readonly number[])[] = [];
  for (const place of [
    [0.3, 0.3],
    [0.6, 0.3],
    [0.6, 0.7],
    [0.3, 0.7],
  ] as const) {
    await clickAll(page, [place]);
    await told(page, `Corner ${corners.length + 1} at`);
    corners.push(await toldPoint(page));
  }
  await clickAll(page, [[0.3, 0.3]]);
  await told(page, "Boundary finished");
  await page.fill("input[name=zone-name]", "Gate");
  expect(await graveFindings(page)).toEqual([]);
  await save(page);

  const [zone] = await zonesOf(camera);
  expect(zone).toMatchObject({ name: "Gate", active: true, polygon: { coordinates: [[...corners, corners[0]]] } });
  const [[left, top] = [], [right] = [], [, bottom] = []] = corners;
  expect(corners).toEqual([
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]);
  await page.waitForSelector("select[name=zone] option:has-text('Gate')", { state: "attached" });
});

test("a whole zone is drawn, changed and saved by keys alone", async () => {
  const camera = await createCamera();
  const page = await openCamera(camera);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.locator("text=Draw a zone").focus();
  await press("Enter");
  await page.waitForSelector("input[name=zone-name]");
  expect(await page.textContent("#zone-hint")).toContain("arrow keys and Enter");
  await press("Shift+ArrowLeft", "Enter");
  await told(page, "Corner 1 at");
  const [x = 0, y = 0] = await toldPoint(page);
  await press("Shift+ArrowRight", "Shift+ArrowRight", "Enter");
  await told(page, "Corner 2 at");
  const [right = 0] = await toldPoint(page);
  await press("Shift+ArrowDown", "Enter", "ArrowLeft", "Enter", "Backspace");
  await told(page, "Corner 4 removed");
  await press("f", "n", "Shift+ArrowUp", "Control+z");
  await told(page, "Undone");
  await press("Enter");
  await page.waitForSelector("text=is saved");

  const [zone] = await zonesOf(camera);
  const [ring = []] = zone?.polygon.coordinates ?? [];
  const [, , [, bottom = 0] = []] = ring;
  expect(right).toBeGreaterThan(x);
  expect(bottom).toBeGreaterThan(y);
  expect(ring).toEqual([
    [x, y],
    [right, y],
    [right, bottom],
    [x, y],
  ]);
});

test("lines that cross are refused in words before anything is sent, and the zone can be mended", async () => {
  const camera = await createCamera();
  const page = await openCamera(camera);
  await page.click("text=Draw a zone");
  await clickAll(page, [
    [0.3, 0.3],
    [0.6, 0.7],
    [0.6, 0.3],
    [0.3, 0.7],
    [0.3, 0.3],
  ]);
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  await page.click("button:has-text('Save')");
  await page.waitForSelector(".zone-problem:has-text('cross')");
  expect(sent.filter((body) => body.includes("mutation"))).toEqual([]);
  expect(await zonesOf(camera)).toEqual([]);

  const [from, to] = [await placeOn(page, [0.6, 0.7]), await placeOn(page, [0.45, 0.1])];
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps: 3 });
  await page.mouse.up();
  await page.waitForSelector(".zone-problem:has-text('cross')", { state: "detached" });
  await save(page);
  expect(await zonesOf(camera)).toHaveLength(1);
});

test("a zone is renamed, switched off and deleted, and a change can be given up", async () => {
  const camera = await createCamera();
  await createZone(camera, "Door");
  const page = await openCamera(camera);
  await beginChange(page, "Door");
  await page.fill("input[name=zone-name]", "Exit");
  await page.uncheck(".zone-editor input[type=checkbox]");
  await save(page);
  const [zone] = await zonesOf(camera);
  expect(zone).toMatchObject({ name: "Exit", active: false });

  await beginChange(page, `${isolated("Exit")} (off)`);
  await page.fill("input[name=zone-name]", "Never");
  await page.keyboard.press("Escape");
  await page.click("[role=alertdialog] >> button:has-text('Give up')");
  await beginChange(page, `${isolated("Exit")} (off)`);
  await page.click("text=Delete zone");
  await page.click("[role=alertdialog] >> button:has-text('Go on')");
  expect(await zonesOf(camera)).toEqual([zone]);
  await page.click("text=Delete zone");
  await page.click("[role=alertdialog] >> button:has-text('Delete')");
  await page.waitForSelector("text=is deleted");
  expect(await zonesOf(camera)).toEqual([]);
});

test("two people who change one zone lose nothing: other fields are joined, the same field is a choice", async () => {
  const camera = await createCamera();
  await createZone(camera, "Door");
  const [mine, theirs] = [await openCamera(camera), await openCamera(camera)];
  const nudge = async (page: Page, key: string) => {
    await page.locator("canvas.picture").first().focus();
    await page.keyboard.press(key);
    await told(page, "Zone moved");
  };
  await beginChange(mine, "Door");
  await beginChange(theirs, "Door");
  await theirs.fill("input[name=zone-name]", "Gate");
  await save(theirs);
  await nudge(mine, "Shift+ArrowRight");
  await save(mine);
  const [joined] = await zonesOf(camera);
  expect(joined?.name).toBe("Gate");
  expect(joined?.polygon.coordinates[0]?.[0]?.[0]).toBeGreaterThan(200);

  await beginChange(mine, "Gate");
  await theirs.waitForSelector("select[name=zone] option:has-text('Gate')", { state: "attached" });
  await beginChange(theirs, "Gate");
  await nudge(mine, "Shift+ArrowUp");
  await nudge(theirs, "Shift+ArrowDown");
  await save(theirs);
  const [moved] = await zonesOf(camera);
  // The editor notices it within seconds, before anybody saves.
  await mine.waitForSelector("[role=alertdialog]:has-text('boundary: theirs is dashed')");
  expect(await mine.locator("button:has-text('Save')").first().isDisabled()).toBe(true);
  expect(await zonesOf(camera)).toEqual([moved]);
  await mine.click("text=Save mine");
  await mine.waitForSelector("text=is saved");
  const [kept] = await zonesOf(camera);
  expect(kept?.polygon.coordinates[0]?.[0]?.[1]).toBeLessThan(150);
});

test("a zone that somebody else deletes meanwhile is not lost to its editor", async () => {
  const camera = await createCamera();
  const id = await createZone(camera, "Door");
  const page = await openCamera(camera);
  await beginChange(page, "Door");
  await stage().system.client.ask(`mutation { deleteZone(id: "${id}") { id } }`);
  await page.click("text=Save mine as a new zone");
  await page.waitForSelector("text=is saved");

  const [zone] = await zonesOf(camera);
  expect(zone?.name).toBe("Door");
  expect(zone?.id).not.toBe(id);
});

test("a draft that is not saved is lost to no link and no button of the browser without a question", async () => {
  const camera = await createCamera();
  await createZone(camera, "Door");
  const page = await stage().open();
  await page.click(`.tile[data-id="${camera}"] a`);
  await beginChange(page, "Door");
  await page.fill("input[name=zone-name]", "Exit");
  const answers: ("accept" | "dismiss")[] = [];
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    return dialog[answers.shift() ?? "dismiss"]();
  });

  await page.click("nav >> text=Ask");
  await page.goBack();
  await until(async () => asked.length === 2 && page.url().endsWith(`/cameras/${camera}`));
  expect(asked.every((question) => question.includes("not saved"))).toBe(true);
  expect(await page.inputValue("input[name=zone-name]")).toBe("Exit");

  answers.push("accept");
  await page.click("nav >> text=Ask");
  await page.waitForSelector("h1:has-text('Ask')");
  await page.goBack();
  await page.waitForSelector("text=Draw a zone");
  expect(asked).toHaveLength(3);
});

test("a finger draws a zone by taps, and moves a corner from 20 pixels beside it", async () => {
  const camera = await createCamera();
  const page = await stage().open(`/cameras/${camera}`, { hasTouch: true, viewport: { width: 390, height: 844 } });
  await page.tap("text=Draw a zone");
  await page.waitForSelector("input[name=zone-name]");
  for (const place of [
    [0.2, 0.2],
    [0.8, 0.2],
    [0.5, 0.8],
    [0.2, 0.2],
  ] as const)
    await page.touchscreen.tap(...(await placeOn(page, place)));
  await told(page, "Boundary finished");
  const [x, y] = await placeOn(page, [0.8, 0.2]);
  await page.touchscreen.tap(x + 20, y);
  await told(page, "Corner 2 of 3");
  await page.tap("button:has-text('Save')");
  await page.waitForSelector("text=is saved");

  expect((await zonesOf(camera))[0]?.polygon.coordinates[0]).toHaveLength(4);
});

test("a token that may only read is offered no editing", async () => {
  const camera = await createCamera();
  await createZone(camera, "Door");
  const { system, open } = stage();
  const command = [TOKENS, "create", "--name", "reader", "--scopes", "read", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: { ...processEnv, ...system.env } });
  const token: { readonly id: string; readonly value: string } = JSON.parse(stdout);
  const headers = { "x-token-id": token.id, "x-token-value": token.value };
  await until(async () => (await system.client.send("{ __typename }", {}, headers)).status === 200);
  const page = await open();
  await page.waitForSelector("main h1");
  await page.goto(linkOf({ ...system, token }, `/cameras/${camera}`));
  await page.waitForSelector("text=Live");
  await page.locator("canvas.picture").first().dblclick();

  expect(await page.locator(".zone-editor").count()).toBe(0);
});

test("a saved and a deleted zone is in the lists at once, before the zones are asked for again", async () => {
  const camera = await createCamera();
  await createZone(camera, "Gate");
  const page = await openCamera(camera);
  const answers = Promise.withResolvers<void>();
  await beginChange(page, "Gate");
  await page.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes("query ZonesOfCameras")) await answers.promise;
    await route.continue();
  });

  await page.fill("input[name=zone-name]", "Door");
  await save(page);
  expect(await page.locator("select[name=zone] option").allTextContents()).toEqual(["Door"]);
  await expect.poll(() => page.textContent(".who-is-where h3")).toContain("Door");

  await beginChange(page, "Door");
  await page.click("button:has-text('Delete zone')");
  await page.click(".zone-question button:has-text('Delete')");
  await page.waitForSelector("text=is deleted");
  expect(await page.locator("select[name=zone]").count()).toBe(0);
  await expect.poll(() => page.textContent(".who-is-where")).toContain("has no zone yet");
  answers.resolve();
});
