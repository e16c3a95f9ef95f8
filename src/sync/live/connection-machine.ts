/** Decides when the live connection opens, retries, polls and stops, apart from sockets and timers. */
import { CLOSE_CODES } from "../../../contract/events.ts";

export type Phase = "connecting" | "live" | "polling" | "offline";

export interface Machine {
  phase: Phase;
  socket: "none" | "connecting" | "open";
  /** Attempts that failed since the last received frame. */
  failures: number;
  /** Epoch milliseconds at which the live channel was lost; null while it is live and before the first attempt has failed. */
  since: number | null;
  isPolling: boolean;
  isStopped: boolean;
}

export type Input =
  | { type: "start"; at: number }
  | { type: "stop" }
  | { type: "opened" }
  /** A frame arrived, so the channel really works and no proxy merely accepted the connection. */
  | { type: "frameReceived" }
  | { type: "closed"; at: number; code: number }
  | { type: "retry" }
  | { type: "polled"; ok: boolean }
  /** The network came back, or the page became visible. */
  | { type: "woken" }
  /** The browser reports that there is no network. */
  | { type: "networkLost"; at: number };

export type Effect =
  | { type: "open" }
  | { type: "close" }
  | { type: "probe" }
  | { type: "retry"; afterMs: number }
  | { type: "poll"; afterMs: number }
  | { type: "stopPolling" }
  | { type: "signedOut" };

const INITIAL_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 20_000;
const POLL_INTERVAL_MS = 4_000;
const UNREACHABLE_POLL_INTERVAL_MS = 10_000;
/** One failed attempt may be chance; after the second, messages arrive by polling. */
const FAILURES_BEFORE_POLLING = 2;

export const initialMachine: Machine = { phase: "connecting", socket: "none", failures: 0, since: null, isPolling: false, isStopped: true };

/** Doubles the delay up to 20 s; its second half is random, so that clients do not flood a restarted service. */
export function backoffMs(failures: number, random: number): number {
  const delayMs = Math.min(MAX_RETRY_DELAY_MS, INITIAL_RETRY_DELAY_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(delayMs / 2 + (delayMs / 2) * random);
}

/** Returns the next state and the effects to run. `random` is in [0, 1). */
export function transition(machine: Machine, input: Input, random: number): [Machine, Effect[]] {
  if (input.type === "start") {
    return machine.isStopped ? [{ ...initialMachine, isStopped: false, socket: "connecting" }, [{ type: "open" }]] : [machine, []];
  }
  if (machine.isStopped) return [machine, []];
  switch (input.type) {
    case "stop":
      return [initialMachine, [{ type: "close" }, { type: "stopPolling" }]];
    case "opened":
      return [{ ...machine, phase: "live", socket: "open", since: null, isPolling: false }, [{ type: "stopPolling" }]];
    case "frameReceived":
      return machine.failures > 0 ? [{ ...machine, failures: 0 }, []] : [machine, []];
    case "closed":
      return afterClose(machine, input, random);
    case "retry":
      return machine.socket === "none" ? [{ ...machine, socket: "connecting" }, [{ type: "open" }]] : [machine, []];
    case "polled":
      if (!machine.isPolling) return [machine, []];
      return [{ ...machine, phase: input.ok ? "polling" : "offline" }, [{ type: "poll", afterMs: input.ok ? POLL_INTERVAL_MS : UNREACHABLE_POLL_INTERVAL_MS }]];
    case "woken":
      if (machine.socket === "open") return [machine, [{ type: "probe" }]];
      if (machine.socket === "connecting") return [machine, []];
      return [{ ...machine, socket: "connecting", failures: 0 }, [{ type: "open" }, ...(machine.isPolling ? [{ type: "poll", afterMs: 0 } as const] : [])]];
    case "networkLost":
      // The browser may be wrong (a service on the local network), so the retries continue.
      return machine.socket === "open" ? [machine, [{ type: "probe" }]] : [{ ...machine, phase: "offline", since: machine.since ?? input.at }, []];
  }
}

function afterClose(machine: Machine, { at, code }: { at: number; code: number }, random: number): [Machine, Effect[]] {
  // Nothing is repeated until the client is woken, as after another token.
  if (code === CLOSE_CODES.unauthorized) return [{ ...initialMachine, isStopped: false, since: at }, [{ type: "stopPolling" }, { type: "signedOut" }]];
  const wasOpen = machine.socket === "open";
  const failures = machine.failures + 1;
  const isImmediate = failures === 1 && code === CLOSE_CODES.tooSlow;
  const isPolling = machine.isPolling || failures >= FAILURES_BEFORE_POLLING;
  return [
    { ...machine, socket: "none", failures, since: machine.since ?? at, isPolling, phase: wasOpen ? "connecting" : machine.phase },
    [
      { type: "retry", afterMs: isImmediate ? Math.round(200 * random) : backoffMs(failures, random) },
      ...(isPolling && !machine.isPolling ? [{ type: "poll", afterMs: 0 } as const] : []),
    ],
  ];
}
