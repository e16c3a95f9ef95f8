/** Event subscriptions of agents: creating, changing, pausing and deleting them, and rotating their secrets. */
import type { AuditAction } from "../../../contract/audit.ts";
import { AGENT_EVENT_TYPES, type AgentEventType } from "../../../contract/agent-subscription-records.ts";
import { EVENT_ACCESS } from "../../../contract/event-access.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { visibleProjects, type Actor } from "../../access/access.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { auditActor } from "../../access/audit.ts";
import { hasAccess } from "../../access/event-access.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import { recordAgentAction } from "../../events/agent-actions.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { forbidden, invalid } from "../../lib/errors.ts";
import type { WebhookDeps } from "../webhooks/deps.ts";
import { assertEndpointUrl, endEndpoint, storeNewSecret, toEnabledColumns, type RotatedSecret } from "../webhooks/endpoints.ts";
import type { EndpointView } from "../webhooks/presenter.ts";
import { loadEndpointViews, setWaitingState } from "../webhooks/repository.ts";
import { startCursors } from "./cursors.ts";
import { assertSubscriber, loadReceiver, loadSubscription, lockSubscription, subscriptionsOf, type Subscription } from "./repository.ts";
import { parseTypes } from "../webhooks/stored-lists.ts";

export interface SubscriptionInput {
  eventTypes: string[];
  projectIds: number[] | null;
  url: string;
}
/** Undefined members stay unchanged. */
export type SubscriptionChanges = { [Member in keyof SubscriptionInput]?: SubscriptionInput[Member] | undefined } & { enabled?: boolean | undefined };
interface Created {
  view: EndpointView;
  secret: string | null;
}

function assertTypes(types: readonly string[]): asserts types is readonly AgentEventType[] {
  const knownTypes = `known are ${AGENT_EVENT_TYPES.join(", ")}`;
  if (types.length === 0) throw invalid("event_types", `must include at least one event type; ${knownTypes}`);
  for (const [index, type] of types.entries()) {
    if (!AGENT_EVENT_TYPES.some((known) => known === type)) throw invalid("event_types", `"${type.slice(0, 40)}" is not an event type; ${knownTypes}`);
    if (types.indexOf(type) !== index) throw invalid("event_types", `must not contain ${type} twice`);
  }
}

