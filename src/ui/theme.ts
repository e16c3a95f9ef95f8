/** Applies the light or dark theme: the user's persisted choice, or else the system's. `public/theme.js` applies it before the first paint. */
import { getPersisted, onPersistedChange, setPersisted } from "../lib/local-storage.ts";
import { createStore, type Store } from "../lib/store.ts";

export type ThemePreference = "system" | "light" | "dark";
const STORED_NAME = "theme";
const THEME_COLORS = { light: "#f7f6f3", dark: "#0e0f13" };

export interface Theme {
  preference: Pick<Store<ThemePreference>, "get" | "subscribe">;
  /** The theme that is applied now. */
  applied: Pick<Store<"light" | "dark">, "get" | "subscribe">;
  /** Sets the theme for this browser; "system" follows the system again. */
  set(next: ThemePreference): void;
  toggle(): void;
  dispose(): void;
}

/** Creates the theme of a page, which follows the system and other tabs. */
export function createTheme(): Theme {
  const lightMode = globalThis.matchMedia?.("(prefers-color-scheme: light)");
  const preference = createStore(readStoredPreference());
  const resolve = () => (preference.get() === "system" ? (lightMode?.matches ? "light" : "dark") : preference.get()) as "light" | "dark";
  const applied = createStore(resolve());

  function apply(next: ThemePreference): void {
    preference.set(next);
    document.documentElement.dataset["theme"] = resolve();
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", THEME_COLORS[resolve()]);
    applied.set(resolve());
  }
  const onSystemChange = () => apply(preference.get());
  lightMode?.addEventListener("change", onSystemChange);
  const stopFollowingTabs = onPersistedChange((name) => name === STORED_NAME && apply(readStoredPreference()));
  // The system may have changed since `public/theme.js` ran.
  if (globalThis.document?.documentElement && document.documentElement.dataset["theme"] !== resolve()) apply(preference.get());

  function set(next: ThemePreference): void {
    setPersisted(STORED_NAME, next === "system" ? null : next);
    apply(next);
  }

  return {
    preference,
    applied,
    set,
    toggle: () => set(applied.get() === "dark" ? "light" : "dark"),
    dispose() {
      lightMode?.removeEventListener("change", onSystemChange);
      stopFollowingTabs();
    },
  };
}

function readStoredPreference(): ThemePreference {
  const value = getPersisted(STORED_NAME);
  return value === "light" || value === "dark" ? value : "system";
}

/** Returns a design token's color in the current theme, for canvas drawing. */
export const colorOf = (token: string): string => getComputedStyle(document.documentElement).getPropertyValue(token).trim();
