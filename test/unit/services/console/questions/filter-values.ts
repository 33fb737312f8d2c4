// Values that fit a condition.
import type { Filter } from "../../../../../services/console/questions/question.ts";

const TYPED: Readonly<Record<string, readonly string[]>> = {
  area: ["4.9, 52.4, 100", '{"type":"Polygon","coordinates":[[[4,52],[5,52],[5,53],[4,52]]]}'],
  metadata: ["vehicle.colour=red", "plate=a=b"],
};

export const filterValues = ({ key, from }: Filter): readonly string[] =>
  typeof from === "string" ? (TYPED[key] ?? ["a", "b"]) : from.map((choice) => choice.key);
