// Finds the largest page that a GraphQL server accepts: the maximum is the server's own setting.
import { Problem } from "../http/problem.ts";

/** Thrown when the server refused `first` as too large. */
export class PageRefused extends Problem {}

export interface PageSize {
  readonly most: number;
  /** @returns true when the failure means that `tried` is too large, and a smaller page is left to try. */
  shrink(error: unknown, tried: number): boolean;
  /** Asks with smaller pages until the server accepts one. */
  ask<T>(question: (first: number) => Promise<T>): Promise<T>;
}

/** All queries of a request use the page size found so far. */
export function createPageSize(largest: number): PageSize {
  let most = largest;
  const shrink = (error: unknown, tried: number): boolean => {
    if (!(error instanceof PageRefused) || tried <= 1) return false;
    most = Math.min(most, Math.floor(tried / 2));
    return true;
  };
  return {
    get most() {
      return most;
    },
    shrink,
    async ask(question) {
      for (;;) {
        const tried = most;
        try {
          return await question(tried);
        } catch (error) {
          if (!shrink(error, tried)) throw error;
        }
      }
    },
  };
}
