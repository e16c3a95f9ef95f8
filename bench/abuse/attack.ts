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
  findFault?(outcomes: Outcomes): string | null;
}

/** The fault of outcomes none of which is one of those expected. */
export const expectSome = (outcomes: Outcomes, ...expected: string[]): string | null =>
  expected.some((answer) => (outcomes[answer] ?? 0) > 0) ? null : `none was answered with ${expected.join(" or ")}`;

/** The fault of outcomes of one kind that came too often. */
export const expectAtMost = (outcomes: Outcomes, answer: string, count: number): string | null =>
  (outcomes[answer] ?? 0) > count ? `${outcomes[answer]} x ${answer}` : null;

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
