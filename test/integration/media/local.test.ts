// Promises of the local folder beyond those of both stores (stores.test.ts): its server, its key, its borders.

import { execFileSync } from "node:child_process";
import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { request as rawRequest } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeDir, serve } from "./serve.ts";

async function openFolder(env: Readonly<Record<string, string>> = {}) {
  const { dir, remove } = await makeDir();
  onTestFinished(remove);
  const folder = join(dir, "media");
  return { dir, folder, ...(await again(folder, env)) };
}

async function again(folder: string, env: Readonly<Record<string, string>> = {}) {
  const served = await serve({ MEDIA_DIR: folder, ...env });
  onTestFinished(served.stop);
  return served;
}

test("HEAD gives the headers of GET and no body", async () => {
  const { store } = await openFolder();
  await store.put("a.mp4", Buffer.from("12345"));
  const url = await store.signedUrl("a.mp4");

  const [head, get] = await Promise.all([fetch(url, { method: "HEAD" }), fetch(url)]);

  for (const name of ["content-type", "content-length", "accept-ranges", "etag", "x-content-type-options"]) {
    expect(head.headers.get(name), name).toBe(get.headers.get(name));
  }
  expect(head.headers.get("content-length")).toBe("5");
  expect(head.headers.get("x-content-type-options")).toBe("nosniff");
  expect(head.headers.get("accept-ranges")).toBe("bytes");
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("a range is not mixed with another version", async () => {
  const { store } = await openFolder();
  await store.put("a.mp4", Buffer.from("12345"));
  const url = await store.signedUrl("a.mp4");
  const etag = (await fetch(url)).headers.get("etag") ?? "";
  const part = async (version: string) =>
    (await fetch(url, { headers: { range: "bytes=1-2", "if-range": version } })).text();

  expect(await part(etag)).toBe("23");
  await store.put("a.mp4", Buffer.from("abcdefg"));
  expect(await part(etag)).toBe("abcdefg");
});

test("what is neither image nor video is only for downloading", async () => {
  const { store, folder } = await openFolder();
  await writeFile(join(folder, "page.html"), "<script>alert(1)</script>");

  const { headers } = await fetch(await store.signedUrl("page.html"));

  expect(headers.get("content-type")).toBe("application/octet-stream");
  expect(headers.get("content-disposition")).toBe("attachment");
  expect(headers.get("content-security-policy")).toContain("sandbox");
});

test("links outlive a restart, and instances on one folder accept each other's", async () => {
  const { store, folder, stop } = await openFolder();
  await store.put("a.png", Buffer.from("x"));
  const { search, pathname } = new URL(await store.signedUrl("a.png"));
  await stop();

  const [first, second] = await Promise.all([again(folder), again(folder)]);

  for (const { app } of [first, second]) {
    expect((await fetch(`${app.listeningOrigin}${pathname}${search}`)).status).toBe(200);
  }
});

test("instances that start at the same time agree on one key, which only their user can read", async () => {
  const { dir, remove } = await makeDir();
  onTestFinished(remove);
  const folder = join(dir, "media");
  const served = await Promise.all(Array.from({ length: 8 }, () => again(folder)));
  const [{ store } = await again(folder)] = served;
  await store.put("a.png", Buffer.from("x"));
  const { search } = new URL(await store.signedUrl("a.png"));

  for (const { app } of served) expect((await fetch(`${app.listeningOrigin}/media/a.png${search}`)).status).toBe(200);
  expect((await stat(join(folder, ".link-key"))).mode & 0o777).toBe(0o600);
});

test("a key from the settings takes the place of the folder's", async () => {
  const { store, folder } = await openFolder();
  await store.put("a.png", Buffer.from("x"));
  const { search } = new URL(await store.signedUrl("a.png"));
  const { app } = await again(folder, { MEDIA_KEY: "k".repeat(32) });

  expect((await fetch(`${app.listeningOrigin}/media/a.png${search}`)).status).toBe(403);
});

test("MEDIA_URL is the address in links", async () => {
  const { store } = await openFolder({ MEDIA_URL: "https://tracks.example/" });

  expect(await store.signedUrl("a b.png")).toMatch(/^https:\/\/tracks\.example\/media\/a%20b\.png\?expires=\d+&/);
});

test("no symbolic link leads out, for reading, writing or deleting", async () => {
  const { store, dir, folder } = await openFolder();
  await mkdir(join(dir, "media-other"));
  await writeFile(join(dir, "media-other", "secret.png"), "secret");
  await symlink(join(dir, "media-other"), join(folder, "out"));
  await symlink(join(dir, "media-other", "secret.png"), join(folder, "secret.png"));
  await store.put("inner/a.png", Buffer.from("mine"));
  await symlink("inner", join(folder, "alias"));

  for (const path of ["out/secret.png", "secret.png"]) {
    expect(await store.exists(path)).toBe(false);
    await store.delete(path);
    expect((await fetch(await store.signedUrl(path))).status).toBe(404);
  }
  await expect(store.put("out/new.png", Buffer.from("x"))).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(stat(join(dir, "media-other", "new.png"))).rejects.toThrow("ENOENT");
  expect(await readFile(join(dir, "media-other", "secret.png"), "utf8")).toBe("secret");
  expect(await (await fetch(await store.signedUrl("alias/a.png"))).text()).toBe("mine");
});

test("a folder, a pipe and a name within a file are no media", async () => {
  const { store, folder } = await openFolder();
  await store.put("a/b.png", Buffer.from("x"));
  execFileSync("mkfifo", [join(folder, "pipe.mp4")]);

  for (const path of ["a", "pipe.mp4", "a/b.png/c"]) {
    expect((await fetch(await store.signedUrl(path))).status, path).toBe(404);
  }
});

test("even a signed link does not lead to the key or out of the folder", async () => {
  const { store, app } = await openFolder();

  for (const path of [".link-key", "../media/.link-key", "a/../../x", "/etc/passwd"]) {
    const { search } = new URL(await store.signedUrl(path));
    const address = path.split("/").map(encodeURIComponent).join("/");
    for (const spelling of [address, path, address.replaceAll(".", "%2e"), path.replaceAll("/", "%2F")]) {
      expect(await statusOf(`${app.listeningOrigin}/media/${spelling}${search}`), spelling).toBeOneOf([403, 404]);
    }
  }
});

test("a server that stops does not wait for a slow download", async () => {
  const { store, stop } = await openFolder();
  await store.put("a.mp4", Buffer.alloc(64 * 1024 * 1024));
  const response = await fetch(await store.signedUrl("a.mp4"));

  await stop();

  await expect(response.arrayBuffer()).rejects.toThrow();
});

/** fetch would tidy up the path. */
function statusOf(url: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const { hostname, port } = new URL(url);
  const path = url.slice(url.indexOf("/media/"));
  const request = rawRequest({ hostname, port, path }, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  request.once("error", reject).end();
  return promise;
}
