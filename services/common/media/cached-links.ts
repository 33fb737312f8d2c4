// Signing a link takes up to a millisecond of a processor, and one answer may have thousands of links to few media.
import { setImmediate } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { MediaStore } from "./store.ts";

const MAX_LINKS = 10_000;
/** Of a link's life; by so much less may one be good that is given out again. */
const SLOT = 0.1;
/** Some 5 ms of work; others have a turn of the event loop between. */
const SIGNED_PER_TURN = 10;

/** The same store, which gives out a link again for a while instead of signing another one. */
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
          // The next one tries again.
          links.delete(path);
          throw error;
        });
        links.set(path, link);
      }
      return link;
    },
  };
}
