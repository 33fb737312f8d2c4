/** The fold keeps a number that is not known as NaN, so that fields hold one kind of value. */
export const isKnown = (value: number): boolean => !Number.isNaN(value);
