// The largest inputs that the bounds allow: the time for which they block the API, and the fold of one detection.
import type { Comparison } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { benchFold } from "./fold.ts";
import { benchQuestions } from "./questions.ts";
import { benchRequests } from "./requests.ts";

export const benchBounds = async (stack: BenchStack): Promise<Comparison[]> => [
  ...benchFold(),
  ...(await benchQuestions()),
  ...(await benchRequests(stack)),
];
