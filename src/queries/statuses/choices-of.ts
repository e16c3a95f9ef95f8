/** The keeper of chosen statuses that belongs to a query cache and to who is signed in. */
import type { QueryClient } from "@tanstack/react-query";
import { randomId } from "../../lib/random-id.ts";
import { TAB } from "../outbox/this-tab.ts";
import { sessionQueries } from "../session/options.ts";
import { claimsOf } from "./choice-claims.ts";
import { createChoiceKeeper, type ChoiceKeeper } from "./choice-keeper.ts";
import { choiceShelf } from "./choice-shelf.ts";
import { sendStatus, standingOf } from "./set-status.ts";

let current: { client: QueryClient; accountId: number; keeper: ChoiceKeeper } | null = null;

/** Made when it is first needed; somebody else's ends then. */
export function choicesOf(client: QueryClient, accountId: number): ChoiceKeeper {
  if (current?.client === client && current.accountId === accountId) return current.keeper;
  current?.keeper.end();
  const keeper = createChoiceKeeper({
    send: (choice, file) => sendStatus(client, accountId, choice, file),
    standing: standingOf,
    shelf: choiceShelf(accountId, TAB),
    claim: claimsOf(`talkback.status:${accountId}`, TAB),
    newId: randomId,
  });
  current = { client, accountId, keeper };
  return keeper;
}

/** Ends it where its person is signed in no more. */
export function endChoices(client: QueryClient): void {
  if (!current || client.getQueryData(sessionQueries.current().queryKey)?.account.id === current.accountId) return;
  current.keeper.end();
  current = null;
}
