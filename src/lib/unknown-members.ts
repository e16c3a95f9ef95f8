/** Marks documented members that a service does not send readably, so that views show them as unknown instead of by the value that stands in for them. */

const UNKNOWN_MEMBERS = "unknown_members";

/** Stands for the time of messages in a chat where no message has a readable one. */
export const NO_TIME = new Date(0).toISOString();

/** Names the members that are unknown, in place of any other value of that name. */
export const markUnknown = (names: readonly string[]): Record<string, unknown> => (names.length > 0 ? { [UNKNOWN_MEMBERS]: names } : {});

export function isUnknown(record: Readonly<Record<string, unknown>>, name: string): boolean {
  const names = record[UNKNOWN_MEMBERS];
  return Array.isArray(names) && names.includes(name);
}
