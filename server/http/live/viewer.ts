/**
 * One person with all their sockets: what they see now, kept up to date by the very events that change it.
 * When rights may have changed, nothing more is sent until they have been looked up again; held events then come from the log.
 */
import { CLOSE } from "../../../contract/events.ts";
import { can, seesEverything, type Actor } from "../../domain/access.ts";
import { TRY_AGAIN_LATER } from "./codes.ts";
import type { Happening, Hint, LiveDeps } from "./feed.ts";
import { activityOf, changeOf, dataOf, eventOf, hintOf, withheldOf } from "./frames.ts";

/** What people hear of projects that they see but do not follow. */
const SIGNALS: Record<string, { scope: "account:read" | "chat:read"; frame(happening: Happening): Buffer }> = {
  "message.created": { scope: "chat:read", frame: activityOf },
  "project.updated": { scope: "account:read", frame: changeOf },
};

/** A socket, as its person's viewer knows it. */
export interface Watcher {
  actor(): Actor;
  renew(actor: Actor): void;
  offer(happening: Happening): void;
  signal(frame: Buffer): void;
  hold(): void;
  /** Gives up what may no longer be seen, goes on with the rest. */
  review(): void;
  end(code: number, reason: string): void;
}

const mayUse = ({ scopes }: Actor, scope: "account:read" | "chat:read"): boolean => scopes === null || scopes.includes(scope);

/** Told in the organisation's topic, since that is whose webhooks they are; but not to everybody who follows it. */
const OF_WEBHOOKS = /^(webhook_endpoint|delivery)\./;
const hearsOfWebhooks = (actor: Actor): boolean => (actor.scopes === null || actor.scopes.includes("webhooks")) && can(actor, "webhook.manage");

export type Viewer = ReturnType<typeof createViewer>;

