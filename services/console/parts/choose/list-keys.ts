// Keys in a field with a list of options below it. They follow the pattern "combobox" of WAI-ARIA. Pure.

export interface OptionList {
  readonly isOpen: boolean;
  /** Place of the option that the arrow keys lead to; -1 while there is none. */
  readonly active: number;
}

export const CLOSED_LIST: OptionList = { isOpen: false, active: -1 };
export const OPENED_LIST: OptionList = { isOpen: true, active: -1 };

export interface KeyOutcome {
  readonly list: OptionList;
  /** Whether the active option is chosen. */
  readonly isChoice?: boolean;
  /** Whether the text of the field goes. */
  readonly isCleared?: boolean;
}

/**
 * @param count options of the list.
 * @param hasText whether something is typed.
 * @returns undefined for a key that does in this field what it does in any other one.
 */
export function afterKey(key: string, list: OptionList, count: number, hasText: boolean): KeyOutcome | undefined {
  const { isOpen, active } = list;
  switch (key) {
    case "ArrowDown":
      return { list: isOpen ? { isOpen, active: count === 0 ? -1 : (active + 1) % count } : OPENED_LIST };
    case "ArrowUp":
      if (!isOpen) return undefined;
      return { list: { isOpen, active: active <= 0 ? count - 1 : active - 1 } };
    case "Enter":
      if (isOpen && active >= 0 && active < count) return { list, isChoice: true };
      // A form is not sent with half a name in a field.
      return isOpen || hasText ? { list } : undefined;
    case "Escape":
      if (isOpen) return { list: CLOSED_LIST };
      return hasText ? { list, isCleared: true } : undefined;
    default:
      return undefined;
  }
}
