// The past on the page of a camera: its picture is that of the REST interface, and people can reach and play it.
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { createScene } from "../../../services/cli/demo/scene/scene.ts";
import { askStill } from "../../../services/console/data/past-questions.ts";
import { Reel } from "../../../services/console/data/reel.ts";
import { type Ask, askAt } from "../../support/clients/rest-client.ts";
import { FEW_INSERTS } from "../../support/running/system.ts";
import { createStage, playScene, type StageCamera } from "../../support/scenes/play-scene.ts";
import { graveFindings, shareConsole } from "./browser.ts";

const scene = createScene({
  seed: 23,
  cameras: 1,
  walkersPerCamera: 6,
  seconds: 40,
  fps: 4,
  start: Date.parse("2026-01-01T12:00:00.000Z"),
  duplicateShare: 0,
  maxLateMs: 0,
});
const shared = shareConsole({ ...FEW_INSERTS, ALLOWED_URL_CIDRS: "127.0.0.0/8" });
let stage: StageCamera | undefined;

beforeAll(async () => {
  const { client } = shared().system;
  [stage] = await createStage(client, scene);
  const position = await playScene(client, stage ? [stage] : []);
  await client.ask("{ detections(filter: { time: {} }, first: 0) { totalCount } }", {}, { "x-min-position": position });
});

function staged(): StageCamera {
  if (stage === undefined) throw new Error("the scene has no camera");
  return stage;
}

const iso = (ms: number) => new Date(ms).toISOString();
/** Pages show a moment so in UTC, with the part of the second when there is one. */
const momentText = (ms: number) =>
  iso(ms)
    .replace("T", " ")
    .replace(/(\.000)?Z$/, "");
/** Moments of frames, spread over the scene. */
const frames = () => [...new Set(staged().camera.detections.map(({ timestamp }) => timestamp))];
const middle = () => frames()[Math.floor(frames().length / 2)] ?? 0;

function restAsk(): Ask {
  const { restUrl, system } = shared();
  return askAt(restUrl, { "x-token-id": system.token.id, "x-token-value": system.token.value });
}

async function pictureAt(at: number) {
  const { client } = shared().system;
  const asks = { ask: <Data>(document: string, variables?: object) => client.ask<Data>(document, variables) };
  const { signal } = new AbortController();
  return new Reel(await askStill(asks, { id: staged().dataSourceId, at, trail: 5, signal })).pictureAt(at);
}

