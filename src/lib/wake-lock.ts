/** Keeps the screen awake where the browser supports it, because a sleeping phone stops a recording. Returns the function that turns this on and off. */
export function createWakeLock(): (on: boolean) => void {
  let isRequested = false;
  let lock: WakeLockSentinel | null = null;

  async function acquireLock(): Promise<void> {
    const acquired = await navigator.wakeLock.request("screen");
    if (!isRequested || lock) return acquired.release();
    lock = acquired;
    // The browser releases the lock when the page is hidden.
    acquired.addEventListener("release", () => lock === acquired && (lock = null));
  }

  function updateLock(): void {
    // The browser refuses the lock to hidden pages.
    if (isRequested && !lock && document.visibilityState === "visible") acquireLock().catch(() => undefined);
  }

  return (on) => {
    if (!("wakeLock" in navigator) || isRequested === on) return;
    isRequested = on;
    if (on) document.addEventListener("visibilitychange", updateLock);
    else document.removeEventListener("visibilitychange", updateLock);
    updateLock();
    if (on) return;
    void lock?.release().catch(() => undefined);
    lock = null;
  };
}
