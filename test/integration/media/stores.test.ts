// The local folder and the bucket promise the same.
import { randomBytes, randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ByteRange, MediaStore } from "../../../services/common/media/store.ts";
import { type S3Server, startS3 } from "../../support/running/s3-server.ts";
import { makeDir, serve } from "./serve.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
let server: S3Server;

beforeAll(async () => {
  const { dir, remove } = await makeDir();
  cleanUps.push(remove);
  server = await startS3(dir);
  cleanUps.unshift(server.stop);
});

afterAll(async () => {
  for (const clean of cleanUps) await clean();
});

const settings = {
  async "local folder"() {
    const { dir, remove } = await makeDir();
    cleanUps.push(remove);
    return { MEDIA_DIR: dir };
  },
  bucket: async () => server.env,
} as const;

/** A store whose links live for `lifeTimeS`. */
async function openStore(name: keyof typeof settings, lifeTimeS = 600): Promise<MediaStore> {
  const served = await serve({ ...(await settings[name]()), MEDIA_LINK_S: String(lifeTimeS) });
  cleanUps.unshift(served.stop);
  return served.store;
}

async function read(store: MediaStore, path: string, range?: ByteRange): Promise<Buffer> {
  const medium = await store.open(path);
  if (medium === undefined) throw new Error(`${path} is not there`);
  return buffer(await medium.read(range));
}

const newPath = () => `images/${randomUUID()}.png`;

describe.each(["local folder", "bucket"] as const)("%s", (name) => {
  let store: MediaStore;
  beforeAll(async () => {
    store = await openStore(name);
  });

  async function stored(bytes: Uint8Array = randomBytes(5_000)) {
    const path = newPath();
    await store.put(path, bytes);
    return { path, bytes, url: await store.signedUrl(path) };
  }

  test("gives back what was put, and its last version", async () => {
    const { path, bytes } = await stored();

    expect(await read(store, path)).toEqual(bytes);
    await store.put(path, Buffer.from("other"));
    expect(await read(store, path)).toEqual(Buffer.from("other"));
  });

  test("gives a range", async () => {
    const { path, bytes } = await stored();

    expect(await read(store, path, { first: 10, last: 99 })).toEqual(bytes.subarray(10, 100));
  });

  test("knows what exists, and deletes it, twice if asked twice", async () => {
    const { path, url } = await stored();

    expect(await store.exists(path)).toBe(true);
    await store.delete(path);
    await store.delete(path);
    expect(await store.exists(path)).toBe(false);
    expect(await store.open(path)).toBeUndefined();
    expect((await fetch(url)).status).toBe(404);
  });

  test("keeps an empty medium", async () => {
    const { url } = await stored(Buffer.alloc(0));

    const response = await fetch(url);

    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test("names with spaces, percent signs and letters of any script have links that work", async () => {
    for (const file of ["a b.png", "100%.png", "%2e%2e.png", "a?b#c&d=e.png", "zażółć-画像.png", "a+b'(c)!*.png"]) {
      const path = `images/${randomUUID()}/${file}`;
      await store.put(path, Buffer.from(file));

      const response = await fetch(await store.signedUrl(path));

      expect([response.status, await response.text()]).toEqual([200, file]);
    }
  });

  test("a link gives the medium with its type and length", async () => {
    const { bytes, url } = await stored();

    const response = await fetch(url);

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("content-length")).toBe(String(bytes.length));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  test.each([
    ["bytes=0-0", 0, 1],
    ["bytes=100-199", 100, 200],
    ["bytes=4900-", 4_900, 5_000],
    ["bytes=4900-9999", 4_900, 5_000],
    ["bytes=-100", 4_900, 5_000],
  ])("a link answers the range %s with 206", async (range, first, end) => {
    const { bytes, url } = await stored();

    const response = await fetch(url, { headers: { range } });

    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${first}-${end - 1}/5000`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(first, end));
  });

  test("a link answers a range behind the end with 416", async () => {
    const { url } = await stored();

    expect((await fetch(url, { headers: { range: "bytes=5000-" } })).status).toBe(416);
  });

  test("a link to what is not there is answered with 404", async () => {
    expect((await fetch(await store.signedUrl(newPath()))).status).toBe(404);
  });

  test("a link for another path, another time or with another signature is refused with 403", async () => {
    const { url, path } = await stored();
    const other = await stored();
    const signature = /(?<=[Ss]ignature=)[^&]+/;
    const [own = ""] = signature.exec(url) ?? [];
    const forged = [
      url.replace(path, other.path),
      url.replace(/(expires|X-Amz-Expires)=(\d+)/, (_, key, value) => `${key}=${Number(value) + 1}`),
      url.replace(signature, (own.startsWith("a") ? "b" : "a") + own.slice(1)),
      url.replace(signature, own.slice(1)),
      url.replace(signature, ""),
    ];

    expect(new Set([...forged, url]).size).toBe(forged.length + 1);
    for (const each of forged) expect((await fetch(each)).status, each).toBe(403);
    expect((await fetch(url.split("?")[0] ?? "")).status).toBe(403);
  });

  test("an expired link is refused with 403", async () => {
    const brief = await openStore(name, 1);
    const path = newPath();
    await brief.put(path, Buffer.from("x"));
    const url = await brief.signedUrl(path);

    await expect.poll(async () => (await fetch(url)).status, { timeout: 10_000, interval: 200 }).toBe(403);
  });
});

test("paths name nothing of the bucket outside its prefix", async () => {
  const open = async (MEDIA_PREFIX: string) => {
    const served = await serve({ ...server.env, MEDIA_PREFIX });
    cleanUps.unshift(served.stop);
    return served.store;
  };
  const [whole, ours] = [await open("/"), await open("of/ours")];
  await whole.put("secret.png", Buffer.from("theirs"));
  await ours.put("a.png", Buffer.from("ours"));

  expect(await ours.exists("secret.png")).toBe(false);
  expect((await fetch(await ours.signedUrl("secret.png"))).status).toBe(404);
  expect(await read(whole, "of/ours/a.png")).toEqual(Buffer.from("ours"));
});

test.each([
  ["that does not exist", { MEDIA_BUCKET: "another" }, "NoSuchBucket"],
  ["with a wrong secret", { MEDIA_SECRET_ACCESS_KEY: "wrong" }, "SignatureDoesNotMatch"],
])("a bucket %s is refused at the start", async (_, wrong, reason) => {
  await expect(serve({ ...server.env, ...wrong })).rejects.toThrow(reason);
});

test("a bucket whose server is away is UNAVAILABLE, and works again when it is back", async () => {
  const store = await openStore("bucket");
  const path = newPath();
  await store.put(path, Buffer.from("kept"));

  await server.halt();
  await expect(store.put(newPath(), Buffer.from("x"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(store.open(path)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await server.resume();

  expect(await read(store, path)).toEqual(Buffer.from("kept"));
});
