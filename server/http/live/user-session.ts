/**
 * One user with all their sockets: tracks what the user can see and updates it from the events that change it.
 * When permissions may have changed, sending pauses until they are reloaded; events of that time are then read from the log.
 */
import { EVENT_ACCESS, scopesOfTopic, SIGNAL_ACCESS, type EventAccess, type TopicKind } from "../../../contract/event-access.ts";
import { CLOSE_CODES, type SignalType } from "../../../contract/events.ts";
import { canSeeEverything } from "../../../contract/policy.ts";
import type { Actor } from "../../access/access.ts";
import { hasAccess } from "../../access/event-access.ts";
import type { Visibility } from "../../access/visibility.ts";
import type { LocalSignal } from "../../events/hub.ts";
import type { LoggedEvent } from "../../events/log.ts";
import { activityFrame, changeFrame, eventData, eventFrame, localSignalFrame, TRY_AGAIN_LATER, withheldFrame } from "./frames.ts";
import type { LiveDeps } from "./live-deps.ts";

interface ProjectSignal {
  type: SignalType;
  frame(event: LoggedEvent): Buffer;
}
const PLAYLISTS_CHANGED: ProjectSignal = { type: "playlists.changed", frame: (event) => changeFrame(event, "playlists.changed", "project_id") };
/** Signals for projects that a user can see but has not subscribed to, by event type. */
const PROJECT_SIGNALS: Record<string, ProjectSignal> = {
  "message.created": { type: "project.activity", frame: activityFrame },
  "project.restored": { type: "project.changed", frame: (event) => changeFrame(event, "project.changed", "id") },
  "project.updated": { type: "project.changed", frame: (event) => changeFrame(event, "project.changed", "id") },
  "playlist.created": PLAYLISTS_CHANGED,
  "playlist.updated": PLAYLISTS_CHANGED,
  "playlist.deleted": PLAYLISTS_CHANGED,
  "agent_tasks.changed": { type: "agent_tasks.changed", frame: (event) => changeFrame(event, "agent_tasks.changed", "project_id") },
  "agent_actions.changed": { type: "agent_actions.changed", frame: (event) => changeFrame(event, "agent_actions.changed", "project_id") },
};

/** The view of a connection that its user session needs. */
export interface SessionConnection {
  actor(): Actor;
  updateActor(actor: Actor): void;
  publish(event: LoggedEvent): void;
  signal(frame: Buffer): void;
  pause(): void;
  /** Ends subscriptions that are no longer permitted and resumes the others. */
  revalidate(): void;
  end(code: number, reason: string): void;
}

const projectIdOf = (topic: string): number => Number(topic.slice("project:".length));
const isTopicKind = (kind: string): kind is TopicKind => ["project", "organisation", "account"].includes(kind);

const canFollow = ({ scopes }: Actor, kind: TopicKind): boolean => scopes === null || scopesOfTopic(kind).some((scope) => scopes.includes(scope));

/** What one user can see, loaded as a whole and corrected by events until the next load. */
function createPermissions({ accountId, organisationId, role: initialRole }: Actor) {
  const ownTopics = [`account:${accountId}`, `organisation:${organisationId}`];
  let role = initialRole;
  let projects = new Set<number>();
  let teams: ReadonlySet<number> = new Set();
  let people: ReadonlySet<number> | null = new Set();

  return {
    ownTopics,
    hasProject: (id: number): boolean => projects.has(id),
    projectTopics: (): string[] => [...projects].map((id) => `project:${id}`),
    replace(actor: Actor, visibility: Visibility): void {
      ({ role } = actor);
      projects = new Set(visibility.projects);
      ({ teams, people } = visibility);
    },
    /** Revokes at once what the event takes away. Returns whether the event may have changed permissions otherwise, so that they must be reloaded. */
    applyEvent(event: LoggedEvent): boolean {
      const { topic, type } = event;
      if (type === "sessions.changed") return true;
      // The people that a guest can see depend on who shares projects with the guest.
      const isAffected = (isOwn: boolean): boolean => isOwn || people !== null;
      if (type === "projects.changed" || type === "project.member_added" || type === "project.member_removed") {
        const isOwn = topic === ownTopics[0] || eventData(event)["account_id"] === accountId;
        if (isOwn && type === "project.member_removed" && !canSeeEverything(role)) projects.delete(Number(eventData(event)["project_id"]));
        return isAffected(isOwn);
      }
      if (type !== "account.updated") return false;
      const data = eventData(event);
      const isOwn = data["id"] === accountId;
      const losesFullAccess = canSeeEverything(role) && data["role"] !== role;
      if (isOwn && (losesFullAccess || data["disabled"] === true)) projects = new Set();
      return isAffected(isOwn);
    },
    /** Returns why this socket cannot subscribe to the topic, or null if it can. */
    denialReason(topic: string, actor: Actor): string | null {
      const [kind = "", id] = topic.split(":");
      if (!isTopicKind(kind)) return `No such topic.`;
      if (!canFollow(actor, kind)) return `This token needs one of the scopes ${scopesOfTopic(kind).join(", ")}.`;
      const isVisible = kind === "project" ? projects.has(Number(id)) : ownTopics.includes(topic);
      return isVisible ? null : `No such ${kind}, or you don't have access.`;
    },
    /**
     * Returns the event's frame, or a withheld one if HTTP would not show this socket the record. A withheld frame keeps the `seq`, so that a topic that
     * several kinds of readers share has no gaps for any of them. Types that this version does not know are withheld.
     */
    frameFor(event: LoggedEvent, actor: Actor): Buffer {
      const access = (EVENT_ACCESS as Record<string, EventAccess | undefined>)[event.type];
      return access && hasAccess(actor, access) && sees(event, access.sees) ? eventFrame(event) : withheldFrame(event);
    },
  };

  function sees(event: LoggedEvent, what: EventAccess["sees"]): boolean {
    if (what === undefined) return true;
    const data = eventData(event);
    if (what === "project") return projects.has(Number(data["project_id"]));
    if (what === "person") return people === null || people.has(Number(data["id"]));
    if (!teams.has(Number(data["team_id"]))) return false;
    return what === "team" || canSeeEverything(role) || data["created_by_account_id"] === accountId;
  }
}

