// The headers under which the page of the console is served.
import Fastify from "fastify";
import { expect, test } from "vitest";
import { serveConsole } from "../../../../../services/api/http/console/serve.ts";
import { loadConfig } from "../../../../../services/common/config.ts";
import { mediaEnv } from "../../../../../services/common/media/config.ts";
import { createMedia } from "../../../../../services/common/media/media.ts";

/** @returns the directives of the page's policy by their names, and the page. */
async function servedWith(mediaOrigin: () => Promise<string | undefined>) {
  const app = Fastify();
  serveConsole(app, { restUrl: "", mediaOrigin });
  const { headers, body } = await app.inject({ url: "/console" });
  await app.close();
  const directives = String(headers["content-security-policy"]).split("; ");
  return { policy: new Map(directives.map((each) => [each.split(" ")[0], each] as const)), body };
}

async function mediaOriginOf(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const media = await createMedia(loadConfig(mediaEnv, env), () => "http://127.0.0.1:4000", Date.now);
  try {
    return await media.linkOrigin();
  } finally {
    media.stop();
  }
}

test("images and videos may come from the server of the bucket, and nothing else may", async () => {
  const { policy, body } = await servedWith(async () => "https://media.example:9000");

  expect(policy.get("img-src")).toBe("img-src 'self' blob: data: https://media.example:9000");
  expect(policy.get("media-src")).toBe("media-src 'self' blob: https://media.example:9000");
  expect([...policy.values()].filter((each) => each.includes("media.example"))).toHaveLength(2);
  expect(policy.get("default-src")).toBe("default-src 'none'");
  expect(body).toContain('<meta name="tracklog-media" content="https://media.example:9000" />');
});

test("without a bucket, or while its links cannot be signed, images come from the console's own origin only", async () => {
  for (const origin of [async () => undefined, () => Promise.reject(new Error("no credentials"))]) {
    const { policy } = await servedWith(origin);

    expect(policy.get("img-src")).toBe("img-src 'self' blob: data:");
    expect(policy.get("media-src")).toBe("media-src 'self' blob:");
  }
});

test("the origin is that of the links: the address for clients, the endpoint, or the host of AWS for the bucket", async () => {
  const bucket = { MEDIA_BUCKET: "media", MEDIA_ACCESS_KEY_ID: "a", MEDIA_SECRET_ACCESS_KEY: "b" };
  const endpoint = { MEDIA_ENDPOINT: "http://minio:9000" };

  expect(await mediaOriginOf({ ...bucket, ...endpoint, MEDIA_URL: "https://media.example" })).toBe(
    "https://media.example",
  );
  expect(await mediaOriginOf({ ...bucket, ...endpoint })).toBe("http://minio:9000");
  expect(await mediaOriginOf({ ...bucket, MEDIA_REGION: "eu-central-1" })).toBe(
    "https://media.s3.eu-central-1.amazonaws.com",
  );
  expect(await mediaOriginOf({ MEDIA_URL: "https://tracklog.example" })).toBeUndefined();
});
