/** Whether this browser plays files themselves where there are streaming copies: remembered. */
import { getPersisted, setPersisted } from "../../../lib/remembered.ts";

const STORAGE_KEY = "plays-original";
export const loadPrefersOriginal = (): boolean => getPersisted(STORAGE_KEY) === "yes";
export const savePrefersOriginal = (prefersOriginal: boolean): void => setPersisted(STORAGE_KEY, prefersOriginal ? "yes" : null);

const supportByType = new Map<string, boolean>();
/** By the browser's own word on a media type, "maybe" included. */
export function canPlay(type: string): boolean {
  const isSupported = supportByType.get(type) ?? document.createElement(type.startsWith("video/") ? "video" : "audio").canPlayType(type) !== "";
  supportByType.set(type, isSupported);
  return isSupported;
}
