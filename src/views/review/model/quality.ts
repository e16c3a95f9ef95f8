/** Persists whether this browser plays originals instead of streaming copies. */
import { getPersisted, setPersisted } from "../../../lib/remembered.ts";

const STORAGE_KEY = "plays-original";
export const loadPrefersOriginal = (): boolean => getPersisted(STORAGE_KEY) === "yes";
export const savePrefersOriginal = (prefersOriginal: boolean): void => setPersisted(STORAGE_KEY, prefersOriginal ? "yes" : null);

const supportByType = new Map<string, boolean>();
/** Returns whether the browser reports a media type as playable, "maybe" included. */
export function canPlay(type: string): boolean {
  const isSupported = supportByType.get(type) ?? document.createElement(type.startsWith("video/") ? "video" : "audio").canPlayType(type) !== "";
  supportByType.set(type, isSupported);
  return isSupported;
}
