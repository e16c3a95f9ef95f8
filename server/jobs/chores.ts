/** Work that comes round every hour in each process; two processes at it at once do no harm. */
import { HOUR, MINUTE } from "../lib/clock.ts";

export type Chores = Record<string, () => Promise<unknown>>;

/** Runs them one after the other soon after the start and then every hour; the returned function stops and waits for what is under way. */
export function keepTidy(chores: Chores, warn: (error: unknown, message: string) => void, { soonMs = MINUTE, everyMs = HOUR } = {}): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    for (const [name, work] of Object.entries(chores)) {
      if (stopped) return;
      await work().catch((error: unknown) => warn(error, `${name}: did not work; the next try is in an hour`));
    }
  };
  // A run that takes longer than the pause is not overtaken by the next one.
  const queue = () => void (running = running.then(run));
  const soon = setTimeout(queue, soonMs).unref();
  const hourly = setInterval(queue, everyMs).unref();
  return async () => {
    stopped = true;
    clearTimeout(soon);
    clearInterval(hourly);
    await running;
  };
}
