/** Applies the light or dark theme: the user's persisted choice, or else the system's. `public/theme.js` applies it before the first paint. */
import { useSyncExternalStore } from "react";

export type ThemePreference = "system" | "light" | "dark";
const KEY = "talkback.theme";
const THEME_COLORS = { light: "#f7f6f3", dark: "#0e0f13" };

const listeners = new Set<() => void>();
const lightModeQuery = () => matchMedia("(prefers-color-scheme: light)");

function readStoredPreference(): ThemePreference {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

let preference: ThemePreference | undefined;
const getPreference = () => (preference ??= readStoredPreference());
const resolveTheme = () => {
  const selected = getPreference();
  return selected === "system" ? (lightModeQuery().matches ? "light" : "dark") : selected;
};

function applyTheme() {
  const theme = resolveTheme();
  document.documentElement.dataset["theme"] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", THEME_COLORS[theme]);
  for (const listener of listeners) listener();
}

/** Sets the theme for this browser; "system" follows the system again. */
export function setTheme(next: ThemePreference): void {
  preference = next;
  try {
    if (next === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage may be forbidden, in which case the choice lasts until the page closes.
  }
  applyTheme();
}

export const toggleTheme = () => setTheme(resolveTheme() === "dark" ? "light" : "dark");

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
/** Applies a choice made in another tab. */
function onStorage(event: StorageEvent) {
  if (event.key !== KEY && event.key !== null) return;
  preference = readStoredPreference();
  applyTheme();
}

/** Follows the system and other tabs for the lifetime of the page. */
export function watchTheme(): void {
  lightModeQuery().addEventListener("change", applyTheme);
  addEventListener("storage", onStorage);
}

/** Returns the theme that is applied now. */
export const useTheme = () => useSyncExternalStore(subscribe, resolveTheme);
export const useThemePreference = () => useSyncExternalStore(subscribe, getPreference);

/** Returns a design token's color in the current theme, for canvas drawing. */
export const colorOf = (token: string): string => getComputedStyle(document.documentElement).getPropertyValue(token).trim();
