/** The two response envelopes, a single record and a list, and responses that are text already. */

/** One record: `{object: noun, data}`. */
export const single = <N extends string, T>(object: N, data: T): { object: N; data: T } => ({ object, data });

/** A list: `{object: "list", data}` plus the members of `paging`. */
export const list = <T, M extends object = object>(data: T[], paging?: M): { object: "list"; data: T[] } & M => ({ object: "list", data, ...(paging as M) });

/** A JSON response that needs no conversion any more. */
export class JsonText {
  readonly body: string | Buffer;

  constructor(body: string | Buffer) {
    this.body = body;
  }
}
