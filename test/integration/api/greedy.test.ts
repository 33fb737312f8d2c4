// A greedy token beside a well-behaved one, over the real stores.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, createInstallation } from "./services.ts";

const installation = await createInstallation();
afterAll(() => installation.stop());

const QUERY = `{ track(id: "nobody") { id } }`;

let greedy: ReturnType<typeof createClient>;
let calm: ReturnType<typeof createClient>;

beforeAll(async () => {
  const url = await installation.startApi({ API_HISTORY_QUERIES: "1", API_TOKEN_HISTORY_QUERIES_WAITING: "50" });
  greedy = createClient(url, await installation.createToken("read"));
  calm = createClient(url, await installation.createToken("read"));
});

test("a query is answered while forty queries of another token wait for ClickHouse", async () => {
  await calm(QUERY);
  let answered = 0;
  const all = Array.from({ length: 40 }, async () => {
    const { body } = await greedy(QUERY);
    answered += 1;
    return body;
  });

  const { body } = await calm(QUERY);
  const before = answered;

  expect(body).toEqual({ data: { track: null } });
  expect(before).toBeLessThan(30);
  for (const each of await Promise.all(all)) expect(each.errors).toBeUndefined();
});

test("a token whose queries wait for ClickHouse in too great a number is refused with the time to come back", async () => {
  const answers = await Promise.all([...Array.from({ length: 200 }, () => greedy(QUERY)), calm(QUERY)]);
  const codes = answers.map(({ body }) => body.errors?.[0].extensions.code);

  expect(codes.at(-1)).toBeUndefined();
  expect(new Set(codes)).toEqual(new Set([undefined, "TOO_MANY_REQUESTS"]));
  const refused = answers.find(({ body }) => body.errors !== undefined);
  expect(refused?.body.errors[0].extensions.retryAfterMs).toBe(1_000);
});
