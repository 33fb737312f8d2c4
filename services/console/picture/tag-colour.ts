// Colours of tags that colour-blind people can tell apart: the palette of Okabe and Ito, without black, which a dark
// ground hides (https://jfly.uni-koeln.de/color/).
export const PALETTE = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"] as const;
/** Colours on which white is easier to read than black. */
const DARK: ReadonlySet<string> = new Set(["#0072b2"]);

/** The same tag has the same colour on every page, whatever its case. */
export function tagColour(tag: string): string {
  const known = colours.get(tag);
  if (known !== undefined) return known;
  let hash = 0;
  for (const letter of tag.toLowerCase()) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  const colour = PALETTE[hash % PALETTE.length] ?? PALETTE[0];
  if (colours.size < MOST_COLOURS) colours.set(tag, colour);
  return colour;
}

/** A picture asks for every object at every painting. */
const colours = new Map<string, string>();
const MOST_COLOURS = 1_000;

/** Colour of a text on the colour of a tag. */
export const inkOn = (colour: string): string => (DARK.has(colour) ? "#ffffff" : "#111111");
