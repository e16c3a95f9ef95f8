/** When to open, retry, poll and rest: the live connection's decisions, apart from sockets and timers. */
import { CLOSE } from "../../../contract/events.ts";

export type Phase = "connecting" | "live" | "polling" | "offline";

export interface Machine {
  phase: Phase;
  socket: "none" | "opening" | "open";
  /** Tries that ended since the channel last spoke. */
  failures: number;
  /** Epoch milliseconds since when there is no live channel; null while it is live or was never tried. */
  since: number | null;
  polling: boolean;
  stopped: boolean;
}

export type Input =
  | { type: "start"; at: number }
  | { type: "stop" }
  | { type: "opened" }
  /** A frame came in: the channel truly works, no proxy only pretends. */
  | { type: "heard" }
  | { type: "closed"; at: number; code: number }
  | { type: "retry" }
  | { type: "polled"; ok: boolean }
  /** The network came back, or the page is looked at again. */
  | { type: "woken" }
  /** The browser says that there is no network. */
  | { type: "networkLost"; at: number };

export type Effect =
  | { do: "open" }
  | { do: "close" }
  | { do: "probe" }
  | { do: "retry"; afterMs: number }
  | { do: "poll"; afterMs: number }
  | { do: "stopPolling" }
  | { do: "signedOut" };

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 20_000;
const POLL_MS = 4_000;
const POLL_UNREACHABLE_MS = 10_000;
/** One lost try may be chance; after the second the messages come by polling. */
const FAILURES_BEFORE_POLLING = 2;

export const initial: Machine = { phase: "connecting", socket: "none", failures: 0, since: null, polling: false, stopped: true };

/** Doubles up to 20 s; the second half of each span is drawn by lot, so that a restarted service is not stormed. */
export function backoffMs(failures: number, random: number): number {
  const span = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(span / 2 + (span / 2) * random);
}

/** The next state and what to do now. `random` is in [0, 1). */
export function step(machine: Machine, input: Input, random: number): [Machine, Effect[]] {
  if (input.type === "start") {
    return machine.stopped ? [{ ...initial, stopped: false, socket: "opening" }, [{ do: "open" }]] : [machine, []];
  }
  if (machine.stopped) return [machine, []];
  switch (input.type) {
    case "stop":
      return [initial, [{ do: "close" }, { do: "stopPolling" }]];
    case "opened":
      return [{ ...machine, phase: "live", socket: "open", since: null, polling: false }, [{ do: "stopPolling" }]];
    case "heard":
      return machine.failures > 0 ? [{ ...machine, failures: 0 }, []] : [machine, []];
    case "closed":
      return closed(machine, input, random);
    case "retry":
      return machine.socket === "none" ? [{ ...machine, socket: "opening" }, [{ do: "open" }]] : [machine, []];
    case "polled":
      if (!machine.polling) return [machine, []];
      return [{ ...machine, phase: input.ok ? "polling" : "offline" }, [{ do: "poll", afterMs: input.ok ? POLL_MS : POLL_UNREACHABLE_MS }]];
    case "woken":
      if (machine.socket === "open") return [machine, [{ do: "probe" }]];
      if (machine.socket === "opening") return [machine, []];
      return [{ ...machine, socket: "opening", failures: 0 }, [{ do: "open" }, ...(machine.polling ? [{ do: "poll", afterMs: 0 } as const] : [])]];
    case "networkLost":
      // The word may be wrong (a service in the same house): the retries go on.
      return machine.socket === "open" ? [machine, [{ do: "probe" }]] : [{ ...machine, phase: "offline", since: machine.since ?? input.at }, []];
  }
}

function closed(machine: Machine, { at, code }: { at: number; code: number }, random: number): [Machine, Effect[]] {
  if (code === CLOSE.unauthorized) return [{ ...initial, since: at }, [{ do: "stopPolling" }, { do: "signedOut" }]];
  const wasOpen = machine.socket === "open";
  const failures = machine.failures + 1;
  const atOnce = failures === 1 && code === CLOSE.tooSlow;
  const polling = machine.polling || failures >= FAILURES_BEFORE_POLLING;
  return [
    { ...machine, socket: "none", failures, since: machine.since ?? at, polling, phase: wasOpen ? "connecting" : machine.phase },
    [
      { do: "retry", afterMs: atOnce ? Math.round(200 * random) : backoffMs(failures, random) },
      ...(polling && !machine.polling ? [{ do: "poll", afterMs: 0 } as const] : []),
    ],
  ];
}
