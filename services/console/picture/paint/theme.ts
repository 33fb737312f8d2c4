// Colours of the page for the canvas, which knows no variables of CSS.

export interface Theme {
  readonly ground: string;
  readonly surface: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly accent: string;
  readonly font: string;
}

/** Reads the colours that an element of this class has; styles decide which. */
export function themeOf(element: Element): Theme {
  const style = getComputedStyle(element);
  const colour = (name: string) => resolvedColour(style.getPropertyValue(name), style);
  return {
    ground: colour("--ground"),
    surface: colour("--surface"),
    line: colour("--line"),
    text: colour("--text"),
    quiet: colour("--quiet"),
    accent: colour("--accent"),
    font: `12px ${style.fontFamily}`,
  };
}

/** A canvas does not understand light-dark() of a variable that is not registered, so one of both is taken here. */
function resolvedColour(value: string, style: CSSStyleDeclaration): string {
  const [, light = value, dark = value] = /light-dark\(\s*(#\w+)\s*,\s*(#\w+)\s*\)/.exec(value) ?? [];
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches && style.colorScheme !== "light";
  return isDark ? dark : light;
}
