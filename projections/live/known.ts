/** The fold stores an unknown number as NaN, so that each field has values of one type. */
export const isKnown = (value: number): boolean => !Number.isNaN(value);
