// Messages of the feed as graphql-js executes them: the value under the name of the subscribed field. Made once per
// message, for all selections.
import type { FeedMessage, RootDeps } from "../../../projections/feed/kind.ts";
import { kindOf } from "../../../projections/feed/kinds.ts";

export function createRootValues(deps: RootDeps): (message: FeedMessage) => unknown {
  const roots = new WeakMap<FeedMessage, unknown>();
  return (message) => {
    let root = roots.get(message);
    if (root === undefined) {
      root = { [message.kind]: kindOf(message.kind)?.rootValue(message, deps) };
      roots.set(message, root);
    }
    return root;
  };
}
