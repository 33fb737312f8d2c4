/**
 * Keeps the direction of a user's name from changing the order of the text around it, where there is no element `bdi`:
 * on a canvas, in an attribute, in a sentence that is a string.
 */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
