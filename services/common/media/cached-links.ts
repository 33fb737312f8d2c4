// Caches signed links: signing one takes up to a millisecond of a processor, and one answer may have thousands of links
// to few media.
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { MediaStore } from "./store.ts";

const MAX_LINKS = 10_000;
/** The cache returns a link for this fraction of its life, so that it is valid for at least the rest. */
const SLOT = 0.1;
/** Number of links that are signed in one turn of the event loop: about 5 ms of work. */
const SIGNED_PER_TURN = 10;

/** Returns the store with a cache: for a while it returns the same link again instead of signing another one. */
export function withCachedLinks(store: MediaStore, lifeTimeS: number, now: () => number): MediaStore {
  const links = new LRUCache<string, Promise<string>>({ max: MAX_LINKS });
  const slotMs = lifeTimeS * 1_000 * SLOT;
  let slot = 0;
  let signed = 0;
  let turn: Promise<void> = Promise.resolve();

  async function sign(path: string): Promise<string> {
    signed += 1;
    if (signed % SIGNED_PER_TURN === 0) turn = turn.then(() => setImmediate());
    await turn;
    return store.signedUrl(path);
  }

  return {
    ...store,
    signedUrl(path) {
      const current = Math.floor(now() / slotMs);
      if (current !== slot) links.clear();
      slot = current;
      let link = links.get(path);
      if (link === undefined) {
        link = sign(path).catch((error) => {
          // The next call then tries again to sign the link.
          links.delete(path);
          throw error;
        });
        links.set(path, link);
      }
      return link;
    },
  };
}
