/** The scopes of an agent bound it as those of a token bind a program. */
import type { Operation } from "../../../contract/define-operation.ts";
import type { Actor } from "../../access/access.ts";
import { forbidden } from "../../lib/errors.ts";

/** Throws a 403 unless the agent's scopes allow what a token needs for the operation. */
export function assertScopes({ scopes }: Actor, { scope, furtherScopes = [] }: Pick<Operation, "scope" | "furtherScopes">): void {
  const missing = [scope, ...furtherScopes].find((needed) => needed !== null && !scopes?.some((allowed) => allowed === needed));
  if (missing && scopes !== null) throw forbidden(`The agent lacks the scope ${missing}.`);
}
