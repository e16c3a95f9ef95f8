/** Parses a date from the API as midnight UTC in epoch milliseconds; null and undefined pass through. */
export function parseDay(day: string | null | undefined): number | null | undefined {
  return typeof day === "string" ? Date.parse(day.slice(0, "2026-03-02".length)) : day;
}
