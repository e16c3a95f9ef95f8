/** Opens the live channel's WebSocket, validates incoming frames and reports its end. */
import { CLOSE_CODES, serverFrame, type ClientFrame, type ServerFrame } from "../../contract/events.ts";
import { liveTicket } from "../../contract/operations/session.ts";
import { parseJson } from "../lib/parse-json.ts";
import { ApiError } from "./api-error.ts";
import type { Api } from "./http.ts";

export interface LiveHandlers {
  onOpen(): void;
  onFrame(frame: ServerFrame): void;
  /** Called exactly once, even if the socket never opened. `error`: why there is no ticket to open it with. */
  onClose(code: number, error?: unknown): void;
}

export interface LiveSocket {
  send(frame: ClientFrame): void;
  close(): void;
}

/** Close code for a connection that ended without a close frame (RFC 6455, 7.4.1). */
export const ABNORMAL_CLOSURE = 1006;

/** Opens the channel. With a token it first requests a one-time ticket, because a browser's WebSocket cannot send headers. */
export function openLiveSocket(api: Api, handlers: LiveHandlers): LiveSocket {
  let socket: WebSocket | undefined;
  let ended = false;
  const end = (code: number, error?: unknown) => {
    if (ended) return;
    ended = true;
    handlers.onClose(code, error);
  };

  const open = (ticket?: string) => {
    if (ended) return;
    const url = new URL(api.address("/api/v2/live"));
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    if (ticket) url.searchParams.set("ticket", ticket);
    try {
      socket = new WebSocket(url);
    } catch {
      // A content security policy or an extension may block the socket.
      queueMicrotask(() => end(ABNORMAL_CLOSURE));
      return;
    }
    socket.onopen = () => !ended && handlers.onOpen();
    socket.onmessage = ({ data }) => {
      const frame = ended ? null : parseFrame(data, api.toOwnUrls);
      if (frame) handlers.onFrame(frame);
    };
    socket.onclose = ({ code }) => end(code);
  };

  // Without the channel the client polls.
  if (!api.offers(liveTicket)) queueMicrotask(() => end(ABNORMAL_CLOSURE));
  else if (api.hasToken) {
    api.call(liveTicket, {}).then(
      (response) => open(response.data.ticket),
      (error: unknown) => end(error instanceof ApiError && error.status === 401 ? CLOSE_CODES.unauthorized : ABNORMAL_CLOSURE, error),
    );
  } else open();

  return {
    send: (frame) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    },
    close: () => {
      // Report the end immediately: `onclose` waits for the other side, which may be gone.
      socket?.close(1000);
      end(ABNORMAL_CLOSURE);
    },
  };
}

/** Returns null for frames of an unknown or invalid shape, which the client ignores. */
function parseFrame(data: unknown, toOwnUrls: Api["toOwnUrls"]): ServerFrame | null {
  return typeof data === "string" ? (serverFrame.safeParse(toOwnUrls(parseJson(data))).data ?? null) : null;
}
