/** Starts and stops services as child processes, for tests. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Time for a process to exit after a signal before it is killed. */
const STOP_TIMEOUT_MS = 10_000;

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until `started` resolves. Throws if the process exits before, or does not start in time, in which case it is killed. */
export async function waitForStart(child: ChildProcess, started: Promise<unknown>, timeoutMs: number): Promise<void> {
  const waiting = new AbortController();
  const exited = once(child, "exit", { signal: waiting.signal });
  const timedOut = sleep(timeoutMs, undefined, { signal: waiting.signal });
  try {
    await Promise.race([
      started,
      exited.then(([code, signal]) => {
        throw new Error(`The process did not start: it ended with ${code ?? signal}`);
      }),
      timedOut.then(() => {
        throw new Error(`The process did not start within ${timeoutMs / 1_000} s`);
      }),
    ]);
  } catch (error) {
    await stopProcess(child, "SIGKILL");
    throw error;
  } finally {
    waiting.abort();
  }
}

/** Sends a signal to a process, unless it has exited, and waits until it exits. */
export async function stopProcess(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  const killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(killTimer);
}
