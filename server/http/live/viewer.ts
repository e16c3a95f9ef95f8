/**
 * One person with all their sockets: what they see now, kept up to date by the very events that change it.
 * When rights may have changed, nothing more is sent until they have been looked up again; held events then come from the log.
 */
import { CLOSE_CODES } from "../../../contract/events.ts";
import { can, canSeeEverything, type Actor } from "../../domain/access.ts";
import { TRY_AGAIN_LATER } from "./codes.ts";
import type { LiveEvent, LocalSignal, LiveDeps } from "./feed.ts";
import { activityFrame, projectChangedFrame, eventData, eventFrame, localSignalFrame, withheldFrame } from "./frames.ts";

/** What people hear of projects that they see but do not follow. */
const PROJECT_SIGNALS: Record<string, { scope: "account:read" | "chat:read"; frame(liveEvent: LiveEvent): Buffer }> = {
  "message.created": { scope: "chat:read", frame: activityFrame },
  "project.updated": { scope: "account:read", frame: projectChangedFrame },
};

/** A socket, as its person's viewer knows it. */
export interface SessionConnection {
  actor(): Actor;
  updateActor(actor: Actor): void;
  publish(liveEvent: LiveEvent): void;
  signal(frame: Buffer): void;
  pause(): void;
  /** Gives up what may no longer be seen, goes on with the rest. */
  revalidate(): void;
  end(code: number, reason: string): void;
}

const hasScope = ({ scopes }: Actor, scope: "account:read" | "chat:read"): boolean => scopes === null || scopes.includes(scope);

/** Told in the organisation's topic, since that is whose webhooks they are; but not to everybody who follows it. */
const WEBHOOK_EVENT_PATTERN = /^(webhook_endpoint|delivery)\./;
const canReceiveWebhookEvents = (actor: Actor): boolean => (actor.scopes === null || actor.scopes.includes("webhooks")) && can(actor, "webhook.manage");

export type UserSession = ReturnType<typeof createUserSession>;

