// Leads the focus to the heading of a new place, so that a screen reader says where the user is now.

interface Place {
  readonly heading: string;
  readonly isOtherPage: boolean;
  /** Whether something had the focus, and not the page alone. */
  readonly hadFocus: boolean;
}

export class PageFocus {
  readonly #root: Element;
  /** The heading of the place before, while the new one has not been drawn. */
  #before: Place | undefined;

  constructor(root: Element) {
    this.#root = root;
  }

  /** The address has changed. A change of the query alone may be a condition, which leaves the user where they are. */
  leave(isOtherPage: boolean): void {
    const { isOtherPage: isWaiting = false, hadFocus = false } = this.#before ?? {};
    this.#before = {
      heading: this.#heading?.textContent ?? "",
      isOtherPage: isOtherPage || isWaiting,
      hadFocus: hadFocus || !isFocusNowhere(),
    };
  }

  /** The place has been drawn. */
  arrive(): void {
    const before = this.#before;
    if (before === undefined) return;
    this.#before = undefined;
    const heading = this.#heading;
    // Something that the user had the focus on may be gone.
    const isLost = before.hadFocus && isFocusNowhere();
    if (!before.isOtherPage && !isLost && heading?.textContent === before.heading) return;
    const place = heading ?? this.#root.querySelector<HTMLElement>("#main");
    if (heading !== null) heading.tabIndex = -1;
    place?.focus();
  }

  get #heading(): HTMLElement | null {
    return this.#root.querySelector<HTMLElement>("#main h1");
  }
}

const isFocusNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;
