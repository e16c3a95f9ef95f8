/** Runs what puts load on the service, or what it is compared with, in processes of their own, which answer calls over Node's IPC. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { stopProcess } from "../../bin/testing/service-start.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- each helper has its own calls
type Calls = Record<string, (input: any) => unknown>;

export interface Helper<C extends Calls> {
  pid: number;
  call<K extends keyof C & string>(name: K, input: Parameters<C[K]>[0]): Promise<Awaited<ReturnType<C[K]>>>;
  stop(): Promise<void>;
}

interface Request {
  id: number;
  name: string;
  input: unknown;
}
type Reply = { id: number; result: unknown } | { id: number; error: string };

/** Starts the module `file`, which calls `provide`. Its process ends with this one, whatever happens. */
export async function startHelper<C extends Calls>(file: URL): Promise<Helper<C>> {
  const child: ChildProcess = fork(file, { stdio: ["ignore", "inherit", "inherit", "ipc"], execArgv: ["--disable-warning=ExperimentalWarning"] });
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<void>();
  child.on("message", (reply: Reply | "ready") => {
    if (reply === "ready") return ready.resolve();
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if ("error" in reply) waiting?.reject(new Error(reply.error));
    else waiting?.resolve(reply.result);
  });
  void once(child, "exit").then(([code, signal]) => {
    const error = new Error(`${file.pathname.split("/").at(-1)} ended with ${code ?? signal}`);
    ready.reject(error);
    for (const { reject } of pending.values()) reject(error);
  });
  ready.promise.catch(() => {});
  await ready.promise;
  let lastId = 0;
  return {
    pid: child.pid ?? 0,
    async call(name, input) {
      const waiting = Promise.withResolvers<unknown>();
      lastId += 1;
      pending.set(lastId, waiting);
      child.send({ id: lastId, name, input } satisfies Request);
      return (await waiting.promise) as never;
    },
    stop: () => stopProcess(child, "SIGKILL"),
  };
}

/** Answers the calls of the process that started this one. */
export function provide(calls: Calls): void {
  process.on("disconnect", () => process.exit());
  // Ctrl+C reaches the whole process group; the process that started this one ends it.
  process.on("SIGINT", () => {});
  process.on("message", async ({ id, name, input }: Request) => {
    let reply: Reply;
    try {
      reply = { id, result: await calls[name]!(input) };
    } catch (error) {
      reply = { id, error: (error as Error).stack ?? String(error) };
    }
    process.send?.(reply);
  });
  process.send?.("ready");
}
