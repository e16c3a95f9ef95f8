/** The live channel's socket: opens it, checks what comes in, says when it ended. */
import { serverFrame, type ClientFrame, type ServerFrame } from "../../contract/events.ts";
import { liveTicket } from "../../contract/operations/session.ts";
import { call, defaultConnection, type Connection } from "./http.ts";

export interface LiveHandlers {
  onOpen(): void;
  onFrame(frame: ServerFrame): void;
  /** Called once, also when it never opened. */
  onClose(code: number): void;
}

export interface LiveSocket {
  send(frame: ClientFrame): void;
  close(): void;
}

/** Closed without a word from the other side (RFC 6455, 7.4.1). */
const ABNORMAL_CLOSURE = 1006;

/** Opens the channel. A connection with a token asks for a one-time ticket first: a browser's WebSocket can send no header. */
export function openLiveSocket(handlers: LiveHandlers, connection: Connection = defaultConnection): LiveSocket {
  let socket: WebSocket | undefined;
  let ended = false;
  const end = (code: number) => {
    if (ended) return;
    ended = true;
    handlers.onClose(code);
  };

  const open = (ticket?: string) => {
    if (ended) return;
    const url = new URL(`${connection.base}/api/v2/live`, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    if (ticket) url.searchParams.set("ticket", ticket);
    try {
      socket = new WebSocket(url);
    } catch {
      // A content policy or an extension may forbid it.
      queueMicrotask(() => end(ABNORMAL_CLOSURE));
      return;
    }
    socket.onopen = () => !ended && handlers.onOpen();
    socket.onmessage = ({ data }) => {
      const frame = ended ? null : parseFrame(data);
      if (frame) handlers.onFrame(frame);
    };
    socket.onclose = ({ code }) => end(code);
  };

  if (connection.token) {
    call(liveTicket, {}, { connection }).then(
      (response) => open(response.data.ticket),
      () => end(ABNORMAL_CLOSURE),
    );
  } else open();

  return {
    send: (frame) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    },
    close: () => {
      // `onclose` waits for the other side, which may be gone.
      socket?.close(1000);
      end(ABNORMAL_CLOSURE);
    },
  };
}

/** Frames that this client does not know are ignored. */
export function parseFrame(data: unknown): ServerFrame | null {
  if (typeof data !== "string") return null;
  try {
    const result = serverFrame.safeParse(JSON.parse(data));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
