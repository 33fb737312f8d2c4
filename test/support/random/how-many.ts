// How much a test does that draws its cases at random, or injects a fault again and again: `npm test` some of it,
// `npm run test:full` all.
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    extent: "short" | "full";
  }
}

export const howMany = (counts: Readonly<Record<"short" | "full", number>>): number => counts[inject("extent")];
