import { useState } from "react";
import type { BrowserAudio } from "../audio/browser-audio.ts";
import { useClient } from "../client/client.ts";
import { getTabValue, setTabValue } from "../lib/tab-storage.ts";
import { useWhenReachable } from "../queries/recovery.ts";
import { isModalOpen } from "../ui/use-document-keydown.ts";

const RELOADED_AT_KEY = "reloaded-at";
/** A page that starts within so many milliseconds after an automatic reload is its result. */
const MAX_START_MS = 10_000;
/** Milliseconds until the next automatic reload of a page that could not load because of an outage. */
const OUTAGE_INTERVAL_MS = 60_000;

interface Options {
  /** True if a reload would lose something that is not saved. */
  hasUnsaved: boolean;
  /** True if only the service was unavailable, which the next reload may find available. */
  isOutage?: boolean;
}

/**
 * Reloads the page once the service responds. Returns true if the person has to do it: while a reload would interrupt them, and on a page that an automatic
 * reload has not mended.
 */
export function useReloadWhenReachable(isNeeded: boolean, { hasUnsaved, isOutage = false }: Options): boolean {
  const { audio } = useClient();
  const [isOffered, setIsOffered] = useState(false);
  useWhenReachable(isNeeded, () => {
    if (hasUnsaved || isBusy(audio.find()) || !reserveReload(isOutage)) setIsOffered(true);
    else location.reload();
  });
  return isNeeded && isOffered;
}

/** Returns whether the person fills in something, listens or records. Only the fields of forms without drafts count while they are not focused. */
const isBusy = (audio: BrowserAudio | null): boolean =>
  isModalOpen() ||
  document.activeElement?.matches("input, textarea, [contenteditable]") === true ||
  document.querySelector("main form[novalidate]") !== null ||
  (audio !== null && (audio.player.state().isPlaying || audio.recorder.state().phase !== "idle" || audio.recorder.hasUnpersisted()));

/**
 * Records an automatic reload, and returns whether the page may do it. A page that is the result of one reloads itself again only after an outage, and a
 * tab that stores nothing never does, because it could not tell the difference.
 */
export function reserveReload(isOutage: boolean, now = Date.now(), pageStart = performance.timeOrigin): boolean {
  const reloadedAt = Number(getTabValue(RELOADED_AT_KEY));
  const isResult = Math.abs(pageStart - reloadedAt) < MAX_START_MS;
  if (isResult && !(isOutage && now - reloadedAt >= OUTAGE_INTERVAL_MS)) return false;
  setTabValue(RELOADED_AT_KEY, String(now));
  return getTabValue(RELOADED_AT_KEY) === String(now);
}
