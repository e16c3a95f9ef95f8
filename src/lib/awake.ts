/** Keeps the screen lit: a phone that falls asleep stops listening. Where browsers do not offer that, it sleeps as ever. */

let isRequested = false;
let lock: WakeLockSentinel | null = null;

async function acquireLock(): Promise<void> {
  const acquired = await navigator.wakeLock.request("screen");
  if (!isRequested || lock) return acquired.release();
  lock = acquired;
  // The browser takes it away from pages that are not seen.
  acquired.addEventListener("release", () => lock === acquired && (lock = null));
}

function updateLock(): void {
  // Refused to pages that are not seen.
  if (isRequested && !lock && document.visibilityState === "visible") acquireLock().catch(() => undefined);
}

export function setWakeLock(on: boolean): void {
  if (!("wakeLock" in navigator) || isRequested === on) return;
  isRequested = on;
  if (on) document.addEventListener("visibilitychange", updateLock);
  else document.removeEventListener("visibilitychange", updateLock);
  updateLock();
  if (on) return;
  void lock?.release().catch(() => undefined);
  lock = null;
}
