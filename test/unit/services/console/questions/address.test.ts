import { expect, test } from "vitest";
import { addressOf, askedOf } from "../../../../../services/console/questions/address.ts";
import { questionOf, questions } from "../../../../../services/console/questions/kinds.ts";
import { periodOf } from "../../../../../services/console/questions/times-of.ts";

const asked = (query: string) => askedOf(new URLSearchParams(query));
const again = (address: string) => asked(address.split("?")[1] ?? "");

test.each([
  "",
  "of=intersections&zone=a&zone=b&tag=person&at=2026-11-24T14:03:07.000Z&view=time",
  "of=tracks&from=2026-11-24T14:00:00.000Z&to=2026-11-24T15:00:00.000Z&sort=start&camera=gate",
  "of=count-tracks&last=7d&by=camera&size=HOURS",
  "of=count-tracks&by=",
  "of=activities&name=a%26b%3D%C3%BC&last=always",
  "of=activities&last=1d&relation=inside&area=4.9%2C+52.4%2C+100",
  "of=intersections&at=2026-11-24T14:03:07.000Z&relation=before",
  "of=detections&last=1d&tag=person&camera=a&not=tag",
])("the address of a question reproduces it: %s", (query) => {
  expect(again(addressOf(asked(query)))).toEqual(asked(query));
});

test.each(questions.map(({ id }) => id))("%s is asked with nothing but its name, and its address is as short", (id) => {
  expect(addressOf(asked(`of=${id}`))).toBe(`/ask?of=${id}&last=1h`);
});

test("an address with values that nobody knows asks the first question", () => {
  const { of, time, values, sort } = asked("of=nothing&last=2y&from=x&foo=bar&sort=-foo&zone=");

  expect(of).toBe(questions[0].id);
  expect(time).toEqual({ kind: "last", last: "1h" });
  expect(values.size).toBe(0);
  expect(sort).toBe("-start");
});

test.each(["8640000000000000", "275760-09-13T00:00:00Z", "1899-12-31T23:59:59Z", "2300-01-01T00:00:00Z"])(
  "the time %s is left out",
  (at) => {
    expect(asked(`of=detections&at=${encodeURIComponent(at)}`).time).toEqual({ kind: "last", last: "1h" });
  },
);

test("a filter that compares one value has one", () => {
  expect(asked("of=tracks&camera=a&camera=b").values.get("camera")).toEqual(["a", "b"]);
  expect(asked("of=activities&name=a&name=b").values.get("name")).toEqual(["a"]);
});

test("a text that its condition cannot read is left out", () => {
  expect(asked("of=detections&area=here&camera=a").values).toEqual(new Map([["camera", ["a"]]]));
});

test("only what the question can exclude is excluded", () => {
  expect(asked("of=tracks&tag=a&finished=yes&not=tag&not=finished&not=foo").without).toEqual(new Set(["tag"]));
  expect(asked("of=count-tracks&tag=a&not=tag")).toMatchObject({ without: new Set(), values: new Map() });
});

test("a relation belongs to its kind of time and question", () => {
  const relationOf = (query: string) => asked(query).relation;
  expect(relationOf("of=tracks&last=1h&relation=ended")).toBe("ended");
  expect(relationOf("of=tracks&at=1000&relation=ended")).toBe("during");
  expect(relationOf("of=summaries&last=1h&relation=throughout")).toBe("began");
  expect(relationOf("of=count-tracks&relation=ended")).toBe("");
});

test("milliseconds are read as well as ISO 8601", () => {
  expect(asked("at=1000").time).toEqual({ kind: "moment", at: 1_000 });
  expect(asked("at=1970-01-01T01:00:01%2B01:00").time).toEqual({ kind: "moment", at: 1_000 });
});

test("a moment becomes a time around it for questions about instants", () => {
  const { time } = asked("of=detections&at=60000");

  expect(time).toEqual({ kind: "range", from: 30_000, to: 90_000 });
});

test("a count has a beginning and an end", () => {
  expect(asked("of=count-tracks&last=always").time).toEqual({ kind: "last", last: "30d" });
});

test("conditions are members of the filter, and a moment is inside the stay", () => {
  const question = asked("of=intersections&zone=z1&camera=c1&camera=c2&at=2026-11-24T14:03:07.000Z");
  const { variables } = questionOf(question.of).operation(question, periodOf(question, 0), {
    first: 50,
    after: undefined,
  });

  expect(variables).toEqual({
    filter: {
      time: {},
      timeRange: { containingInstant: "2026-11-24T14:03:07.000Z" },
      zoneId: { eq: "z1" },
      dataSourceId: { in: ["c1", "c2"] },
    },
    sort: [{ field: "START_TIME", direction: "DESC" }],
    first: 50,
    after: null,
  });
});

test("a count names its buckets and its group", () => {
  const question = asked("of=count-intersections&last=1h&by=zone&size=HOURS&camera=c1");
  const { variables } = questionOf(question.of).operation(question, periodOf(question, 3_600_000), {
    first: 1,
    after: undefined,
  });

  expect(variables).toEqual({
    startTime: "1970-01-01T00:00:00.000Z",
    endTime: "1970-01-01T01:00:00.000Z",
    filter: { dataSourceId: { eq: "c1" } },
    bucket: { size: "HOURS", fields: ["ZONE_NAME"] },
  });
});
