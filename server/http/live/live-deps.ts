/** Dependencies of the live channel on the rest of the service, provided by the composition root. */
import type { Actor } from "../../access/access.ts";
import type { Visibility } from "../../access/visibility.ts";
import type { Hub } from "../../events/hub.ts";
import type { Peers } from "../../events/peers.ts";
import type { Signals } from "../../events/signals.ts";

/** The part of the event hub that the live channel uses. */
export type LiveHub = Omit<Hub, "sendLocalSignal" | "close">;

/** Looks up current permissions. */
export interface PermissionLookup {
  /** Returns the actor with its current role and scopes, or null if the authorization has ended. */
  reauthenticate(actor: Pick<Actor, "sessionId" | "tokenId" | "accessTokenId">): Promise<Actor | null>;
  loadVisibility(actor: Actor): Promise<Visibility>;
  /** Returns whether the actor can see this project. */
  canSeeProject(actor: Actor, projectId: number): Promise<boolean>;
}

export interface LiveDeps {
  hub: LiveHub;
  signals: Pick<Signals, "emit" | "onSignal">;
  peers: Peers;
  permissionLookup: PermissionLookup;
  warn(error: unknown, message: string): void;
}
