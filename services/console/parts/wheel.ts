/** Whether the wheel zooms what it turns over: with Ctrl, or once that has the focus. Otherwise it scrolls the page. */
export function isZoomOf({ ctrlKey, metaKey, currentTarget }: WheelEvent): boolean {
  return ctrlKey || metaKey || (currentTarget instanceof Element && currentTarget.matches(":focus, :focus-within"));
}

/** For the titles of buttons that do the same. */
export const WHEEL_HINT = "Ctrl and the wheel";
