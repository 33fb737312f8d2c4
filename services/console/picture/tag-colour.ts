// Colours of tags that colour-blind people can tell apart: the palette of Okabe and Ito, without black, which a dark
// ground hides (https://jfly.uni-koeln.de/color/).
const PALETTE = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"] as const;

/** The same tag has the same colour on every page, whatever its case. */
export function tagColour(tag: string): string {
  let hash = 0;
  for (const letter of tag.toLowerCase()) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return PALETTE[hash % PALETTE.length] ?? PALETTE[0];
}
