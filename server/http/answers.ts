/** The two envelopes of every answer. */

/** One record: `{object: noun, data}`. */
export const one = <N extends string, T>(object: N, data: T): { object: N; data: T } => ({ object, data });

/** Documented list envelope; `more` carries paging members. */
export const list = <T, M extends object = object>(data: T[], more?: M): { object: "list"; data: T[] } & M => ({ object: "list", data, ...(more as M) });
