// A greedy token beside a well-behaved one, over the real stores.
import { afterAll, expect, test } from "vitest";
import { createClient, createInstallation } from "./services.ts";

const installation = await createInstallation();
afterAll(() => installation.stop());

const TRACKS = `{ tracksSummary(startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-02T00:00:00Z", tracksBucket: { size: HOURS }) { total } }`;

test("a query is answered while a hundred queries of another token wait for ClickHouse", async () => {
  const url = await installation.startApi({ API_HISTORY_QUERIES: "1" });
  const greedy = createClient(url, await installation.createToken("read"));
  const calm = createClient(url, await installation.createToken("read"));
  await calm(TRACKS);
  let answered = 0;
  const all = Array.from({ length: 100 }, async () => {
    const { body } = await greedy(TRACKS);
    answered += 1;
    return body;
  });

  const { body } = await calm(TRACKS);
  const before = answered;

  expect(body).toMatchObject({ data: { tracksSummary: { total: 0 } } });
  expect(before).toBeLessThan(90);
  for (const each of await Promise.all(all)) expect(each.errors).toBeUndefined();
});

test("a token whose queries wait for ClickHouse in too great a number is refused with the time to come back", async () => {
  const url = await installation.startApi({ API_HISTORY_QUERIES: "1", API_TOKEN_HISTORY_QUERIES_WAITING: "1" });
  const greedy = createClient(url, await installation.createToken("read"));
  const calm = createClient(url, await installation.createToken("read"));

  const answers = await Promise.all([...Array.from({ length: 50 }, () => greedy(TRACKS)), calm(TRACKS)]);
  const codes = answers.map(({ body }) => body.errors?.[0].extensions.code);

  expect(codes.at(-1)).toBeUndefined();
  expect(new Set(codes)).toEqual(new Set([undefined, "TOO_MANY_REQUESTS"]));
});
