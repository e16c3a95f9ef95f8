/** Copies to the clipboard, derives keyboard labels, the language and playable media types from the browser, and names of browser and system from a user agent. */

const isApple = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.platform || navigator.userAgent);

/** The first pattern that matches decides, because user agents also name the browsers that they imitate. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
/** Phones come first, because their user agents also name the desktop system they derive from. */
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const MOBILE_SYSTEMS = new Set(["iPhone", "iPad", "Android"]);

/** "⌘K" on Apple keyboards, "Ctrl K" on others. */
export const commandKeys = (letter: string) => (isApple ? `⌘${letter}` : `Ctrl ${letter}`);
/** "⌥K" on Apple keyboards, "Alt K" on others. */
export const altKeys = (key: string) => (isApple ? `⌥${key}` : `Alt ${key}`);

/**
 * Picks the reader's English variant for dates and times, if the browser names one; all texts are English. Skips tags that `Intl` rejects, such as
 * "en-US@posix", which Chromium reports on a Linux system without a locale.
 */
export function pickLanguage(preferred: readonly string[]): string {
  return preferred.find(isEnglish) ?? "en-GB";
}

/** Returns whether the tag is a variant of English that `Intl` knows. */
export const isEnglish = (tag: string): boolean => /^en(-|$)/i.test(tag) && isLanguageTag(tag);

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

export const language = pickLanguage(typeof navigator === "undefined" ? [] : (navigator.languages ?? []));

/** Derives "Firefox" and "Linux" from a user agent, precise enough for people to recognize their own browsers in a list; null for an unknown part. */
export function parseUserAgent(userAgent: string): { browser: string | null; system: string | null } {
  const findName = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  return { browser: findName(BROWSERS), system: findName(SYSTEMS) };
}

export const isMobileBrowser = (userAgent: string): boolean => MOBILE_SYSTEMS.has(parseUserAgent(userAgent).system ?? "");

/** Returns whether the browser reports a media type as playable, "maybe" included. */
export const canPlay = (type: string): boolean => document.createElement(type.startsWith("video/") ? "video" : "audio").canPlayType(type) !== "";

/** Copies text to the clipboard. Resolves to false where there is none, as on plain HTTP, and where permission is denied. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds after which a browser has certainly begun to save what a link names. */
const SAVE_STARTED_MS = 60_000;

/** Makes the browser save what is at a URL; `release` is called once the browser no longer needs the URL. An empty name leaves the name to the service. */
export function saveFrom(url: string, name = "", release: () => void = () => {}): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(release, SAVE_STARTED_MS);
}
