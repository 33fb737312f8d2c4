/**
 * The version of the rules by which the log is folded. State machines work together only with the same version, and
 * other processes that fold the log do not start beside state machines of another version (docs/decisions/0034,
 * docs/upgrading.md). A change must raise it by one when the same log then gives other results (stays, signals and
 * their ids, expiries, states, rows, messages of subscriptions, or events that are refused), or when live state then
 * has texts that the version before reads wrongly. A change of the cost alone does not raise it, nor one whose new
 * input no old log can contain.
 */
export const FOLD_VERSION = 2;
