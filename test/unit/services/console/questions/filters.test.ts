import { expect, test } from "vitest";
import { askedOf } from "../../../../../services/console/questions/address.ts";
import { filterOf, finished } from "../../../../../services/console/questions/filters.ts";

const memberOf = (query: string) => filterOf([finished], askedOf(new URLSearchParams(`of=tracks&${query}`)));

test("ended, still seen, and both, which is no condition", () => {
  expect(memberOf("finished=yes")).toEqual({ finished: { eq: true } });
  expect(memberOf("finished=no")).toEqual({ finished: { eq: false } });
  expect(memberOf("finished=yes&finished=no")).toEqual({});
  expect(memberOf("finished=no&finished=no")).toEqual({ finished: { eq: false } });
});
