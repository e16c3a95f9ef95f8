/** Formats and parses the times of the API: epoch milliseconds inside, ISO 8601 in UTC outside. */
export const iso = (time: number): string => new Date(time).toISOString();
export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
/** Parses a validated time from a caller; null if it is omitted. */
export const parseTime = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));
