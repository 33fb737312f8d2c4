import type { System } from "../../../services/api/system/system.ts";

const notAsked = () => Promise.reject(new Error("not asked"));

/** A system that no test asks for. */
export const noSystem: System = {
  version: "0.0.0",
  readers: notAsked,
  topics: notAsked,
  stores: notAsked,
  deadLetters: notAsked,
};
