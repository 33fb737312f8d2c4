// Adds tags to the catalog when they are first used.
import { tagOf } from "../../../projections/catalog/tag.ts";
import { limits } from "../../../schemas/limits.ts";
import type { WriteContext } from "./write-context.ts";

export interface Tags {
  /**
   * Resolves when the catalog has the tag. Must be called before the log gets the object with the tag: a failure then
   * leaves nothing half done, and a tag without any object is harmless. Beyond `limits.maxTags` no tag is created.
   * @returns undefined when the catalog already has the tag.
   */
  use(name: string, context: Pick<WriteContext, "catalog" | "write" | "log">): Promise<void> | undefined;
}

/** Maximum number of remembered spellings, because callers may spell a tag in many ways. */
const MAX_SPELLINGS = limits.maxTags * 2;

export function createTags(now: () => number): Tags {
  /** Names whose tag the catalog has, in the callers' spelling: tags are never deleted. */
  const spellings = new Set<string>();
  /** Creations of tags that are under way, by tag id. Many tracks may begin with a new tag, and share its creation. */
  const making = new Map<string, Promise<void>>();
  let isFull = false;

  function remember(name: string): void {
    if (spellings.size >= MAX_SPELLINGS) spellings.clear();
    spellings.add(name);
  }

  async function make(name: string, { write }: Pick<WriteContext, "write">): Promise<void> {
    const { id, ...set } = tagOf(name);
    try {
      await write([{ type: "TagChanged", event: { id, change: "created", at: now(), set, cleared: [] } }]);
    } finally {
      making.delete(id);
    }
  }

  return {
    use(name, context) {
      if (spellings.has(name)) return undefined;
      const { catalog, log } = context;
      const { id } = tagOf(name);
      if (catalog.get("tag", id) !== undefined) {
        remember(name);
        return undefined;
      }
      const isMade = making.get(id);
      if (isMade !== undefined) return isMade;
      if (catalog.count("tag") + making.size >= limits.maxTags) {
        if (!isFull) log.warn({ maxTags: limits.maxTags }, "no room for more tags in the catalog");
        isFull = true;
        return undefined;
      }
      const made = make(name, context);
      making.set(id, made);
      return made;
    },
  };
}
