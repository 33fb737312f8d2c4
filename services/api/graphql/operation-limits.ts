// The limits of a token that an operation counts for. All throw TOO_MANY_REQUESTS.
import type { TokenLimits } from "../limits/token-limits.ts";
import type { ApiContext, Principal } from "./context.ts";

export interface CountedOperation {
  /** Set while the operation counts as in progress. */
  counted: "queries" | "mutations" | undefined;
}

/** Counts the operation as in progress. */
export function beginOperation(
  context: Pick<ApiContext, "principal"> & CountedOperation,
  kind: "queries" | "mutations",
  tokenLimits: TokenLimits,
): void {
  const refusal = tokenLimits.begin(context.principal.tokenId, kind);
  if (refusal !== undefined) throw refusal;
  context.counted = kind;
}

/** Must be called before any of the mutation's detections is written: it is refused as a whole. */
export function spendDetections(detections: number, { tokenId }: Principal, tokenLimits: TokenLimits): void {
  const refusal = detections > 0 ? tokenLimits.spend(tokenId, "detections", detections) : undefined;
  if (refusal !== undefined) throw refusal;
}
