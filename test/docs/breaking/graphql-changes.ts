import { buildSchema, findBreakingChanges, findDangerousChanges } from "graphql";
import { breaking, type Change, notable } from "./finding.ts";

export function graphqlChanges(before: string, after: string): readonly Change[] {
  const [old, present] = [buildSchema(before), buildSchema(after)];
  return [
    ...findBreakingChanges(old, present).map(({ description }) => breaking(description)),
    ...findDangerousChanges(old, present).map(({ description }) => notable(description)),
  ];
}
