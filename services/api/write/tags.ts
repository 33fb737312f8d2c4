// Tags come into the catalog by their first use.
import { tagOf } from "../../../projections/catalog/tag.ts";
import { limits } from "../../../schemas/limits.ts";
import type { ApiContext } from "../graphql/context.ts";

export interface Tags {
  /**
   * Resolves when the catalog has the tag; undefined = it has it already. Call it before the log gets the object that
   * has the tag: a failure then leaves nothing half done, and a tag without any object does no harm. Beyond
   * `limits.maxTags` no tag is made.
   */
  use(name: string, context: Pick<ApiContext, "catalog" | "write" | "log">): Promise<void> | undefined;
}

/** A caller may spell a tag in many ways. */
const MAX_SPELLINGS = limits.maxTags * 2;

export function createTags(now: () => number): Tags {
  /** Names whose tag the catalog has, as they were given: tags are never deleted. */
  const spellings = new Set<string>();
  /** By id: many tracks may begin with a tag before the log has it. */
  const making = new Map<string, Promise<void>>();
  let isFull = false;

  function remember(name: string): void {
    if (spellings.size >= MAX_SPELLINGS) spellings.clear();
    spellings.add(name);
  }

  async function make(name: string, { write }: Pick<ApiContext, "write">): Promise<void> {
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
