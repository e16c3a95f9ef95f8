/** Formats durations and positions of audio and video, in seconds. */

const padTwo = (value: number) => String(value).padStart(2, "0");

function splitDuration(seconds: number) {
  const wholeSeconds = Math.floor(seconds);
  return { hours: Math.floor(wholeSeconds / 3600), minutes: Math.floor(wholeSeconds / 60) % 60, seconds: wholeSeconds % 60 };
}
const finiteOrZero = (seconds: number) => (Number.isFinite(seconds) && seconds > 0 ? seconds : 0);

/** "3:42", "1:02:03", rounded down like a clock. */
export function formatPosition(seconds: number): string {
  // A position computed from pixels may fall slightly below the intended second.
  const parts = splitDuration(finiteOrZero(seconds) + 1e-6);
  return parts.hours > 0 ? `${parts.hours}:${padTwo(parts.minutes)}:${padTwo(parts.seconds)}` : `${parts.minutes}:${padTwo(parts.seconds)}`;
}

/** "1:23.4", with tenths. */
export function formatTenths(seconds: number): string {
  const tenths = Math.floor(finiteOrZero(seconds) * 10 + 1e-6);
  return `${formatPosition(tenths / 10)}.${tenths % 10}`;
}

/** "1 minute 23 seconds" for screen readers, which would read a colon as a time of day. */
export function formatAccessibleDuration(seconds: number): string {
  const parts = splitDuration(finiteOrZero(seconds) + 1e-6);
  const units = (
    [
      [parts.hours, "hour"],
      [parts.minutes, "minute"],
      [parts.seconds, "second"],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return units.length > 0 ? units.join(" ") : "0 seconds";
}
