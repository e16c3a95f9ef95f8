/** The two envelopes of every answer. */

/** One record: `{object: noun, data}`. */
export const record = <N extends string, T>(object: N, data: T): { object: N; data: T } => ({ object, data });

/** Documented list envelope; `paging` carries paging members. */
export const list = <T, M extends object = object>(data: T[], paging?: M): { object: "list"; data: T[] } & M => ({ object: "list", data, ...(paging as M) });