export function createViewer({ accountId, organisationId, role: firstRole }: Actor, { feed, rights, warn }: LiveDeps) {
  const watchers = new Set<Watcher>();
  const joined = new Set<string>();
  const own = [`account:${accountId}`, `organisation:${organisationId}`];
  let role = firstRole;
  let projects = new Set<number>();
  let teams: ReadonlySet<number> = new Set();
  let people: ReadonlySet<number> | null = new Set();
  let dirty = false;
  let running: Promise<void> | null = null;

  function follow(topics: Iterable<string>): Promise<void> {
    const wanted = new Set(topics);
    const fresh = [...wanted].filter((topic) => !joined.has(topic));
    for (const topic of joined) if (!wanted.has(topic)) feed.leave(topic, onEvent);
    for (const topic of fresh) feed.join(topic, onEvent, onHint);
    joined.clear();
    for (const topic of wanted) joined.add(topic);
    return feed.anchor(fresh);
  }

  /** What an event says of this person's rights. Acts at once on what is taken away; the look-up settles the rest. */
  function heed({ topic, type }: Happening, data: () => Record<string, unknown>): void {
    if (type === "sessions.changed") return void refresh({ hold: true });
    if (type === "projects.changed" || type === "project.member_added" || type === "project.member_removed") {
      const mine = topic === own[0] || data()["account_id"] === accountId;
      if (mine && type === "project.member_removed" && !seesEverything({ role })) projects.delete(Number(data()["project_id"]));
      // Whom a guest sees depends on who shares projects with them.
      if (mine || people !== null) void refresh({ hold: true });
    }
    if (type === "account.updated") {
      const mine = data()["id"] === accountId;
      const lessThanAll = seesEverything({ role }) && data()["role"] !== role;
      if (mine && (lessThanAll || data()["disabled"] === true)) projects = new Set();
      if (mine || people !== null) void refresh({ hold: true });
    }
  }

  function onEvent(happening: Happening): void {
    heed(happening, () => dataOf(happening));
    for (const watcher of watchers) watcher.offer(happening);
    const signal = SIGNALS[happening.type];
    if (!signal || !projects.has(Number(happening.topic.slice("project:".length)))) return;
    for (const watcher of watchers) if (mayUse(watcher.actor(), signal.scope)) watcher.signal(signal.frame(happening));
  }

  function onHint(hint: Hint): void {
    if (!projects.has(Number(hint.topic.slice("project:".length)))) return;
    for (const watcher of watchers) if (mayUse(watcher.actor(), "chat:read")) watcher.signal(hintOf(hint));
  }

  /** Ends the sockets whose authorization has ended. Answers one that holds, for this person's role. */
  async function recheck(): Promise<Actor | null> {
    let holds: Actor | null = null;
    for (const watcher of watchers) {
      const actor = await rights.again(watcher.actor());
      if (actor) {
        watcher.renew(actor);
        holds = actor;
      } else {
        watchers.delete(watcher);
        watcher.end(CLOSE.unauthorized, "Signed out.");
      }
    }
    return holds;
  }

  async function look(): Promise<void> {
    try {
      await feed.ready();
      // Before the rights are read: what changes them from here on is told.
      await follow([...own, ...joined]);
      while (dirty && watchers.size > 0) {
        dirty = false;
        const actor = await recheck();
        if (!actor) continue;
        const sight = await rights.sight(actor);
        // Changed again meanwhile: what was read may be older than that change.
        if (dirty || watchers.size === 0) continue;
        ({ role } = actor);
        projects = new Set(sight.projects);
        ({ teams, people } = sight);
        await follow([...own, ...[...projects].map((id) => `project:${id}`)]);
      }
    } catch (error) {
      warn(error, "rights could not be looked up");
      for (const watcher of watchers) watcher.end(TRY_AGAIN_LATER, "The service cannot answer right now. Reconnect soon.");
    } finally {
      if (watchers.size === 0) void follow([]);
      running = null;
    }
    for (const watcher of watchers) watcher.review();
  }

  /** Looks up again who may still listen to what. `hold`: nothing more is sent before that is known. */
  function refresh({ hold }: { hold: boolean }): Promise<void> {
    if (hold) for (const watcher of watchers) watcher.hold();
    dirty = true;
    return (running ??= look());
  }

  return {
    accountId,
    watchers: watchers as ReadonlySet<Watcher>,
    add(watcher: Watcher): void {
      watchers.add(watcher);
      void refresh({ hold: false });
    },
    remove(watcher: Watcher): void {
      watchers.delete(watcher);
      if (watchers.size === 0) void follow([]);
    },
    refresh,
    /** A project may be so new that word of it is still on its way: asks for this one before it is refused. */
    async lookFor(topic: string, actor: Actor): Promise<void> {
      const [kind, id] = topic.split(":");
      if (kind === "project" && mayUse(actor, "chat:read") && !projects.has(Number(id)) && (await rights.sees(actor, Number(id))))
        await refresh({ hold: false });
    },
    isSettled: (): boolean => running === null,
    async settled(): Promise<void> {
      while (running) await running;
    },
    /** Why this topic is not for this socket; null when it is. */
    refusal(topic: string, actor: Actor): string | null {
      const [kind, id] = topic.split(":");
      const scope = kind === "project" ? "chat:read" : "account:read";
      if (!mayUse(actor, scope)) return `This token lacks the scope ${scope}.`;
      const seen = kind === "project" ? projects.has(Number(id)) : own.includes(topic);
      return seen ? null : `There is no such ${kind}, or you cannot see it.`;
    },
    /**
     * Guests share the organisation's topic, so that its order has no holes, but read only of people they see; of statuses read who see the team;
     * of webhooks read only those who manage them, with a socket that may.
     */
    eventFor(happening: Happening, actor: Actor): Buffer {
      if (happening.topic !== own[1]) return eventOf(happening);
      if (OF_WEBHOOKS.test(happening.type)) return hearsOfWebhooks(actor) ? eventOf(happening) : withheldOf(happening);
      if (happening.type === "statuses.changed") return teams.has(Number(dataOf(happening)["team_id"])) ? eventOf(happening) : withheldOf(happening);
      const seen = people === null || (happening.type === "account.updated" && people.has(Number(dataOf(happening)["id"])));
      return seen ? eventOf(happening) : withheldOf(happening);
    },
  };
}
