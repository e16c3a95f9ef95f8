/** Decides whether an actor may be shown events of a type, for the live channel and for the subscriptions of agents. */
import type { Access } from "../../contract/event-access.ts";
import { can, type Actor } from "./access.ts";

/** Returns whether HTTP would show this actor such a record, if it can see where the record is. */
export const hasAccess = (actor: Actor, { scope, furtherScopes = [], rule }: Access): boolean =>
  (actor.scopes === null || (scope !== "session" && [scope, ...furtherScopes].every((needed) => actor.scopes?.includes(needed)))) && can(actor, rule);
