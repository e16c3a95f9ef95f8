/** Converts between dates and date field values ("2026-11-17") in the reader's time zone. */
const twoDigits = (value: number) => String(value).padStart(2, "0");

export const toDateInput = (date: Date): string =>
  `${String(date.getFullYear()).padStart(4, "0")}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;

/** Returns the start of the day; null for an invalid date. */
export function startOfDay(day: string): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const start = new Date(year, month - 1, date);
  start.setFullYear(year);
  return start.getMonth() === month - 1 && start.getDate() === date ? start : null;
}
