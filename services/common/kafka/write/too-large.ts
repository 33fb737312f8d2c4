/** True when the broker refused a request because it is larger than its topic allows: no retry mends that. */
export function isTooLarge(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ("type" in each && each.type === "MESSAGE_TOO_LARGE") return true;
  }
  return false;
}
