/** Formats epoch milliseconds as ISO 8601 in UTC, the format of all times in the API. */
export const iso = (time: number): string => new Date(time).toISOString();
export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));
