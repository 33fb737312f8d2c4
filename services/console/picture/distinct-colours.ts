import { PALETTE, tagColour } from "./tag-colour.ts";

/** Each name has a colour of its own, as long as there are any: that of the tag of this name, else a free one. */
export function distinctColours(names: readonly string[]): readonly string[] {
  const free = new Set<string>(PALETTE);
  return names.map((name) => {
    const own = tagColour(name);
    const [other = own] = free;
    const colour = free.has(own) ? own : other;
    free.delete(colour);
    return colour;
  });
}
