/** Asks the public API as somebody, without a socket. */
import type { Answer, Input, Operation } from "../../../contract/define.ts";
import type { App } from "../../app.ts";

type Given<O extends Operation> = Partial<Omit<Input<O>, "params">> & {
  params?: Record<string, string | number>;
  /** The body of an upload. */
  bytes?: Buffer;
  /** `Idempotency-Key`. */
  key?: string;
};
export type Ask = <O extends Operation>(operation: O, given?: Given<O>) => Promise<Answer<O>>;
export type Server = App["server"];

/** What the service said when it refused. */
const reasonIn = (text: string): string => {
  try {
    return String((JSON.parse(text) as { detail?: unknown }).detail ?? text);
  } catch {
    return text;
  }
};

async function request<O extends Operation>(server: Server, operation: O, headers: Record<string, string>, given: Given<O>) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.params?.[name] ?? ""));
  const query = new URLSearchParams(given.query as Record<string, string> | undefined);
  const response = await server.inject({
    method: operation.method,
    url: query.size > 0 ? `${path}?${query}` : path,
    headers: {
      ...headers,
      ...(given.bytes ? { "content-type": "application/octet-stream" } : given.body === undefined ? {} : { "content-type": "application/json" }),
      ...(given.key === undefined ? {} : { "idempotency-key": given.key }),
    },
    ...(given.bytes ? { payload: given.bytes } : given.body === undefined ? {} : { payload: JSON.stringify(given.body) }),
  });
  if (response.statusCode >= 300) throw new Error(`${operation.summary}: ${reasonIn(response.body)}`);
  return response;
}

/** `headers` say who asks. */
export const askWith =
  (server: Server, headers: Record<string, string>): Ask =>
  async (operation, given = {}) => {
    const { body } = await request(server, operation, headers, given);
    return (body === "" ? undefined : JSON.parse(body)) as never;
  };

/** For operations that sign in: what a browser of ours would ask with from then on. */
export async function enterBy<O extends Operation>(server: Server, publicUrl: string, operation: O, given: Given<O>): Promise<{ ask: Ask; answer: Answer<O> }> {
  const page = { origin: publicUrl, "sec-fetch-site": "same-origin" };
  const response = await request(server, operation, page, given);
  const [cookie = ""] = [response.headers["set-cookie"]].flat();
  return { ask: askWith(server, { ...page, cookie: cookie.split(";")[0] ?? "" }), answer: JSON.parse(response.body) as Answer<O> };
}