test("the picture of a moment equals the snapshots of the REST interface, in boxes and in zones", async () => {
  const ask = restAsk();
  let compared = 0;
  for (const at of frames().filter((_, i) => i % 16 === 5)) {
    const { objects, stays } = await pictureAt(at);
    const seen = [...objects.values()].filter((object) => object.at === at);
    const tracks = seen.map(({ trackId }) => ({ track_id: trackId, timestamp: iso(at) }));
    const { body } = await ask("POST", "/api/tracks/snapshot", { tracks });

    expect(seen.length).toBeGreaterThan(0);
    for (const { trackId, box } of seen) {
      const { position, zones } = body.snapshots[trackId];
      const [leftTop, , rightBottom] = position.polygon;
      const inZones = stays.filter((stay) => stay.trackId === trackId).map(({ zoneId }) => zoneId);

      expect([trackId, position.method, leftTop, rightBottom]).toEqual([
        trackId,
        "real",
        box.slice(0, 2),
        box.slice(2),
      ]);
      // A stay is over at its end, which for the last detection of a track is that detection.
      const isLast = staged().camera.detections.findLast((each) => each.trackId === trackId)?.timestamp === at;
      if (!isLast)
        expect([trackId, at, inZones.sort()]).toEqual([trackId, at, Object.keys(zones.active_at_timestamp).sort()]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(20);
});

test("between two frames the picture is that of the closest frame before", async () => {
  const ask = restAsk();
  const at = middle() + 1;
  const { objects } = await pictureAt(at);

  for (const { trackId, box, at: seenAt } of [...objects.values()].filter((object) => object.at === at - 1)) {
    const { body } = await ask("GET", `/api/tracks/closest-frame?track_id=${trackId}&timestamp=${iso(at)}`);

    expect([body.timestamp, body.polygon[0], body.polygon[2]]).toEqual([iso(seenAt), box.slice(0, 2), box.slice(2)]);
  }
  expect(objects.size).toBeGreaterThan(0);
});

async function openAt(at: number, options = {}): Promise<Page> {
  const page = await shared().open(`/cameras/${staged().dataSourceId}?at=${iso(at)}`, { locale: "en-US", ...options });
  await page.waitForSelector(".past-mark");
  return page;
}

/** Tracks that the page lists. */
const listed = (page: Page) =>
  page.locator(".who-is-where a[title]").evaluateAll((all) => all.map((link) => link.getAttribute("title")));
const moment = (page: Page) => page.getAttribute("[role=slider]", "aria-valuetext");
const addressAt = (page: Page) => new URL(page.url()).searchParams.get("at");

/** 0 when the moment of the address is at the beginning of its range, 1 when it is at the end. */
function shareOfMoment(page: Page): number {
  const { searchParams } = new URL(page.url());
  const [from = 0, to = 0, at = 0] = ["from", "to", "at"].map((name) => Date.parse(searchParams.get(name) ?? ""));
  return (at - from) / (to - from);
}

test("a link opens its moment, with the tracks that were there then", async () => {
  const at = middle();
  const page = await openAt(at, { timezoneId: "UTC" });
  const { objects } = await pictureAt(at);

  await expect.poll(async () => new Set(await listed(page))).toEqual(new Set(objects.keys()));
  expect(await moment(page)).toBe(momentText(at));
  expect(await graveFindings(page)).toEqual([]);
});

test("until the first answer the page says that it loads, and keeps picture and zones", async () => {
  const page = await shared().open(`/cameras/${staged().dataSourceId}`);
  await page.waitForSelector("select[name=zone]");
  const answers = Promise.withResolvers<void>();
  await page.route("**/graphql", async (route) => {
    await answers.promise;
    await route.continue();
  });

  await page.focus("[role=slider]");
  await page.keyboard.press("Home");
  await page.waitForSelector(".past-mark");
  await expect.poll(() => page.textContent(".picture-note")).toBe("Loading this moment …");
  expect(await page.textContent(".who-is-where")).toContain("Loading who was there …");
  expect(await page.textContent(".who-is-where")).not.toContain("no zone");
  expect(await page.locator("select[name=zone]").count()).toBe(1);

  answers.resolve();
  await expect.poll(() => page.textContent(".picture-note")).toBe("Nobody was seen at this moment.");
});

test("the lists and the chart beside the picture are those of the moment", async () => {
  const at = middle();
  const { client } = shared().system;
  type Stay = { startTime: string; endTime: string | null };
  const query = `query ($id: ID!) {
    zoneIntersections(filter: { dataSourceId: { eq: $id }, time: {} }, first: 1000) { edges { node { startTime endTime } } }
  }`;
  type Answer = { zoneIntersections: { edges: readonly { node: Stay }[] } };
  const { zoneIntersections } = await client.ask<Answer>(query, { id: staged().dataSourceId });
  const times = zoneIntersections.edges
    .flatMap(({ node: { startTime, endTime } }) => [startTime, endTime ?? iso(at + 1)])
    .filter((time) => Date.parse(time) <= at)
    .sort()
    .reverse();
  const page = await openAt(at, { timezoneId: "UTC" });

  const listedTimes = () => page.locator(".crossings li time").allTextContents();
  await expect.poll(listedTimes).toEqual(times.map((time) => time.slice(11, 19)).slice(0, 50));
  expect(times.length).toBeGreaterThan(1);
  const moment = iso(at).slice(0, 19).replace("T", " ");
  expect(await page.locator(".crossings h2").textContent()).toBe(`Entered and left until ${momentText(at)}`);
  await expect.poll(() => page.locator(".occupancy h2").textContent()).toContain(`the hour until ${moment}`);
  await page.waitForSelector(".occupancy .chart");

  await page.click(".time-line button.live");
  await page.waitForSelector(".occupancy h2:has-text('the last hour')");
  expect(await page.locator(".crossings h2").textContent()).toBe("Entered and left");
});

test("a question about a past moment that fails is shown, and can be asked again", async () => {
  const path = `/cameras/${staged().dataSourceId}?at=${iso(middle())}`;
  const page = await shared().open("/system", {}, /Failed to load resource/);
  await page.waitForSelector("h1");
  let isBroken = true;
  await page.route("**/graphql", (route) =>
    isBroken && route.request().postData()?.includes("PastCrossings") ? route.abort() : route.continue(),
  );
  await page.goto(new URL(`/console${path}`, shared().system.url).href);
  await page.waitForSelector(".crossings [role=alert]");
  expect(await page.locator(".crossings li").count()).toBe(0);

  isBroken = false;
  await page.click(".crossings >> text=Try again");

  await page.waitForSelector(".crossings li");
  expect(await page.locator(".crossings [role=alert]").count()).toBe(0);
});

test("keys step by frames, play, and go back to the present", async () => {
  const [first = 0, second = 0, third = 0] = frames();
  const page = await openAt(first, { timezoneId: "UTC" });

  await page.keyboard.press(".");
  await expect.poll(() => addressAt(page)).toBe(iso(second));
  await page.keyboard.press(".");
  await expect.poll(() => addressAt(page)).toBe(iso(third));
  await page.keyboard.press(",");
  await expect.poll(() => addressAt(page)).toBe(iso(second));

  await page.selectOption("select[aria-label=Speed]", "64");
  await page.locator("[role=slider]").focus();
  await page.keyboard.press("Space");
  const last = frames().at(-1) ?? 0;
  await expect.poll(async () => Date.parse(`${await moment(page)}Z`)).toBeGreaterThan(last);
  await expect.poll(() => listed(page)).toEqual([]);
  await page.keyboard.press("Space");
  await expect.poll(() => Date.parse(addressAt(page) ?? "")).toBeGreaterThan(last);

  await page.keyboard.press("l");
  await page.waitForSelector(".live-mark");
  await expect.poll(() => addressAt(page)).toBeNull();
});

test("the slider is moved by keys and by dragging, and a reload keeps moment and range", async () => {
  const at = middle();
  const page = await openAt(at);
  const slider = page.locator("[role=slider]");

  await slider.focus();
  await page.keyboard.press("Home");
  await expect.poll(() => addressAt(page)).toBe(new URL(page.url()).searchParams.get("from"));

  const { width = 0 } = (await slider.boundingBox()) ?? {};
  await slider.hover({ position: { x: width / 4, y: 40 } });
  await page.mouse.down();
  await slider.hover({ position: { x: width / 2, y: 40 } });
  await page.mouse.up();
  await expect.poll(() => shareOfMoment(page)).toBeCloseTo(0.5, 1);
  const { searchParams } = new URL(page.url());

  await page.reload();
  await page.waitForSelector(".past-mark");
  expect(new URL(page.url()).searchParams.toString()).toBe(searchParams.toString());
});

test("a heat map counts the detections of the range", async () => {
  const page = await openAt(middle());

  await page.click("text=Heat map");
  const { length } = staged().camera.detections;
  await expect
    .poll(() => page.textContent(".heat"))
    .toContain(`${length.toLocaleString("en")} of ${length.toLocaleString("en")} detections.`);
  await page.click("text=By positions");
  await expect.poll(() => page.textContent(".heat")).toContain("No detection of this range has a position");
});

test("the page of a track shows its path, its stays and the way back, also on a narrow screen", async () => {
  const { camera, dataSourceId } = staged();
  const [track] = camera.tracks.toSorted((a, b) => b.detections.length - a.detections.length);
  const page = await shared().open(`/tracks/${dataSourceId}/${track?.trackId}`, {
    locale: "en-US",
    viewport: { width: 360, height: 740 },
  });

  await page.waitForSelector(".uplot canvas");
  await page.waitForSelector(".stays tbody tr");
  expect(await page.textContent(".track-facts")).toContain(String(track?.detections.length));
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await graveFindings(page)).toEqual([]);

  await page.click("text=The camera at this moment");
  await page.waitForSelector(".past-mark");
  expect(addressAt(page)).toBe(iso(track?.detections.at(-1)?.timestamp ?? 0));
});

test("from the page of a track, the camera marks the track in its picture and in its list", async () => {
  const at = middle();
  const [trackId = ""] = (await pictureAt(at)).objects.keys();
  const page = await shared().open(`/tracks/${staged().dataSourceId}/${trackId}?at=${iso(at)}`);

  await page.waitForSelector(".track-moment");
  await page.click("text=The camera at this moment");
  await page.waitForSelector(".who-is-where a[aria-current]");
  expect(await page.getAttribute(".who-is-where a[aria-current]", "title")).toBe(trackId);
});

test("the page of a track keeps the moment that was asked for, and says how old its box is", async () => {
  const { camera, dataSourceId } = staged();
  const [track] = camera.tracks;
  const at = (track?.detections.at(-1)?.timestamp ?? 0) + 5_380;
  const page = await shared().open(`/tracks/${dataSourceId}/${track?.trackId}?at=${iso(at)}`, { timezoneId: "UTC" });

  await page.waitForSelector(".track-age:has-text('a detection 5 s before')");
  expect(await page.textContent(".track-moment span")).toBe(iso(at).slice(0, -1).replace("T", " "));
  expect(addressAt(page)).toBe(iso(at));
  await page.click("text=The camera at this moment");
  await page.waitForSelector(".past-mark");
  expect(addressAt(page)).toBe(iso(at));
});
