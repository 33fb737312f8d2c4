// The page of a camera, and the grid that leads to it.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { tagColour } from "../../../services/console/picture/tag-colour.ts";
import { fitted } from "../../../services/console/picture/view.ts";
import { until } from "../../support/running/processes.ts";
import type { System } from "../../support/running/system.ts";
import { png } from "../../support/scenes/images.ts";
import { graveFindings, shareConsole } from "./browser.ts";

const stage = shareConsole();

/** With nothing further to the right or below, the picture has this size. */
const [WIDTH, HEIGHT] = [1_280, 720];
/** Around the picture on its canvas. */
const MARGIN = 8;

type Box = readonly [left: number, top: number, right: number, bottom: number];

const polygonOf = ([left, top, right, bottom]: Box) => ({
  coordinates: [
    [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ],
  ],
});

async function createCamera({ client }: System, id: string): Promise<void> {
  const dataSource = { id, name: `${id} camera`, type: "VIDEO_DEVICE", labels: [`label-of-${id}`] };
  await client.ask("mutation ($it: CreateDataSourceInput!) { createDataSource(dataSource: $it) { id } }", {
    it: dataSource,
  });
  const zone = { id: `${id}-door`, dataSourceId: id, name: "Door", polygon: polygonOf([640, 0, WIDTH, HEIGHT]) };
  await client.ask("mutation ($it: CreateZoneInput!) { createZone(zone: $it) { id } }", { it: zone });
}

async function createTrack({ client }: System, dataSourceId: string, id: string, startMs: number): Promise<void> {
  const track = { id, dataSourceId, tag: "person", startTime: new Date(startMs).toISOString(), detections: [] };
  await client.ask("mutation ($it: CreateTrackInput!) { createTrack(track: $it) { id } }", { it: track });
}

async function detect({ client }: System, trackId: string, atMs: number, box: Box): Promise<void> {
  const detection = { trackId, timestamp: new Date(atMs).toISOString(), polygon: polygonOf(box) };
  await client.ask("mutation ($it: CreateDetectionInput!) { createDetection(detection: $it) { id } }", {
    it: detection,
  });
}

async function uploadImage({ client }: System, dataSourceId: string, atMs: number, bytes: Buffer): Promise<void> {
  const image = { dataSourceId, timestamp: new Date(atMs).toISOString(), data: bytes.toString("base64") };
  await client.ask("mutation ($it: UploadImageInput!) { uploadImage(image: $it) { id } }", { it: image });
}

/** @returns how light the canvas is near its lower left corner, where nothing is painted over the ground. */
const shadeOf = (page: Page, canvas: string): Promise<number> =>
  page.evaluate(
    `((canvas) => canvas.getContext("2d").getImageData(30, canvas.height - 30, 1, 1).data[0])(document.querySelector("${canvas}"))`,
  );

/** @returns whether the left edge of the box has the colour of the tag, in the middle of its height. */
async function isPainted(page: Page, [left, top, , bottom]: Box): Promise<boolean> {
  const [width, height]: [number, number] = await page.evaluate(
    "(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])(document.querySelector('canvas.picture'))",
  );
  const view = fitted([0, 0, WIDTH, HEIGHT], width - 2 * MARGIN, height - 2 * MARGIN);
  const x = Math.round(view.left + MARGIN + left * view.scale);
  const y = Math.round(view.top + MARGIN + ((top + bottom) / 2) * view.scale);
  const pixels: number[] = await page.evaluate(
    `[...document.querySelector("canvas.picture").getContext("2d").getImageData(${x - 2}, ${y}, 5, 1).data]`,
  );
  const wanted = [1, 3, 5].map((at) => Number.parseInt(tagColour("person").slice(at, at + 2), 16));
  return [0, 1, 2, 3, 4].some((i) => wanted.every((value, j) => Math.abs(value - (pixels[4 * i + j] ?? -99)) < 40));
}

