/** Light and dark: the system's choice until the person makes their own, which is remembered. `public/theme.js` applies it before the first paint. */
import { useSyncExternalStore } from "react";

export type ThemeChoice = "system" | "light" | "dark";
const KEY = "talkback.theme";
const BAR = { light: "#f7f6f3", dark: "#0e0f13" };

const listeners = new Set<() => void>();
const system = () => matchMedia("(prefers-color-scheme: light)");

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

let choice: ThemeChoice | undefined;
const current = () => (choice ??= stored());
const shown = () => {
  const chosen = current();
  return chosen === "system" ? (system().matches ? "light" : "dark") : chosen;
};

function apply() {
  const theme = shown();
  document.documentElement.dataset["theme"] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BAR[theme]);
  for (const listener of listeners) listener();
}

/** Chooses for this browser; "system" follows the system again. */
export function setTheme(next: ThemeChoice): void {
  choice = next;
  try {
    if (next === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage may be forbidden: the choice then lasts until the page is closed.
  }
  apply();
}

export const toggleTheme = () => setTheme(shown() === "dark" ? "light" : "dark");

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
/** Another tab has chosen. */
function onStorage(event: StorageEvent) {
  if (event.key !== KEY && event.key !== null) return;
  choice = stored();
  apply();
}

/** Follows the system and the other tabs, in every view, as long as the page lives. */
export function followTheme(): void {
  system().addEventListener("change", apply);
  addEventListener("storage", onStorage);
}

/** The theme that is shown now. */
export const useTheme = () => useSyncExternalStore(subscribe, shown);
/** What the person chose. */
export const useThemeChoice = () => useSyncExternalStore(subscribe, current);