export function createSubscriptions(deps: WebhookDeps) {
  const { database, clock, secrets } = deps;
  /** Records the change in the audit log, and in the agent's own log if it makes it itself. */
  async function record(
    tx: Tx,
    actor: Actor,
    action: Extract<AuditAction, `agent_subscription.${string}`>,
    { id }: { id: number },
    detail: Record<string, unknown> = {},
  ): Promise<void> {
    await auditActor(tx, clock.now(), actor, action, `agent_subscription:${id}`, detail);
    await recordAgentAction(tx, clock.now(), action, { type: "agent_subscription", id });
  }

  async function loadViews(db: Db, rows: readonly Row<"webhook_endpoints">[]): Promise<EndpointView[]> {
    return loadEndpointViews(db, secrets, clock.now(), rows);
  }
  async function loadView(db: Db, row: Row<"webhook_endpoints">): Promise<EndpointView> {
    const [view] = await loadViews(db, [row]);
    if (!view) throw new Error("a subscription has no view");
    return view;
  }

  /** Throws a 403 unless both the agent and the token of the request may read events of these types. */
  async function assertCanReceive(db: Db, actor: Actor, agentId: number, types: readonly AgentEventType[]): Promise<void> {
    const receiver = await loadReceiver(db, agentId, actor.tokenId, clock.now(), { evenIfPaused: true });
    const scopes = receiver?.scopes?.filter((scope) => actor.scopes === null || actor.scopes.includes(scope)) ?? [];
    const denied = types.find((type) => !receiver || !hasAccess({ ...receiver, scopes }, EVENT_ACCESS[type]));
    if (denied) throw forbidden(`The role and scopes of the agent, or the scopes of this token, do not allow reading ${denied} events.`);
  }

  /** Throws a 400 unless the agent is in these projects and the actor sees them. */
  async function assertProjects(db: Db, actor: Actor, agentId: number, projectIds: readonly number[] | null): Promise<void> {
    if (projectIds === null) return;
    const found = await visibleProjects(db, actor)
      .innerJoin("project_members", "project_members.project_id", "projects.id")
      .select("projects.id")
      .where("project_members.account_id", "=", agentId)
      .where("projects.id", "in", projectIds)
      .execute();
    for (const [index, id] of projectIds.entries()) {
      if (!found.some((project) => project.id === id)) throw invalid("project_ids", "must be projects that the agent is in");
      if (projectIds.indexOf(id) !== index) throw invalid("project_ids", "must not contain a project twice");
    }
  }

  async function insert(tx: Tx, actor: Actor, agentId: number, { eventTypes, projectIds, url }: SubscriptionInput): Promise<Created> {
    await assertCountBelow(tx, database.engine, {
      name: `subscriptions of agent ${agentId}`,
      max: LIMITS.agent_subscriptions,
      rows: subscriptionsOf(tx, agentId),
      denial: `An agent can have at most ${LIMITS.agent_subscriptions} event subscriptions. Delete one first.`,
    });
    const now = clock.now();
    const { secret, encrypted } = secrets.generate();
    const row = await tx
      .insertInto("webhook_endpoints")
      .values({
        organisation_id: actor.organisationId,
        agent_id: agentId,
        url,
        event_types: JSON.stringify(eventTypes),
        project_ids: projectIds && JSON.stringify(projectIds),
        description: "",
        enabled: 1,
        secret: encrypted,
        token_id: actor.tokenId,
        created_by: actor.accountId,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await startCursors(tx, row.id, agentId);
    await record(tx, actor, "agent_subscription.created", row, { agent_id: agentId, url, event_types: eventTypes });
    return { view: await loadView(tx, row), secret };
  }

  async function toColumnChanges(tx: Tx, actor: Actor, row: Subscription, changes: SubscriptionChanges): Promise<Partial<Row<"webhook_endpoints">>> {
    const { url, eventTypes, projectIds, enabled } = changes;
    const columns: Partial<Row<"webhook_endpoints">> = toEnabledColumns(actor, row, enabled, clock.now());
    if (url !== undefined && url !== row.url) {
      assertEndpointUrl(deps, url);
      // Failures of the previous URL do not apply to the new one.
      Object.assign(columns, { url, failing_since: null, not_before: null });
    }
    if (eventTypes !== undefined) columns.event_types = JSON.stringify(eventTypes);
    if (projectIds !== undefined) {
      await assertProjects(tx, actor, row.agent_id, projectIds);
      columns.project_ids = projectIds && JSON.stringify(projectIds);
    }
    // Who widens a subscription answers for what it receives from then on.
    if (url !== undefined || eventTypes !== undefined || projectIds !== undefined || columns.enabled === 1) {
      const types = parseTypes({ event_types: columns.event_types ?? row.event_types });
      assertTypes(types);
      await assertCanReceive(tx, actor, row.agent_id, types);
      columns.token_id = actor.tokenId;
    }
    return columns;
  }

  async function end(tx: Tx, id: number): Promise<void> {
    await endEndpoint(tx, clock.now(), id);
    await tx.deleteFrom("agent_subscription_cursors").where("endpoint_id", "=", id).execute();
  }

  return {
    /** Returns the agent's subscriptions, oldest first. */
    async list(actor: Actor, agentId: number): Promise<EndpointView[]> {
      await assertSubscriber(database.read, actor, agentId);
      return loadViews(database.read, await subscriptionsOf(database.read, agentId).selectAll().orderBy("id").execute());
    },

    get: async (actor: Actor, agentId: number, id: number): Promise<EndpointView> =>
      loadView(database.read, await loadSubscription(database.read, actor, agentId, id)),

    /** `secret` is null if a retried request returns an earlier result. */
    create: (actor: Actor, agentId: number, input: SubscriptionInput, idempotencyKey: IdempotencyKey | null): Promise<Created> =>
      database.write(async (tx) => {
        await assertSubscriber(tx, actor, agentId);
        assertEndpointUrl(deps, input.url);
        assertTypes(input.eventTypes);
        await assertCanReceive(tx, actor, agentId, input.eventTypes);
        await assertProjects(tx, actor, agentId, input.projectIds);
        return runIdempotent<Created>(
          tx,
          actor,
          idempotencyKey,
          clock.now(),
          () => insert(tx, actor, agentId, input),
          ({ view }) => ({ view, secret: null }),
        );
      }),

    update: (actor: Actor, agentId: number, id: number, changes: SubscriptionChanges): Promise<EndpointView> =>
      database.write(async (tx) => {
        const row = await lockSubscription(tx, database.engine, actor, agentId, id);
        const columns = await toColumnChanges(tx, actor, row, { ...changes });
        if (Object.keys(columns).length === 0) return loadView(tx, row);
        const changed = await tx
          .updateTable("webhook_endpoints")
          .set({ ...columns, updated_at: clock.now() })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await record(tx, actor, "agent_subscription.updated", row, { ...changes });
        if (columns.enabled === 0) await setWaitingState(tx, id, "held", null);
        return loadView(tx, changed);
      }),

    remove: (actor: Actor, agentId: number, id: number): Promise<void> =>
      database.write(async (tx) => {
        const row = await lockSubscription(tx, database.engine, actor, agentId, id);
        await end(tx, row.id);
        await record(tx, actor, "agent_subscription.deleted", row, { url: row.url });
      }),

    /** Returns a new secret this one time (null for a retried request). */
    rotate: (
      actor: Actor,
      agentId: number,
      id: number,
      idempotencyKey: IdempotencyKey | null,
    ): Promise<Omit<RotatedSecret, "secret"> & { secret: string | null }> =>
      database.write(async (tx) => {
        const row = await lockSubscription(tx, database.engine, actor, agentId, id);
        return runIdempotent<RotatedSecret>(
          tx,
          actor,
          idempotencyKey,
          clock.now(),
          async () => {
            await record(tx, actor, "agent_subscription.secret_rotated", row);
            return storeNewSecret(tx, deps, row);
          },
          ({ previousUntil }) => ({ secret: null, previousUntil }),
        );
      }),

    /** Ends the subscriptions of an agent that is being deleted. */
    async endAllOf(tx: Tx, agentId: number): Promise<void> {
      for (const { id } of await lockRows(subscriptionsOf(tx, agentId).select("id").orderBy("id"), database.engine, "update").execute()) await end(tx, id);
    },
  };
}
