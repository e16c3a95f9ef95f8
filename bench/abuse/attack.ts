/** What an attack is, and how it is run. */
import { type Outcomes, createSender, type Send } from "./requests.ts";
import type { Target } from "./target.ts";

export interface AttackContext {
  target: Target;
  send: Send;
  outcomes: Outcomes;
  seconds: number;
  /** 1 in the benchmark; smaller in the short form. Multiplies counts. */
  scale: number;
}

export interface Attack {
  name: string;
  title: string;
  /** Settings of the service, as environment variables. */
  settings?: Record<string, string>;
  run(context: AttackContext): Promise<void>;
  /** Returns what is wrong with the outcomes, or null. */
  findProblem?(outcomes: Outcomes): string | null;
}

/** Returns what is wrong if none of the outcomes is one of those expected, else null. */
export const expectSome = (outcomes: Outcomes, ...expected: string[]): string | null =>
  expected.some((outcome) => (outcomes[outcome] ?? 0) > 0) ? null : `no request ended with ${expected.join(" or ")}`;

/** Returns what is wrong if an outcome came more often than so many times, else null. */
export const expectAtMost = (outcomes: Outcomes, outcome: string, count: number): string | null =>
  (outcomes[outcome] ?? 0) > count ? `${outcomes[outcome]} x ${outcome}` : null;

/** Runs an attack and returns the outcomes of its requests. */
export async function runAttack(attack: Attack, target: Target, options: { seconds: number; scale: number }): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  const { send, close } = createSender(target.service.base, outcomes);
  try {
    await attack.run({ target, send, outcomes, ...options });
  } finally {
    await close();
  }
  return outcomes;
}
