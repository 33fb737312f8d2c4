// Colours of the page for the canvas, which knows no variables of CSS.

export interface Theme {
  readonly surface: string;
  readonly line: string;
  readonly text: string;
  readonly quiet: string;
  readonly accent: string;
  readonly font: string;
}

/** The variables are registered as colours (style/picture.css), so light-dark() is decided already. */
export function currentTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name);
  return {
    surface: colour("--picture-surface"),
    line: colour("--picture-line"),
    text: colour("--picture-text"),
    quiet: colour("--picture-quiet"),
    accent: colour("--picture-accent"),
    font: `12px ${style.fontFamily}`,
  };
}
