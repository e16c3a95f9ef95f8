/** Keeps the screen lit: a phone that falls asleep stops listening. Where browsers do not offer that, it sleeps as ever. */

let wanted = false;
let lock: WakeLockSentinel | null = null;

async function take(): Promise<void> {
  const taken = await navigator.wakeLock.request("screen");
  if (wanted) lock = taken;
  else await taken.release();
}

export function keepAwake(on: boolean): void {
  wanted = on;
  void lock?.release().catch(() => undefined);
  lock = null;
  // Refused to pages that are not seen.
  if (on && "wakeLock" in navigator) take().catch(() => undefined);
}