test("boxes are where the API has them, and a late detection moves none back", async () => {
  const { system, open } = stage();
  await createCamera(system, "west");
  const now = Date.now();
  const first: Box = [100, 300, 140, 420];
  const second: Box = [900, 300, 940, 420];
  const late: Box = [300, 300, 340, 420];
  await createTrack(system, "west", "walker", now);
  const page = await open("/cameras/west");
  await page.waitForSelector(".who-is-where h3");

  await detect(system, "walker", now, first);
  await page.waitForSelector("#picture-counts:has-text('1 objects, 0 stays')");
  await until(() => isPainted(page, first));
  await detect(system, "walker", now + 1_000, second);
  await page.waitForSelector("#picture-counts:has-text('1 objects, 1 stays')");
  await until(() => isPainted(page, second));
  await detect(system, "walker", now + 500, late);
  // All of a camera is in order, so what comes after the late detection shows that it has arrived.
  await createTrack(system, "west", "other", now);
  await detect(system, "other", now + 1_000, [500, 100, 540, 220]);
  await page.waitForSelector("#picture-counts:has-text('2 objects')");
  await until(() => isPainted(page, [500, 100, 540, 220]));

  expect([await isPainted(page, first), await isPainted(page, second), await isPainted(page, late)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(await page.locator(".who-is-where").textContent()).toMatch(/Door\s+1\s+person walker/);
  expect(await page.locator(".crossings").textContent()).toMatch(/person\s+walker\s+entered Door/);
});

test.for([-7, 7])(
  "a viewer whose clock is %i hours wrong sees what is there now, and is told of the clock",
  async (hours) => {
    const { system, open } = stage();
    const id = `wrong-${hours}`;
    await createCamera(system, id);
    const page = await open("/system");
    await page.waitForSelector("text=agrees with that of the server");
    await page.addInitScript(`{
    const rightNow = Date.now;
    Date.now = () => rightNow() + ${hours} * 3_600_000;
  }`);
    const now = Date.now();
    await createTrack(system, id, `guest-${id}`, now);
    await detect(system, `guest-${id}`, now, [900, 300, 940, 420]);
    await page.goto(new URL(`/console/cameras/${id}`, system.url).href);

    await page.waitForSelector("#picture-counts:has-text('1 objects, 1 stays')");
    expect(await page.locator(".who-is-where .dwell").textContent()).toMatch(/^\d{1,2} s$/);
    await page.waitForSelector(".crossings li:has-text('entered')");
    expect(await page.locator(".clock-notice").textContent()).toContain(
      hours > 0 ? "7 h ahead of that of the server" : "7 h behind that of the server",
    );
  },
);

test("a track that has ended leaves the picture", async () => {
  const { system, open } = stage();
  await createCamera(system, "east");
  const now = Date.now();
  await createTrack(system, "east", "guest", now);
  const page = await open("/cameras/east");
  await page.waitForSelector(".who-is-where h3");
  await detect(system, "guest", now, [100, 300, 140, 420]);
  await page.waitForSelector("#picture-counts:has-text('1 objects')");

  const track = { id: "guest", endTime: new Date(now + 500).toISOString() };
  await system.client.ask("mutation ($it: UpdateTrackInput!) { updateTrack(track: $it) { id } }", { it: track });

  await page.waitForSelector("#picture-counts:has-text('0 objects')");
});

test("a click on an object beside a zone in work opens nothing, and the browser asks before the change is lost", async () => {
  const { system, open } = stage();
  await createCamera(system, "south");
  const now = Date.now();
  const box: Box = [100, 300, 200, 420];
  await createTrack(system, "south", "visitor", now);
  const page = await open("/cameras/south");
  await page.waitForSelector("button:has-text('Change')");
  await detect(system, "visitor", now, box);
  await until(() => isPainted(page, box));
  await page.click("button:has-text('Change')");
  await page.fill("input[name=zone-name]", "Gate");
  const { width, height } = (await page.locator("canvas.picture").boundingBox()) ?? { width: 0, height: 0 };
  const position = { x: (150 / WIDTH) * width, y: (360 / HEIGHT) * height };
  await page.locator("canvas.picture").click({ position });
  await page.waitForSelector(".hover-card:has-text('visitor')");

  expect(new URL(page.url()).pathname).toBe("/console/cameras/south");
  expect(await page.inputValue("input[name=zone-name]")).toBe("Gate");
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();

  await page.click("button:has-text('Cancel')");
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Go on editing");
  await page.click("button:has-text('Give up')");
  await page.locator("canvas.picture").click({ position });
  await page.waitForURL("**/tracks/south/visitor*");
});

test("a search of the grid finds a camera by its label, and its tile opens it", async () => {
  const { system, open } = stage();
  await Promise.all([createCamera(system, "north"), createCamera(system, "south")]);
  const page = await open();
  await page.waitForSelector(".tile[data-id=south]");

  await page.fill("input[type=search]", "label-of-north");
  await page.waitForSelector(".tile[data-id=south]", { state: "detached" });
  await page.click(".tile[data-id=north] a");

  await page.waitForSelector("h1:has-text('north camera')");
  expect(new URL(page.url()).pathname).toBe("/console/cameras/north");
});

test("the newest image of a camera is behind its tile, and the closest one behind the path of a track and a past moment", async () => {
  const { system, open } = stage();
  await createCamera(system, "seen");
  const now = Date.now();
  await uploadImage(system, "seen", now - 60_000, png(WIDTH, HEIGHT, 90));
  await uploadImage(system, "seen", now - 30_000, png(WIDTH, HEIGHT, 160));
  await createTrack(system, "seen", "early", now - 58_000);
  await detect(system, "early", now - 58_000, [100, 300, 140, 420]);
  await detect(system, "early", now - 57_000, [200, 300, 240, 420]);
  const page = await open("?q=seen");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.postData()?.includes("NewestImages")) asked.push(request.url());
  });
  await page.reload();

  await expect.poll(() => shadeOf(page, ".tile[data-id=seen] canvas")).toBe(160);
  await page.fill("input[type=search]", "west");
  await page.waitForSelector(".tile[data-id=seen]", { state: "detached" });
  await page.fill("input[type=search]", "seen");
  await page.waitForSelector(".tile[data-id=seen]");
  await expect.poll(() => shadeOf(page, ".tile[data-id=seen] canvas")).toBe(160);
  expect(asked.length).toBeLessThanOrEqual(2);

  await page.goto(new URL("/console/tracks/seen/early", system.url).href);
  await expect.poll(() => shadeOf(page, "canvas.picture")).toBe(90);

  const camera = new URL("/console/cameras/seen", system.url);
  await page.goto(camera.href);
  await expect.poll(() => shadeOf(page, "canvas.picture")).toBe(160);
  camera.searchParams.set("at", new Date(now - 58_000).toISOString());
  await page.goto(camera.href);
  await expect.poll(() => shadeOf(page, "canvas.picture")).toBe(90);
});

