/** Keeps the screen lit: a phone that falls asleep stops listening. Where browsers do not offer that, it sleeps as ever. */

let wanted = false;
let lock: WakeLockSentinel | null = null;

async function take(): Promise<void> {
  const taken = await navigator.wakeLock.request("screen");
  if (!wanted || lock) return taken.release();
  lock = taken;
  // The browser takes it away from pages that are not seen.
  taken.addEventListener("release", () => lock === taken && (lock = null));
}

function look(): void {
  // Refused to pages that are not seen.
  if (wanted && !lock && document.visibilityState === "visible") take().catch(() => undefined);
}

export function keepAwake(on: boolean): void {
  if (!("wakeLock" in navigator) || wanted === on) return;
  wanted = on;
  if (on) document.addEventListener("visibilitychange", look);
  else document.removeEventListener("visibilitychange", look);
  look();
  if (on) return;
  void lock?.release().catch(() => undefined);
  lock = null;
}
