/** Where chosen statuses outlive their page: in this browser, by account. Small enough to be written before the press that chose them is over. */
import * as z from "zod/mini";
import { fileStatus } from "../../../contract/records.ts";
import { onRememberedElsewhere, recall, remember } from "../../lib/remembered.ts";
import type { Choice } from "./choices.ts";

const record = z.object({
  id: z.string(),
  teamId: z.int(),
  status: fileStatus,
  note: z.string(),
  files: z.array(z.object({ id: z.int(), name: z.string(), before: z.nullable(fileStatus) })).check(z.minLength(1)),
  /** Epoch milliseconds: when it was written, and in which tab. */
  at: z.number(),
  tab: z.string(),
});
export type KeptChoice = z.infer<typeof record>;

export interface ChoiceShelf {
  all(): KeptChoice[];
  put(choice: Choice): void;
  remove(id: string): void;
  /** Calls back when another tab has written. Returns the way to stop. */
  onOther(listener: () => void): () => void;
}

const nameOf = (accountId: number) => `status-choices.${accountId}`;

export function choiceShelf(accountId: number, tab: string): ChoiceShelf {
  const name = nameOf(accountId);
  function all(): KeptChoice[] {
    try {
      const list: unknown = JSON.parse(recall(name) ?? "[]");
      return (Array.isArray(list) ? list : []).flatMap((one) => record.safeParse(one).data ?? []);
    } catch {
      return [];
    }
  }
  const write = (list: readonly KeptChoice[]) => remember(name, list.length === 0 ? null : JSON.stringify(list));
  return {
    all,
    put({ id, teamId, status, note, files }) {
      write([...all().filter((one) => one.id !== id), { id, teamId, status, note, files: [...files], at: Date.now(), tab }]);
    },
    remove(id) {
      const list = all();
      if (list.some((one) => one.id === id)) write(list.filter((one) => one.id !== id));
    },
    onOther(listener) {
      let stopped = false;
      onRememberedElsewhere((changed) => {
        if (!stopped && changed === name) listener();
      });
      return () => (stopped = true);
    },
  };
}
