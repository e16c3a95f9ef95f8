/** Whether this browser plays files themselves where there are streaming copies: remembered. */
import { recall, remember } from "../../../lib/remembered.ts";

const NAME = "plays-original";
export const recallOriginal = (): boolean => recall(NAME) === "yes";
export const rememberOriginal = (original: boolean): void => remember(NAME, original ? "yes" : null);

const asked = new Map<string, boolean>();
/** By the browser's own word on a media type, "maybe" included. */
export function canPlay(type: string): boolean {
  const known = asked.get(type) ?? document.createElement(type.startsWith("video/") ? "video" : "audio").canPlayType(type) !== "";
  asked.set(type, known);
  return known;
}