export type UserSession = ReturnType<typeof createUserSession>;

export function createUserSession(firstActor: Actor, { hub, permissionLookup, warn }: LiveDeps) {
  const { accountId } = firstActor;
  const permissions = createPermissions(firstActor);
  const connections = new Set<SessionConnection>();
  const joinedTopics = new Set<string>();
  /** The `seq` of the newest removal of the user in each project's log after which the permissions were checked. */
  const checkedRemovals = new Map<string, number>();
  let isStale = false;
  let pendingRefresh: Promise<void> | null = null;

  function joinTopics(topics: Iterable<string>): Promise<void> {
    const nextTopics = new Set(topics);
    const newTopics = [...nextTopics].filter((topic) => !joinedTopics.has(topic));
    for (const topic of joinedTopics) if (!nextTopics.has(topic)) hub.leave(topic, onEvent);
    for (const topic of newTopics) hub.join(topic, onEvent, onLocalSignal);
    joinedTopics.clear();
    for (const topic of nextTopics) joinedTopics.add(topic);
    return hub.startFromNewest(newTopics);
  }

  function onEvent(event: LoggedEvent): void {
    if (permissions.applyEvent(event)) void refresh({ pause: true });
    for (const connection of connections) connection.publish(event);
    const signal = PROJECT_SIGNALS[event.type];
    if (!signal || !permissions.hasProject(projectIdOf(event.topic))) return;
    for (const connection of connections) if (hasAccess(connection.actor(), SIGNAL_ACCESS[signal.type])) connection.signal(signal.frame(event));
  }

  function onLocalSignal(localSignal: LocalSignal): void {
    if (!permissions.hasProject(projectIdOf(localSignal.topic))) return;
    for (const connection of connections) if (hasAccess(connection.actor(), SIGNAL_ACCESS[localSignal.type])) connection.signal(localSignalFrame(localSignal));
  }

  /** Ends the connections whose authorization has ended. Returns a valid actor for the user's current role, or null if none is left. */
  async function reauthenticateConnections(): Promise<Actor | null> {
    let validActor: Actor | null = null;
    for (const connection of connections) {
      const actor = await permissionLookup.reauthenticate(connection.actor());
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

  async function reloadPermissions(): Promise<void> {
    try {
      await hub.ready();
      // Joins topics before reading permissions, so that every later change emits an event that arrives here.
      await joinTopics([...permissions.ownTopics, ...joinedTopics]);
      while (isStale && connections.size > 0) {
        isStale = false;
        const actor = await reauthenticateConnections();
        if (!actor) continue;
        const visibility = await permissionLookup.loadVisibility(actor);
        // Permissions changed again during the read, so the result may be outdated.
        if (isStale || connections.size === 0) continue;
        permissions.replace(actor, visibility);
        await joinTopics([...permissions.ownTopics, ...permissions.projectTopics()]);
      }
    } catch (error) {
      warn(error, "permissions could not be loaded");
      for (const connection of connections) connection.end(TRY_AGAIN_LATER, "The service is unavailable right now. Reconnect soon.");
    } finally {
      if (connections.size === 0) void joinTopics([]);
      pendingRefresh = null;
    }
    for (const connection of connections) connection.revalidate();
  }

  /** Reloads permissions. With `pause`, nothing is sent until the reload is done. */
  function refresh({ pause }: { pause: boolean }): Promise<void> {
    if (pause) for (const connection of connections) connection.pause();
    isStale = true;
    return (pendingRefresh ??= reloadPermissions());
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
    /** Checks a single project before its topic is refused, since the event for a new project may not have arrived yet. */
    async loadTopic(topic: string, actor: Actor): Promise<void> {
      const [kind, id] = topic.split(":");
      if (kind === "project" && canFollow(actor, kind) && !permissions.hasProject(Number(id)) && (await permissionLookup.canSeeProject(actor, Number(id))))
        await refresh({ pause: false });
    },
    /**
     * Checks the user's permissions again if this event of a project's log removes the user from the project, once for all sockets. Returns whether it does so.
     * The user may have been added again since.
     */
    checkRemoval(event: LoggedEvent): boolean {
      const isNewRemoval = event.type === "project.member_removed" && event.seq > (checkedRemovals.get(event.topic) ?? 0);
      if (!isNewRemoval || eventData(event)["account_id"] !== accountId) return false;
      checkedRemovals.set(event.topic, event.seq);
      void refresh({ pause: true });
      return true;
    },
    isSettled: (): boolean => pendingRefresh === null,
    async whenSettled(): Promise<void> {
      while (pendingRefresh) await pendingRefresh;
    },
    denialReason: permissions.denialReason,
    /** Returns whether a socket that follows this project's topic may receive this signal. */
    canReceiveSignal: (topic: string, type: SignalType, actor: Actor): boolean =>
      permissions.denialReason(topic, actor) === null && hasAccess(actor, SIGNAL_ACCESS[type]),
    frameFor: permissions.frameFor,
  };
}
