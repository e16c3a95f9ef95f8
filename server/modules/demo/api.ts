/** Calls the public API on behalf of an account, without a socket. */
import type { FastifyInstance } from "fastify";
import type { ResponseOf, Input, Operation } from "../../../contract/define-operation.ts";

type CallOptions<O extends Operation> = Partial<Omit<Input<O>, "params">> & {
  params?: Record<string, string | number>;
  /** Request body of an upload. */
  bytes?: Buffer;
  /** Value of the `Idempotency-Key` header. */
  key?: string;
};
export type ApiCall = <O extends Operation>(operation: O, options?: CallOptions<O>) => Promise<ResponseOf<O>>;
export type Server = Pick<FastifyInstance, "inject">;

/** Returns the error detail from the response body. */
const errorDetail = (text: string): string => {
  try {
    return String((JSON.parse(text) as { detail?: unknown }).detail ?? text);
  } catch {
    return text;
  }
};

async function sendRequest<O extends Operation>(server: Server, operation: O, headers: Record<string, string>, options: CallOptions<O>) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(options.params?.[name] ?? ""));
  const query = new URLSearchParams(options.query as Record<string, string> | undefined);
  const response = await server.inject({
    method: operation.method,
    url: query.size > 0 ? `${path}?${query}` : path,
    headers: {
      ...headers,
      ...(options.bytes ? { "content-type": "application/octet-stream" } : options.body === undefined ? {} : { "content-type": "application/json" }),
      ...(options.key === undefined ? {} : { "idempotency-key": options.key }),
    },
    ...(options.bytes ? { payload: options.bytes } : options.body === undefined ? {} : { payload: JSON.stringify(options.body) }),
  });
  if (response.statusCode >= 300) throw new Error(`${operation.summary}: ${errorDetail(response.body)}`);
  return response;
}

/** `headers` authenticate the caller. */
export const createApiCall =
  (server: Server, headers: Record<string, string>): ApiCall =>
  async (operation, options = {}) => {
    const { body } = await sendRequest(server, operation, headers, options);
    return (body === "" ? undefined : JSON.parse(body)) as never;
  };

/** Headers of requests from the service's own page. */
export const pageHeaders = (publicUrl: string) => ({ origin: publicUrl, "sec-fetch-site": "same-origin" });

/** Calls an operation that signs in and returns an `ApiCall` with the session cookie and headers of the web client. */
export async function signInWith<O extends Operation>(
  server: Server,
  publicUrl: string,
  operation: O,
  options: CallOptions<O>,
): Promise<{ call: ApiCall; response: ResponseOf<O> }> {
  const headers = pageHeaders(publicUrl);
  const response = await sendRequest(server, operation, headers, options);
  const [cookie = ""] = [response.headers["set-cookie"]].flat();
  return { call: createApiCall(server, { ...headers, cookie: cookie.split(";")[0] ?? "" }), response: JSON.parse(response.body) as ResponseOf<O> };
}