export function createUserSession({ accountId, organisationId, role: initialRole }: Actor, { eventSource, rights, warn }: LiveDeps) {
  const connections = new Set<SessionConnection>();
  const joinedTopics = new Set<string>();
  const ownTopics = [`account:${accountId}`, `organisation:${organisationId}`];
  let role = initialRole;
  let projects = new Set<number>();
  let teams: ReadonlySet<number> = new Set();
  let people: ReadonlySet<number> | null = new Set();
  let isStale = false;
  let pendingRefresh: Promise<void> | null = null;

  function joinTopics(topics: Iterable<string>): Promise<void> {
    const nextTopics = new Set(topics);
    const newTopics = [...nextTopics].filter((topic) => !joinedTopics.has(topic));
    for (const topic of joinedTopics) if (!nextTopics.has(topic)) eventSource.leave(topic, onEvent);
    for (const topic of newTopics) eventSource.join(topic, onEvent, onLocalSignal);
    joinedTopics.clear();
    for (const topic of nextTopics) joinedTopics.add(topic);
    return eventSource.syncHeads(newTopics);
  }

  /** What an event says of this person's rights. Acts at once on what is taken away; the look-up settles the rest. */
  function applyRightsChange({ topic, type }: LiveEvent, data: () => Record<string, unknown>): void {
    if (type === "sessions.changed") return void refresh({ pause: true });
    if (type === "projects.changed" || type === "project.member_added" || type === "project.member_removed") {
      const isOwn = topic === ownTopics[0] || data()["account_id"] === accountId;
      if (isOwn && type === "project.member_removed" && !canSeeEverything({ role })) projects.delete(Number(data()["project_id"]));
      // Whom a guest sees depends on who shares projects with them.
      if (isOwn || people !== null) void refresh({ pause: true });
    }
    if (type === "account.updated") {
      const isOwn = data()["id"] === accountId;
      const losesFullAccess = canSeeEverything({ role }) && data()["role"] !== role;
      if (isOwn && (losesFullAccess || data()["disabled"] === true)) projects = new Set();
      if (isOwn || people !== null) void refresh({ pause: true });
    }
  }

  function onEvent(liveEvent: LiveEvent): void {
    applyRightsChange(liveEvent, () => eventData(liveEvent));
    for (const connection of connections) connection.publish(liveEvent);
    const signal = PROJECT_SIGNALS[liveEvent.type];
    if (!signal || !projects.has(Number(liveEvent.topic.slice("project:".length)))) return;
    for (const connection of connections) if (hasScope(connection.actor(), signal.scope)) connection.signal(signal.frame(liveEvent));
  }

  function onLocalSignal(localSignal: LocalSignal): void {
    if (!projects.has(Number(localSignal.topic.slice("project:".length)))) return;
    for (const connection of connections) if (hasScope(connection.actor(), "chat:read")) connection.signal(localSignalFrame(localSignal));
  }

  /** Ends the sockets whose authorization has ended. Answers one that holds, for this person's role. */
  async function reauthenticateConnections(): Promise<Actor | null> {
    let validActor: Actor | null = null;
    for (const connection of connections) {
      const actor = await rights.reauthenticate(connection.actor());
      if (actor) {
        connection.updateActor(actor);
        validActor = actor;
      } else {
        connections.delete(connection);
        connection.end(CLOSE_CODES.unauthorized, "Signed out.");
      }
    }
    return validActor;
  }

  async function refreshRights(): Promise<void> {
    try {
      await eventSource.ready();
      // Before the rights are read: what changes them from here on is told.
      await joinTopics([...ownTopics, ...joinedTopics]);
      while (isStale && connections.size > 0) {
        isStale = false;
        const actor = await reauthenticateConnections();
        if (!actor) continue;
        const visibility = await rights.loadVisibility(actor);
        // Changed again meanwhile: what was read may be older than that change.
        if (isStale || connections.size === 0) continue;
        ({ role } = actor);
        projects = new Set(visibility.projects);
        ({ teams, people } = visibility);
        await joinTopics([...ownTopics, ...[...projects].map((id) => `project:${id}`)]);
      }
    } catch (error) {
      warn(error, "rights could not be looked up");
      for (const connection of connections) connection.end(TRY_AGAIN_LATER, "The service cannot answer right now. Reconnect soon.");
    } finally {
      if (connections.size === 0) void joinTopics([]);
      pendingRefresh = null;
    }
    for (const connection of connections) connection.revalidate();
  }

  /** Looks up again who may still listen to what. `pause`: nothing more is sent before that is known. */
  function refresh({ pause }: { pause: boolean }): Promise<void> {
    if (pause) for (const connection of connections) connection.pause();
    isStale = true;
    return (pendingRefresh ??= refreshRights());
  }

  return {
    accountId,
    connections: connections as ReadonlySet<SessionConnection>,
    add(connection: SessionConnection): void {
      connections.add(connection);
      void refresh({ pause: false });
    },
    remove(connection: SessionConnection): void {
      connections.delete(connection);
      if (connections.size === 0) void joinTopics([]);
    },
    refresh,
    /** A project may be so new that word of it is still on its way: asks for this one before it is refused. */
    async loadTopic(topic: string, actor: Actor): Promise<void> {
      const [kind, id] = topic.split(":");
      if (kind === "project" && hasScope(actor, "chat:read") && !projects.has(Number(id)) && (await rights.canSeeProject(actor, Number(id))))
        await refresh({ pause: false });
    },
    isSettled: (): boolean => pendingRefresh === null,
    async whenSettled(): Promise<void> {
      while (pendingRefresh) await pendingRefresh;
    },
    /** Why this topic is not for this socket; null when it is. */
    denialReason(topic: string, actor: Actor): string | null {
      const [kind, id] = topic.split(":");
      const scope = kind === "project" ? "chat:read" : "account:read";
      if (!hasScope(actor, scope)) return `This token lacks the scope ${scope}.`;
      const isVisible = kind === "project" ? projects.has(Number(id)) : ownTopics.includes(topic);
      return isVisible ? null : `There is no such ${kind}, or you cannot see it.`;
    },
    /**
     * Guests share the organisation's topic, so that its order has no holes, but read only of people they see; of statuses read who see the team;
     * of webhooks read only those who manage them, with a socket that may.
     */
    frameFor(liveEvent: LiveEvent, actor: Actor): Buffer {
      if (liveEvent.topic !== ownTopics[1]) return eventFrame(liveEvent);
      if (WEBHOOK_EVENT_PATTERN.test(liveEvent.type)) return canReceiveWebhookEvents(actor) ? eventFrame(liveEvent) : withheldFrame(liveEvent);
      if (liveEvent.type === "statuses.changed") return teams.has(Number(eventData(liveEvent)["team_id"])) ? eventFrame(liveEvent) : withheldFrame(liveEvent);
      const isVisible = people === null || (liveEvent.type === "account.updated" && people.has(Number(eventData(liveEvent)["id"])));
      return isVisible ? eventFrame(liveEvent) : withheldFrame(liveEvent);
    },
  };
}
