import { expect, test } from "vitest";
import type { Asks } from "../../../../../services/console/data/asks.ts";
import { PastLoader } from "../../../../../services/console/data/past-loader.ts";

interface Question {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly answer: (data: object) => Promise<void>;
  readonly refuse: (error: unknown) => Promise<void>;
}

/** A server that answers when the test says so. */
function createServer() {
  const questions: Question[] = [];
  const asks: Asks = {
    ask: <Data>(document: string, variables: object = {}) => {
      const { promise, resolve, reject } = Promise.withResolvers<Data>();
      questions.push({
        name: /query (\w+)/.exec(document)?.[1] ?? "",
        variables: { ...variables },
        answer: async (data) => {
          resolve(data as Data);
          await settled();
        },
        refuse: async (error) => {
          reject(error);
          await settled();
        },
      });
      return promise;
    },
  };
  return { asks, questions };
}

/** Once everything that waits for an answer has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

function createLoader() {
  const { asks, questions } = createServer();
  const errors: unknown[] = [];
  const loader = new PastLoader(asks, "camera", { loaded: () => {}, error: (error) => errors.push(error) });
  return { loader, questions, errors };
}

const NO_TRACKS = { tracks: { pageInfo: { hasNextPage: false, endCursor: null }, edges: [] } };
const seen = (at: number) => ({
  node: {
    timestamp: new Date(at).toISOString(),
    createdAt: null,
    polygon: null,
    position: null,
    track: { id: "t", tag: "" },
  },
});
const page = (times: readonly number[], next: string | null) => ({
  detections: { pageInfo: { hasNextPage: next !== null, endCursor: next }, edges: times.map(seen) },
  zoneIntersections: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } },
});

test("of many moments that are wanted while a picture is on its way, the last one follows it", async () => {
  const { loader, questions } = createLoader();

  for (const at of [1_000, 2_000, 3_000]) loader.seek(at);
  expect(questions.map(({ variables }) => variables["end"])).toEqual(["1970-01-01T00:00:01.000Z"]);
  await questions[0]?.answer(NO_TRACKS);

  expect(loader.reelAt(3_000)?.from).toBe(1_000);
  expect(questions.map(({ variables }) => variables["end"]).slice(1)).toEqual(["1970-01-01T00:00:03.000Z"]);
  await questions[1]?.answer(NO_TRACKS);
  expect(loader.reelAt(3_000)?.from).toBe(3_000);
  expect(questions).toHaveLength(2);
});

test("a moment that is known is not asked for again", async () => {
  const { loader, questions } = createLoader();
  loader.seek(1_000);
  await questions[0]?.answer(NO_TRACKS);

  loader.seek(1_000);

  expect(questions).toHaveLength(1);
});

test("pages follow one another by their cursors, and cover up to the frame that may go on", async () => {
  const { loader, questions } = createLoader();
  loader.seek(0);
  await questions[0]?.answer(NO_TRACKS);

  loader.keepAhead(0, 1, 1e9);
  loader.keepAhead(0, 1, 1e9);
  expect(questions.map(({ name }) => name)).toEqual(["Still", "PastDetections"]);
  await questions[1]?.answer(page([100, 900, 900], "after 900"));
  expect(loader.reelAt(0)?.until).toBe(899);

  loader.keepAhead(0, 1, 1e9);
  expect(questions[2]?.variables).toMatchObject({ after: "after 900", stays: false });
  await questions[2]?.answer(page([900, 1_300], null));
  // The range of the page was ten seconds.
  expect(loader.reelAt(0)?.until).toBe(10_001);
  expect(loader.reelAt(0)?.pictureAt(1_300).objects.get("t")?.at).toBe(1_300);
});

test("a moment that is wanted while a playback waits for a picture follows that picture", async () => {
  const { loader, questions } = createLoader();
  loader.seek(0);
  await questions[0]?.answer(NO_TRACKS);
  // So far behind, the playback asks for a picture of a moment.
  loader.keepAhead(60_000, 1, 1e9);
  expect(questions[1]?.name).toBe("Still");

  loader.seek(20_000);
  await questions[1]?.answer(NO_TRACKS);

  expect(questions[2]?.variables).toMatchObject({ end: "1970-01-01T00:00:20.000Z" });
  await questions[2]?.answer(NO_TRACKS);
  expect(loader.reelAt(20_000)?.from).toBe(20_000);
});

test("nothing is loaded beyond the present", async () => {
  const { loader, questions } = createLoader();
  loader.seek(5_000);
  await questions[0]?.answer(NO_TRACKS);

  loader.keepAhead(5_000, 1, 5_000);

  expect(questions).toHaveLength(1);
});

test("a failure is passed on, and the next moment is asked for as usual", async () => {
  const { loader, questions, errors } = createLoader();
  loader.seek(1_000);
  await questions[0]?.refuse(new Error("gone"));
  expect(errors).toEqual([new Error("gone")]);

  loader.seek(2_000);
  await questions[1]?.answer(NO_TRACKS);

  expect(loader.reelAt(2_000)?.from).toBe(2_000);
});

test("an answer that comes after the loader has stopped changes nothing", async () => {
  const { loader, questions, errors } = createLoader();
  loader.seek(1_000);

  loader.stop();
  await questions[0]?.answer(NO_TRACKS);

  expect(loader.reelAt(1_000)).toBeUndefined();
  expect(errors).toEqual([]);
});
