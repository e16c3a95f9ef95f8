/** Requests to the cluster's one address, each on a connection of its own, so that the balancer chooses a service for each. */
import { request as sendRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Balancer } from "./balancer.ts";

const TIMEOUT_MS = 15_000;

export type Headers = Record<string, string>;
export interface Answer {
  /** 0: no answer arrived, so nobody knows whether the request was executed. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** Index of the service that answered. */
  service: number | undefined;
}

export type Send = (method: string, path: string, headers: Headers, body?: Buffer | object) => Promise<Answer>;

const NO_ANSWER: Answer = { status: 0, headers: {}, body: Buffer.alloc(0), service: undefined };

/** `signal`: ends all requests. */
export const createSend =
  (balancer: Balancer, signal: AbortSignal): Send =>
  (method, path, headers, body) =>
    new Promise((resolve) => {
      const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      const type: Headers = body === undefined || Buffer.isBuffer(body) ? {} : { "content-type": "application/json" };
      const length: Headers = bytes ? { "content-length": String(bytes.length) } : {};
      const options = { method, path, host: "127.0.0.1", port: balancer.port, agent: false, headers: { ...type, ...length, ...headers }, signal };
      const request = sendRequest(options, (response) => {
        const service = balancer.serviceOf(request.socket?.localPort);
        buffer(response).then(
          (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received, service }),
          () => resolve(NO_ANSWER),
        );
      });
      request.setTimeout(TIMEOUT_MS, () => request.destroy());
      request.on("error", () => resolve(NO_ANSWER));
      request.end(bytes);
    });

export const isOk = ({ status }: Answer): boolean => status >= 200 && status < 300;
/** A refusal that the same request gets again. Everything else is worth another attempt. */
export const isFinal = ({ status }: Answer): boolean => status >= 400 && status < 500 && ![408, 409, 423, 425, 429].includes(status);
export const parseData = ({ body }: Answer): unknown => (JSON.parse(body.toString()) as { data: unknown }).data;
