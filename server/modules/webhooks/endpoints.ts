/** Webhook endpoints: creating, updating, pausing and deleting them, and rotating their secrets. */
import { WEBHOOK_EVENT_ACCESS } from "../../../contract/event-access.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "../../../contract/webhook-events.ts";
import { visibleEndpoints, visibleProjects, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { DAY } from "../../lib/clock.ts";
import { conflict, forbidden, invalid } from "../../lib/errors.ts";
import type { WebhookDeps } from "./deps.ts";
import type { EndpointView } from "./presenter.ts";
import { createDeliveryPublisher } from "./publisher.ts";
import { assertWebhookManager, loadAuthorizedEndpoint, loadEndpointViews, lockEndpoint, setWaitingState, type Endpoint } from "./repository.ts";
import { previousSecrets } from "./secrets.ts";
import { parseProjectIds } from "./stored-lists.ts";

/** How long the previous secret keeps signing after a rotation. */
const SECRET_OVERLAP_MS = DAY;
/** Maximum previous secrets, because each one lengthens the signature header. */
const MAX_PREVIOUS_SECRETS = 5;

export interface EndpointInput {
  url: string;
  eventTypes: string[];
  description: string;
  enabled: boolean;
  /** null: every project. */
  projectIds: number[] | null;
}
export interface RotatedSecret {
  secret: string | null;
  previousUntil: number;
}
/** Undefined members stay unchanged. */
export type EndpointChanges = { [Member in keyof EndpointInput]?: EndpointInput[Member] | undefined };

function assertEventTypes(types: string[]): void {
  const knownTypes = `known are ${WEBHOOK_EVENT_TYPES.join(", ")}`;
  if (types.length === 0) throw invalid("event_types", `must include at least one event type; ${knownTypes}`);
  for (const [index, type] of types.entries()) {
    if (!WEBHOOK_EVENT_TYPES.some((knownType) => knownType === type))
      throw invalid("event_types", `"${type.slice(0, 40)}" is not an event type; ${knownTypes}`);
    if (types.indexOf(type) !== index) throw invalid("event_types", `must not contain ${type} twice`);
  }
}

/** Throws a 403 if the actor is an API token that could not read what events of these types contain. */
function assertCanSubscribe({ scopes }: Actor, types: readonly string[]): void {
  if (scopes === null) return;
  for (const type of types) {
    const { scope } = WEBHOOK_EVENT_ACCESS[type as WebhookEventType];
    if (!scopes.includes(scope)) throw forbidden(`This token lacks the scope ${scope}, which reading ${type} events needs. Use a token that has both scopes.`);
  }
}

/** Returns what is wrong with the URL of an endpoint, phrased to follow the field name; null if webhooks can be sent to it. */
function findEndpointUrlIssue({ findUrlIssue }: Pick<WebhookDeps, "findUrlIssue">, url: string): string | null {
  // The URL parser would ignore these characters, so that the actual URL would differ from the displayed one.
  return /^\s|\s$|[\t\r\n]/.test(url) ? "must not contain line breaks or surrounding spaces" : findUrlIssue(url);
}

/** Throws a 400 unless webhooks can be sent to the URL. */
export function assertEndpointUrl(deps: Pick<WebhookDeps, "findUrlIssue">, url: string): void {
  const issue = findEndpointUrlIssue(deps, url);
  if (issue !== null) throw invalid("url", issue);
}

/** Throws a 400 unless the actor sees the projects that the endpoint is not limited to already. Deleted ones may stay in its list. */
async function assertProjects(db: Db, actor: Actor, projectIds: readonly number[] | null, current: readonly number[]): Promise<void> {
  const added = projectIds?.filter((id) => !current.includes(id)) ?? [];
  const found = added.length === 0 ? [] : await visibleProjects(db, actor).select("projects.id").where("projects.id", "in", added).execute();
  for (const [index, id] of (projectIds ?? []).entries()) {
    if (added.includes(id) && !found.some((project) => project.id === id)) throw invalid("project_ids", "must be projects of the organization");
    if (projectIds?.indexOf(id) !== index) throw invalid("project_ids", "must not contain a project twice");
  }
}

const toProjectColumn = (projectIds: readonly number[] | null): string | null => projectIds && JSON.stringify(projectIds);

/** Throws a 403 if stored events, which a new address may be sent, have types that the token could not read. */
async function assertCanForwardLog(db: Db, actor: Actor, endpointId: number): Promise<void> {
  const unreadable = WEBHOOK_EVENT_TYPES.filter((type) => actor.scopes !== null && !actor.scopes.includes(WEBHOOK_EVENT_ACCESS[type].scope));
  if (unreadable.length === 0) return;
  const query = db.selectFrom("deliveries").select("event_type").where("endpoint_id", "=", endpointId).where("event_type", "in", unreadable);
  const stored = await query.where("is_test", "=", 0).limit(1).executeTakeFirst();
  if (stored) assertCanSubscribe(actor, [stored.event_type]);
}

/** The columns that pause or resume an endpoint; none if it is so already. */
export function toEnabledColumns(actor: Actor, { enabled }: Pick<Endpoint, "enabled">, shouldBeEnabled: boolean | undefined, now: number): Partial<Endpoint> {
  if (shouldBeEnabled === false && enabled === 1) return { enabled: 0, disabled_reason: "paused", disabled_at: now, disabled_by: actor.accountId };
  if (shouldBeEnabled === true && enabled === 0)
    return { enabled: 1, disabled_reason: null, disabled_at: null, disabled_by: null, failing_since: null, not_before: null };
  return {};
}

/** Deletes the endpoint and cancels its undelivered deliveries. The delivery log is hidden at once and deleted after its retention time. */
export async function endEndpoint(tx: Tx, now: number, id: number): Promise<void> {
  await setWaitingState(tx, id, "failed", now);
  const ended = { deleted_at: now, enabled: 0 as const, secret: "", previous_secrets: "[]", updated_at: now };
  await tx.updateTable("webhook_endpoints").set(ended).where("id", "=", id).execute();
}

/** Gives the endpoint a new secret; the previous one signs too for a day. Throws a 409 if it was rotated too often. */
export async function storeNewSecret(tx: Tx, { clock, secrets }: Pick<WebhookDeps, "clock" | "secrets">, endpoint: Endpoint): Promise<RotatedSecret> {
  const now = clock.now();
  const previous = previousSecrets(endpoint, now);
  // Evicting one of them could drop the secret that receivers still use.
  if (previous.length >= MAX_PREVIOUS_SECRETS)
    throw conflict(`The secret was rotated ${MAX_PREVIOUS_SECRETS} times within 24 hours. Wait until the oldest of these secrets expires.`);
  const { secret, encrypted } = secrets.generate();
  const previousUntil = now + SECRET_OVERLAP_MS;
  const previous_secrets = JSON.stringify([{ secret: endpoint.secret, until: previousUntil }, ...previous]);
  await tx.updateTable("webhook_endpoints").set({ secret: encrypted, previous_secrets, updated_at: now }).where("id", "=", endpoint.id).execute();
  return { secret, previousUntil };
}

export function createEndpoints(deps: WebhookDeps) {
  const { database, clock, secrets } = deps;
  const publisher = createDeliveryPublisher(deps);

  const assertUrl = (url: string): void => assertEndpointUrl(deps, url);

  async function loadView(tx: Tx, endpoint: Endpoint): Promise<EndpointView> {
    const [view] = await loadEndpointViews(tx, secrets, clock.now(), [endpoint]);
    if (!view) throw new Error("an endpoint has no view");
    return view;
  }

  async function insert(tx: Tx, actor: Actor, input: EndpointInput): Promise<{ view: EndpointView; secret: string }> {
    const { count } = await visibleEndpoints(tx, actor)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= LIMITS.webhook_endpoints) throw conflict(`There can be at most ${LIMITS.webhook_endpoints} webhook endpoints. Delete one first.`);
    const now = clock.now();
    const { secret, encrypted } = secrets.generate();
    const endpoint = await tx
      .insertInto("webhook_endpoints")
      .values({
        organisation_id: actor.organisationId,
        url: input.url,
        event_types: JSON.stringify(input.eventTypes),
        description: input.description,
        enabled: input.enabled ? 1 : 0,
        secret: encrypted,
        ...(input.enabled ? {} : { disabled_reason: "paused", disabled_at: now, disabled_by: actor.accountId }),
        project_ids: toProjectColumn(input.projectIds),
        token_id: actor.tokenId,
        created_by: actor.accountId,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await auditActor(tx, clock.now(), actor, "webhook.created", `webhook_endpoint:${endpoint.id}`, {
      url: input.url,
      event_types: input.eventTypes,
      ...(endpoint.project_ids === null ? {} : { project_ids: input.projectIds }),
    });
    await publisher.publishEndpoint(tx, endpoint.id);
    return { view: await loadView(tx, endpoint), secret };
  }

  async function toColumnChanges(tx: Tx, actor: Actor, endpoint: Endpoint, changes: EndpointChanges): Promise<Partial<Row<"webhook_endpoints">>> {
    const { url, eventTypes, description, enabled, projectIds } = changes;
    const columns: Partial<Row<"webhook_endpoints">> = {};
    if (url !== undefined && url !== endpoint.url) {
      assertUrl(url);
      await assertCanForwardLog(tx, actor, endpoint.id);
      // Failures of the previous URL do not apply to the new one.
      Object.assign(columns, { url, failing_since: null, not_before: null });
    }
    if (eventTypes !== undefined) {
      assertEventTypes(eventTypes);
      columns.event_types = JSON.stringify(eventTypes);
    }
    if (projectIds !== undefined) {
      await assertProjects(tx, actor, projectIds, parseProjectIds(endpoint) ?? []);
      columns.project_ids = toProjectColumn(projectIds);
    }
    if (description !== undefined) columns.description = description;
    Object.assign(columns, toEnabledColumns(actor, endpoint, enabled, clock.now()));
    const hasOtherReach = columns.event_types !== undefined || columns.project_ids !== undefined;
    if (columns.url !== undefined || hasOtherReach || columns.enabled === 1) {
      assertCanSubscribe(actor, JSON.parse(columns.event_types ?? endpoint.event_types) as string[]);
      // In a browser, somebody answers for a new address or for resuming the endpoint; its event types and projects alone leave it with the token.
      if (actor.tokenId !== null || columns.url !== undefined || columns.enabled === 1) columns.token_id = actor.tokenId;
    }
    return columns;
  }

  async function rotateSecret(tx: Tx, actor: Actor, endpoint: Endpoint): Promise<RotatedSecret> {
    const rotated = await storeNewSecret(tx, deps, endpoint);
    await auditActor(tx, clock.now(), actor, "webhook.secret_rotated", `webhook_endpoint:${endpoint.id}`);
    await publisher.publishEndpoint(tx, endpoint.id);
    return rotated;
  }

  return {
    /** Returns all endpoints of the organization, oldest first. */
    async list(actor: Actor): Promise<EndpointView[]> {
      assertWebhookManager(actor);
      const endpoints = await visibleEndpoints(database.read, actor).selectAll("webhook_endpoints").orderBy("webhook_endpoints.id").execute();
      return loadEndpointViews(database.read, secrets, clock.now(), endpoints);
    },

    async get(actor: Actor, id: number): Promise<EndpointView> {
      const [view] = await loadEndpointViews(database.read, secrets, clock.now(), [await loadAuthorizedEndpoint(database.read, actor, id)]);
      if (!view) throw new Error("an endpoint has no view");
      return view;
    },

    /** Returns what is wrong with a URL for an endpoint by the rules of creation, which look nothing up; null if it could have it. */
    findUrlIssue(actor: Actor, url: string): string | null {
      assertWebhookManager(actor);
      return findEndpointUrlIssue(deps, url);
    },

    /** `secret` is null if a retried request returns an earlier result. */
    async create(actor: Actor, input: EndpointInput, idempotencyKey: IdempotencyKey | null): Promise<{ view: EndpointView; secret: string | null }> {
      assertWebhookManager(actor);
      assertUrl(input.url);
      assertEventTypes(input.eventTypes);
      assertCanSubscribe(actor, input.eventTypes);
      return database.write((tx) =>
        runIdempotent<{ view: EndpointView; secret: string | null }>(
          tx,
          actor,
          idempotencyKey,
          clock.now(),
          async () => {
            await assertProjects(tx, actor, input.projectIds, []);
            return insert(tx, actor, input);
          },
          ({ view }) => ({ view, secret: null }),
        ),
      );
    },

    update: (actor: Actor, id: number, changes: EndpointChanges): Promise<EndpointView> =>
      database.write(async (tx) => {
        const endpoint = await lockEndpoint(tx, database.engine, actor, id);
        const columns = await toColumnChanges(tx, actor, endpoint, changes);
        if (Object.keys(columns).length === 0) return loadView(tx, endpoint);
        const changed = await tx
          .updateTable("webhook_endpoints")
          .set({ ...columns, updated_at: clock.now() })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await auditActor(tx, clock.now(), actor, "webhook.updated", `webhook_endpoint:${id}`, changes);
        if (columns.enabled === 0) await publisher.publishDeliveries(tx, await setWaitingState(tx, id, "held", null));
        await publisher.publishEndpoint(tx, id);
        return loadView(tx, changed);
      }),

    remove: (actor: Actor, id: number): Promise<void> =>
      database.write(async (tx) => {
        const { url } = await lockEndpoint(tx, database.engine, actor, id);
        await endEndpoint(tx, clock.now(), id);
        await auditActor(tx, clock.now(), actor, "webhook.deleted", `webhook_endpoint:${id}`, { url });
        await publisher.publishEndpoint(tx, id);
      }),

    /**
     * Returns a new secret this one time (null for a retried request). The previous secret keeps signing until `previousUntil`, earlier ones
     * until their own expiry.
     */
    rotate: (actor: Actor, id: number, idempotencyKey: IdempotencyKey | null): Promise<RotatedSecret> =>
      database.write(async (tx) => {
        const endpoint = await lockEndpoint(tx, database.engine, actor, id);
        return runIdempotent<RotatedSecret>(
          tx,
          actor,
          idempotencyKey,
          clock.now(),
          () => rotateSecret(tx, actor, endpoint),
          ({ previousUntil }) => ({ secret: null, previousUntil }),
        );
      }),
  };
}
