// Light or dark: as the reader's system says until a button is pressed; paper is always light.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Theme } from "./palette";

export const ThemeContext = createContext<Theme>("light");

export const useColours = (): Theme => useContext(ThemeContext);

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const media = window.matchMedia(query);
    const update = () => setMatches(media.matches);
    update();
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return matches;
}

/** The theme, which `root` has as an attribute, and what the button does. */
export function useTheme(
  root: HTMLElement = document.documentElement,
  first: Theme | null = null,
): [Theme, () => void] {
  const isSystemDark = useMedia("(prefers-color-scheme: dark)");
  const isPrinted = useMedia("print");
  const [chosen, setChosen] = useState<Theme | null>(first);
  const onScreen: Theme = chosen ?? (isSystemDark ? "dark" : "light");
  const theme = isPrinted ? "light" : onScreen;
  useEffect(() => {
    root.dataset.theme = theme;
  }, [root, theme]);
  return [theme, () => setChosen(onScreen === "dark" ? "light" : "dark")];
}
