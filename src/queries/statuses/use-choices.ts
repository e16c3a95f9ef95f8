import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useSession } from "../session/use-session.ts";
import { choiceFor, type Choice } from "./choices.ts";
import type { ChoiceKeeper } from "./choice-keeper.ts";
import { choicesOf, endChoices } from "./choices-of.ts";

/** The keeper of what is chosen and does not count yet. */
export const useChoiceKeeper = (): ChoiceKeeper => choicesOf(useQueryClient(), useSession().account.id);

/** Everything that is chosen and not settled. */
export function useChoices(): readonly Choice[] {
  const keeper = useChoiceKeeper();
  return useSyncExternalStore(keeper.onChange, keeper.all);
}

/** What is chosen for this file and under way; undefined where nothing is. */
export function useChoiceFor(fileId: number): Choice | undefined {
  const keeper = useChoiceKeeper();
  return useSyncExternalStore(keeper.onChange, () => choiceFor(keeper.all(), fileId));
}

/** What is kept of whoever is signed in is told, and ends with their session. Once, in the shell. */
export function useChoicesOfSession(): void {
  const client = useQueryClient();
  useChoiceKeeper();
  useEffect(() => () => endChoices(client), [client]);
}
