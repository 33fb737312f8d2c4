// Limits the texts of all subscriptions of the process together: the objects kept for them take some 17 times as much
// memory. Each token has a share, and a number of subscriptions, so that no token keeps the others out.
import { unavailable } from "../../../schemas/errors.ts";
import type { TokenLimits } from "../limits/token-limits.ts";

export interface TextBudget {
  /**
   * Throws UNAVAILABLE when the budget is used up, and TOO_MANY_REQUESTS when the token has too many subscriptions;
   * nothing was taken then.
   */
  take(bytes: number, tokenId: string): void;
  /** Must be called once for each subscription that was taken, with the same values. */
  giveBack(bytes: number, tokenId: string): void;
}

/** A subscription with hardly any text takes as much memory as this many bytes of text. */
const OVERHEAD_BYTES = 768;

export interface TextBudgetOptions {
  readonly maxBytes: number;
  readonly maxBytesPerToken: number;
  readonly tokenLimits: Pick<TokenLimits, "begin" | "end">;
}

export function createTextBudget({ maxBytes, maxBytesPerToken, tokenLimits }: TextBudgetOptions): TextBudget {
  let used = 0;
  const perToken = new Map<string, number>();

  return {
    take(bytes, tokenId) {
      const own = bytes + OVERHEAD_BYTES;
      const before = perToken.get(tokenId) ?? 0;
      if (before + own > maxBytesPerToken) throw full("too many subscriptions with this token here", "_PER_TOKEN");
      if (used + own > maxBytes) throw full("too many subscriptions here", "");
      const refusal = tokenLimits.begin(tokenId, "subscriptions");
      if (refusal !== undefined) throw refusal;
      used += own;
      perToken.set(tokenId, before + own);
    },
    giveBack(bytes, tokenId) {
      const own = bytes + OVERHEAD_BYTES;
      tokenLimits.end(tokenId, "subscriptions");
      used -= own;
      const left = (perToken.get(tokenId) ?? 0) - own;
      if (left > 0) perToken.set(tokenId, left);
      else perToken.delete(tokenId);
    },
  };
}

const full = (reason: string, bound: string) => unavailable(`${reason} (API_SUBSCRIPTION_BYTES${bound})`);
