// Pages as large as a GraphQL server gives them: how large that is, is its own setting.
import { Problem } from "../http/problem.ts";

/** The server said that `first` is too large. */
export class PageRefused extends Problem {}

export interface PageSize {
  readonly most: number;
  /** Whether the failure was that `tried` is too large and a smaller page is left to try. */
  shrink(error: unknown, tried: number): boolean;
  /** Asks with smaller pages until the server takes one. */
  ask<T>(question: (first: number) => Promise<T>): Promise<T>;
}

/** Of one request, whose questions learn from one another. */
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
