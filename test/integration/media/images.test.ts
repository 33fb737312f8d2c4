// Images from the upload to the link, over all services and over both stores.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3 } from "../../support/running/s3-server.ts";
import { gif, png } from "../../support/scenes/images.ts";
import { createClient, createInstallation } from "../api/services.ts";
import { makeDir } from "./serve.ts";

const AT = "2026-01-01T12:00:00.000Z";
const UPLOAD = `mutation ($image: UploadImageInput!) {
  uploadImage(image: $image) { id dataSourceId timestamp url thumbnailUrl }
}`;

type Ask = ReturnType<typeof createClient>;
let installation: Awaited<ReturnType<typeof createInstallation>>;
let server: S3Server;
let local: Ask;
let otherInstance: Ask;
let bucket: Ask;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const { dir, remove } = await makeDir();
  [installation, server] = await Promise.all([createInstallation(), startS3(dir)]);
  cleanUps.push(server.stop, installation.stop, remove);
  const token = await installation.createToken("read,write");
  const [, ...urls] = await Promise.all([
    installation.start("projector"),
    installation.startApi(),
    installation.startApi(),
    installation.startApi(server.env),
  ]);
  [local, otherInstance, bucket] = urls.map((url) => createClient(url, token)) as [Ask, Ask, Ask];
  await Promise.all([local, otherInstance, bucket].map((ask) => ask(UPLOAD, { image: { data: "" } })));
  const created = await local(`mutation {
    createDataSource(dataSource: { id: "gate", name: "Gate", type: VIDEO_DEVICE }) { id }
  }`);
  expect(created.body.errors).toBeUndefined();
});

afterAll(async () => {
  for (const clean of cleanUps) await clean();
});

const base64 = (bytes: Buffer) => bytes.toString("base64");

async function upload(ask: Ask, image: object) {
  const { body } = await ask(UPLOAD, { image });
  expect(body.errors).toBeUndefined();
  return { image: body.data.uploadImage, position: { "x-min-position": body.extensions.position } };
}

async function refused(image: object) {
  const { body } = await local(UPLOAD, { image });
  expect(body.data).toEqual({ uploadImage: null });
  return body.errors[0];
}

describe.each([
  ["local folder", () => local],
  ["bucket", () => bucket],
])("with a %s", (name, asker) => {
  test("an uploaded image is found and its link gives its bytes", async () => {
    const ask = asker();
    const bytes = png(8, 8, name.length);

    const { image, position } = await upload(ask, { dataSourceId: "gate", timestamp: AT, data: base64(bytes) });
    const { body } = await ask(`query ($id: ID!) { image(id: $id) { id timestamp url } }`, { id: image.id }, position);
    const response = await fetch(body.data.image.url);

    expect(image).toMatchObject({ dataSourceId: "gate", timestamp: AT, thumbnailUrl: null });
    expect(body.data.image).toMatchObject({ id: image.id, timestamp: AT });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });
});

test("the same bytes of the same data source and time are one image, on any instance", async () => {
  const same = { dataSourceId: "gate", timestamp: AT, data: base64(gif) };
  const [{ image }, again] = await Promise.all([upload(local, same), upload(otherInstance, same)]);
  const other = await upload(local, { ...same, timestamp: "2026-01-01T12:00:01.000Z", fileName: "same bytes.gif" });
  const loose = await upload(local, { data: base64(gif) });
  const positions = [again, other, loose].map(({ position }) => position["x-min-position"]).join();

  const { body } = await local(
    `query ($ids: [ID!]) {
      images(filter: { id: { in: $ids } }, first: 2) { totalCount edges { node { id } } pageInfo { hasNextPage } }
    }`,
    { ids: [image, again.image, other.image, loose.image].map(({ id }) => id) },
    { "x-min-position": positions },
  );

  expect(again.image.id).toBe(image.id);
  expect(body.data.images).toEqual({
    totalCount: 3,
    edges: [{ node: { id: image.id } }, { node: { id: other.image.id } }],
    pageInfo: { hasNextPage: true },
  });
  expect(loose.image).toMatchObject({ dataSourceId: null, timestamp: null });
});

test("all images come without a filter, and unknown ones are null", async () => {
  const { position } = await upload(local, { data: base64(png(5, 5)) });

  const { body } = await local(
    `{ images(sort: [{ field: ID, direction: DESC }]) { totalCount } image(id: "x") { id } }`,
    {},
    position,
  );

  expect(body.data.image).toBeNull();
  expect(body.data.images.totalCount).toBeGreaterThan(0);
});

test.each([
  ["no image", { data: base64(Buffer.from("<html>")) }, "BAD_USER_INPUT", ["image", "data"]],
  ["nothing", { data: "" }, "BAD_USER_INPUT", ["image", "data"]],
  ["no base64", { data: `${base64(gif)}!` }, "BAD_USER_INPUT", ["image", "data"]],
  ["no base64 but as long", { data: `!!!!${base64(gif)}` }, "BAD_USER_INPUT", ["image", "data"]],
  ["a data URL", { data: `data:image/gif;base64,${base64(gif)}` }, "BAD_USER_INPUT", ["image", "data"]],
  ["more than may be", { data: base64(Buffer.alloc(5 * 1024 * 1024 + 1)) }, "BAD_USER_INPUT", ["image", "data"]],
  ["an unknown data source", { dataSourceId: "x", data: base64(gif) }, "NOT_FOUND", ["image", "dataSourceId"]],
  [
    "a time to come",
    { timestamp: "2999-01-01T00:00:00Z", data: base64(gif) },
    "BAD_USER_INPUT",
    ["image", "timestamp"],
  ],
  ["an empty name", { fileName: " ", data: base64(gif) }, "BAD_USER_INPUT", ["image", "fileName"]],
] as const)("%s is refused", async (_, image, code, path) => {
  expect((await refused(image)).extensions).toMatchObject({ code, path });
});

test("no event says that an image is there whose bytes could not be stored", async () => {
  const bytes = base64(png(6, 6));
  await server.halt();
  const { body } = await bucket(UPLOAD, { image: { data: bytes } });
  await server.resume();

  expect(body.errors[0].extensions.code).toBe("UNAVAILABLE");
  expect(body.extensions?.position).toBeUndefined();
  await upload(bucket, { data: bytes });
});