test("an image that never comes leaves those of other cameras to come", async () => {
  const { system, open } = stage();
  const shadesById = { "pair-one": 90, "pair-two": 160 };
  for (const [id, shade] of Object.entries(shadesById)) {
    await createCamera(system, id);
    await uploadImage(system, id, Date.now(), png(WIDTH, HEIGHT, shade));
  }
  const page = await open("/system");
  await page.clock.install();
  const asked: string[] = [];
  await page.route("**/media/**", async (route) => {
    asked.push(route.request().url());
    // The first one has no answer.
    if (asked.length > 1) await route.continue();
  });
  await page.goto(new URL("/console?q=pair-", system.url).href);
  await expect.poll(() => asked.length).toBe(1);

  await page.clock.fastForward(20_000);

  const hasImage = async ([id, shade]: [string, number]) =>
    (await shadeOf(page, `.tile[data-id=${id}] canvas`)) === shade;
  const shown = async () => (await Promise.all(Object.entries(shadesById).map(hasImage))).filter(Boolean).length;
  await expect.poll(shown).toBe(1);
});

test("the pictures of the grid follow the size of the window", async () => {
  const { system, open } = stage();
  await createCamera(system, "wide");
  const page = await open("?q=wide", { viewport: { width: 1_000, height: 700 } });
  const sizes = (): Promise<readonly number[]> =>
    page.evaluate(
      "(({ width, height, clientWidth, clientHeight }) => [width, height, clientWidth, clientHeight])(document.querySelector('.tile canvas'))",
    );
  await page.waitForSelector(".tile[data-id=wide]");
  await expect.poll(async () => (await sizes())[0]).toBeGreaterThan(0);
  const [before = 0] = await sizes();
  await page.setViewportSize({ width: 400, height: 700 });

  await expect
    .poll(async () => {
      const [width, height, shownWidth, shownHeight] = await sizes();
      return width !== before && width === shownWidth && height === shownHeight;
    })
    .toBe(true);
});

