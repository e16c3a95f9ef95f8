/**
 * Work on topics at the end of a transaction, after all of them have been locked in one order. If each step of a transaction locked the topics of those whom
 * it concerns, two transactions would lock the same people in different orders: a deadlock.
 */
import { beforeCommit } from "../db/transaction.ts";
import type { Tx } from "../db/schema.ts";

interface Step {
  topics: readonly string[];
  work: () => Promise<void>;
}

/**
 * Runs `work` at the end of the transaction, once these topics are locked, after what was added before; never without topics. `work` may add more, but only
 * on topics that are locked by then.
 */
export type AddAtEnd = (tx: Tx, topics: readonly string[], work: () => Promise<void>) => void;

export function createEndOfTransaction(lockTopics: (tx: Tx, topics: readonly string[]) => Promise<void>): AddAtEnd {
  const stepsOf = new WeakMap<Tx, Step[]>();

  async function run(tx: Tx, steps: Step[]): Promise<void> {
    const locked = new Set(steps.flatMap(({ topics }) => topics));
    await lockTopics(tx, [...locked]);
    // A step may add further ones.
    for (const { topics, work } of steps) {
      if (topics.some((topic) => !locked.has(topic))) throw new Error("Work at the end of a transaction added topics that are not locked");
      await work();
    }
    stepsOf.delete(tx);
  }

  return (tx, topics, work) => {
    if (topics.length === 0) return;
    let steps = stepsOf.get(tx);
    if (!steps) {
      const added: Step[] = [];
      stepsOf.set(tx, (steps = added));
      beforeCommit(() => run(tx, added));
    }
    steps.push({ topics, work });
  };
}
