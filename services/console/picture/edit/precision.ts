// Coordinates are kept no finer than the screen shows them: whole pixels of a photo, fractions of a plane from 0 to 1.
import type { Point, View } from "../view.ts";

/** Decimal places that make a difference at this zoom. Below a whole pixel they matter only when it is magnified. */
export const digitsAt = ({ scale }: View): number => Math.min(9, Math.max(0, Math.ceil(Math.log10(scale))));

export function rounded([x, y]: Point, digits: number): Point {
  return [round(x, digits), round(y, digits)];
}

/** Without a negative zero, which a reader would take for another number. */
const round = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

/** The width of the last digit: 1, 0.1, ... */
export const stepAt = (digits: number): number => Number((10 ** -digits).toFixed(digits));

/** For example 412, 96. */
export const pointText = ([x, y]: Point): string => `${numberText(x)}, ${numberText(y)}`;

const numberText = (value: number): string => String(Number(value.toFixed(3)));
