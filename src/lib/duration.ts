/** Lengths and positions of sound and picture, in seconds. */

const two = (value: number) => String(value).padStart(2, "0");

function parts(seconds: number) {
  const whole = Math.floor(seconds);
  return { hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, seconds: whole % 60 };
}
const known = (seconds: number) => (Number.isFinite(seconds) && seconds > 0 ? seconds : 0);

/** "3:42", "1:02:03". Rounded down, as a clock is read. */
export function formatPosition(seconds: number): string {
  // A position computed from pixels may lie a hair under the second that is meant.
  const at = parts(known(seconds) + 1e-6);
  return at.hours > 0 ? `${at.hours}:${two(at.minutes)}:${two(at.seconds)}` : `${at.minutes}:${two(at.seconds)}`;
}

/** "1:23.4": with tenths. */
export function formatTenths(seconds: number): string {
  const tenths = Math.floor(known(seconds) * 10 + 1e-6);
  return `${formatPosition(tenths / 10)}.${tenths % 10}`;
}

/** "1 minute 23 seconds", for screen readers; a colon would be read as a time of day. */
export function spokenDuration(seconds: number): string {
  const at = parts(known(seconds) + 1e-6);
  const words = (
    [
      [at.hours, "hour"],
      [at.minutes, "minute"],
      [at.seconds, "second"],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return words.length > 0 ? words.join(" ") : "0 seconds";
}
