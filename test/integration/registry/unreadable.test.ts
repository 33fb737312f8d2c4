import { afterAll, beforeAll, expect, test } from "vitest";
import { namespace } from "../../../schemas/avro.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { records } from "../../../schemas/events.ts";
import { loadConfig, registryEnv } from "../../../services/common/config.ts";
import { awaitCodec } from "../../../services/common/registry/await-codec.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { useStack } from "../../support/running/stack.ts";
import { registerSchema, withSchemaId } from "../../support/scenes/schemas.ts";

const stopped = Promise.withResolvers<void>();
const waits: string[] = [];
let codec: Codec;

beforeAll(async () => {
  const options = { stopSignal: stopped.promise, onWait: ({ err }: { readonly err: string }) => void waits.push(err) };
  const found = await awaitCodec({ registry: loadConfig(registryEnv, useStack().env), ...options });
  if (found === undefined) throw new Error("no codec");
  codec = found;
});
afterAll(() => stopped.resolve());

const register = (schema: object, type?: string): Promise<number> => {
  const { env, uniqueName } = useStack();
  return registerSchema(env.SCHEMA_REGISTRY_URL, uniqueName("camera-log-value"), schema, type);
};

const withoutTag = {
  ...records.TrackCreated,
  fields: records.TrackCreated.fields.filter(({ name }) => name !== "tag"),
};
const UNREADABLE: readonly (readonly [string, object, string | undefined, RegExp])[] = [
  ["a TrackCreated without a tag", withoutTag, undefined, /cannot be read/],
  ["a JSON schema", { $schema: "http://json-schema.org/draft-07/schema#", type: "object" }, "JSON", /cannot be read/],
  [
    "a record of another house",
    { type: "record", name: "Order", namespace, fields: [] },
    undefined,
    /no record of tracklog/,
  ],
];

test.each(UNREADABLE)(
  "%s that is registered is waited for by nobody, and refused with the reason",
  async (_, schema, type, reason) => {
    const id = await register(schema, type);
    const value = withSchemaId(id, Buffer.from([2]));

    await codec.loadSchemas([value]);

    expect(codec.decode(value)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
    expect(codec.loadSchemas([value])).toBeUndefined();
    expect(waits).toEqual([]);
  },
);

test("ids that the registry does not have are refused, also those beyond its range", async () => {
  const values = [0, 1_999_999_999, 2 ** 31 - 1, 2 ** 32 - 1].map((id) => withSchemaId(id, Buffer.from([2])));

  await codec.loadSchemas(values);

  for (const value of values)
    expect(codec.decode(value)).toMatchObject({ reason: expect.stringMatching(/unknown schema id/) });
  expect(waits).toEqual([]);
});

test("a schema of another producer that can be read is read", async () => {
  const own = await createCodec(loadConfig(registryEnv, useStack().env));
  const event = { trackId: "t", dataSourceId: "d", endTime: 5, reason: "expired", readUpTo: 7 } as const;
  const id = await register({ ...records.TrackExpired, doc: useStack().uniqueName("d") });
  const value = withSchemaId(id, own.encode("TrackExpired", event).subarray(5));

  await codec.loadSchemas([value]);

  expect(codec.decode(value)).toMatchObject({ ok: true, type: "TrackExpired", event });
});
