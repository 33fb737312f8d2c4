import { expect, test } from "vitest";
import { askedOf } from "../../../../../services/console/questions/address.ts";
import { filterOf, finished } from "../../../../../services/console/questions/filters.ts";
import { questionOf } from "../../../../../services/console/questions/kinds.ts";

const memberOf = (query: string) => filterOf([finished], askedOf(new URLSearchParams(`of=tracks&${query}`)));

test("none of the values is none of each, and what is excluded by two conditions has neither", () => {
  const query = "of=tracks&last=always&camera=a&tag=x&tag=y&not=tag&not=camera";
  const asked = askedOf(new URLSearchParams(query));
  expect(filterOf(questionOf("tracks").filters, asked)).toEqual({
    not: { dataSourceId: { eq: "a" } },
    and: [{ not: { or: [{ tag: { eq: "x" } }, { tag: { eq: "y" } }] } }],
  });
});

test("ended, still seen, and both, which is no condition", () => {
  expect(memberOf("finished=yes")).toEqual({ finished: { eq: true } });
  expect(memberOf("finished=no")).toEqual({ finished: { eq: false } });
  expect(memberOf("finished=yes&finished=no")).toEqual({});
  expect(memberOf("finished=no&finished=no")).toEqual({ finished: { eq: false } });
});