test("names from right to left leave the order of the words and figures around them", async () => {
  const { system, open } = stage();
  await createCamera(system, "hall");
  const zone = { id: "hall-door", name: "שער!" };
  await system.client.ask("mutation ($it: UpdateZoneInput!) { updateZone(zone: $it) { id } }", { it: zone });
  const page = await open("/cameras/hall");
  await page.waitForSelector(".who-is-where h3:has-text('שער')");

  const lefts = await page.evaluate(`(() => {
    const heading = [...document.querySelectorAll(".who-is-where h3")].find((each) => each.textContent.includes("שער"));
    const range = document.createRange();
    range.selectNodeContents(heading.querySelector("bdi"));
    return [range.getBoundingClientRect().left, heading.querySelector(".count").getBoundingClientRect().left];
  })()`);
  const [name = 0, count = 0] = lefts as number[];
  expect(name).toBeLessThan(count);
});

test("axe finds nothing grave on the page of a camera, which fits into a narrow window", async () => {
  const { system, open } = stage();
  await createCamera(system, "inner");
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await open("/cameras/inner", { colorScheme, viewport: { width: 360, height: 740 } });
    await page.waitForSelector("h1:has-text('inner camera')");
    await page.waitForSelector(".who-is-where h3");

    expect(await graveFindings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  }
});

test("more objects than a list shows at first are a key away", async () => {
  const { open, system } = stage();
  await createCamera(system, "crowd");
  const now = Date.now();
  const ids = Array.from({ length: 25 }, (_, i) => `of-crowd-${i}`);
  await Promise.all(
    ids.map(async (id, i) => {
      await createTrack(system, "crowd", id, now);
      await detect(system, id, now, [i * 10, 100, i * 10 + 8, 140]);
    }),
  );
  const page = await open("/cameras/crowd");
  await page.waitForSelector(".who-is-where .more >> text=and 5 more");
  expect(await page.locator(".who-is-where li a").count()).toBe(20);

  await page.focus(".who-is-where .more");
  await page.keyboard.press("Enter");

  await page.waitForSelector(".who-is-where li:nth-child(21) a:focus");
  expect(await page.locator(".who-is-where li a").count()).toBe(25);
  expect(await page.locator(".who-is-where .more").count()).toBe(0);
});

test("of more cameras than fit on many screens, further ones come as somebody goes on", async () => {
  const { open, system } = stage();
  const fields = Array.from(
    { length: 130 },
    (_, i) =>
      `of${i}: createDataSource(dataSource: { id: "warehouse-${i}", name: "Warehouse ${i}", type: VIDEO_DEVICE }) { id }`,
  );
  for (let from = 0; from < fields.length; from += 50)
    await system.client.ask(`mutation { ${fields.slice(from, from + 50).join(" ")} }`);
  const page = await open("/?q=warehouse");
  await page.waitForSelector(".tile");
  expect(await page.locator(".tile").count()).toBe(120);
  expect(await page.textContent("main [role=status]")).toContain("130 of");

  await page.locator("main button >> text=Show more").scrollIntoViewIfNeeded();

  await page.waitForSelector(".tile:nth-child(130)");
  expect(await page.locator("main button >> text=Show more").count()).toBe(0);
});
