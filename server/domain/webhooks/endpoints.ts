/** Endpoints: registering, changing, pausing, deleting, and their secrets. */
import { WEBHOOK_EVENT_TYPES } from "../../../contract/webhook-events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { DAY } from "../../lib/clock.ts";
import { conflict, invalid } from "../../lib/faults.ts";
import type { EndpointView } from "../../presenters/webhooks.ts";
import { visibleEndpoints, type Actor } from "../access.ts";
import { audit } from "../audit.ts";
import { once, type Repeat } from "../idempotency.ts";
import type { WebhookDeps } from "./deps.ts";
import { demandManager, endpointFor, endpointViews, lockedEndpoint, type Endpoint } from "./repository.ts";
import { previousSecrets } from "./secrets.ts";
import { createTell } from "./tell.ts";

/** How long the secret before a rotation signs too. */
const OVERLAP_MS = DAY;
/** Former secrets at most: each makes the header of a signature longer. */
const MOST_PREVIOUS = 5;

export interface EndpointWish {
  url: string;
  eventTypes: string[];
  description: string;
  enabled: boolean;
}
interface Rotated {
  secret: string | null;
  previousUntil: number;
}
/** What is undefined stays as it is. */
export type EndpointChanges = { [Member in keyof EndpointWish]?: EndpointWish[Member] | undefined };

function demandEventTypes(types: string[]): void {
  const known = `known are ${WEBHOOK_EVENT_TYPES.join(", ")}`;
  if (types.length === 0) throw invalid("event_types", `must name at least one event type; ${known}`);
  for (const [index, type] of types.entries()) {
    if (!WEBHOOK_EVENT_TYPES.some((one) => one === type)) throw invalid("event_types", `"${type.slice(0, 40)}" is not an event type; ${known}`);
    if (types.indexOf(type) !== index) throw invalid("event_types", `must not name ${type} twice`);
  }
}

export function createEndpoints(deps: WebhookDeps) {
  const { database, clock, secrets, faultOfUrl } = deps;
  const tell = createTell(deps);

  function demandUrl(url: string): void {
    // The parser would pass over them, and the address be another one than the one shown.
    if (/^\s|\s$|[\t\r\n]/.test(url)) throw invalid("url", "must not contain line breaks, or spaces around it");
    const fault = faultOfUrl(url);
    if (fault !== null) throw invalid("url", fault);
  }

  async function viewOf(tx: Tx, endpoint: Endpoint): Promise<EndpointView> {
    const [view] = await endpointViews(tx, secrets, clock.now(), [endpoint]);
    if (!view) throw new Error("an endpoint has no view");
    return view;
  }

  const note = (tx: Tx, actor: Actor, id: number, action: string, detail?: Record<string, unknown>): Promise<void> =>
    audit(tx, clock.now(), {
      organisationId: actor.organisationId,
      accountId: actor.accountId,
      action,
      target: `webhook_endpoint:${id}`,
      ...(detail && { detail }),
    });

  async function insert(tx: Tx, actor: Actor, wish: EndpointWish): Promise<{ view: EndpointView; secret: string }> {
    const { count } = await visibleEndpoints(tx, actor)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count >= LIMITS.webhook_endpoints) throw conflict(`There are ${LIMITS.webhook_endpoints} webhook endpoints already. Delete one first.`);
    const now = clock.now();
    const { secret, sealed } = secrets.make();
    const endpoint = await tx
      .insertInto("webhook_endpoints")
      .values({
        organisation_id: actor.organisationId,
        url: wish.url,
        event_types: JSON.stringify(wish.eventTypes),
        description: wish.description,
        enabled: wish.enabled ? 1 : 0,
        secret: sealed,
        ...(wish.enabled ? {} : { disabled_reason: "paused", disabled_at: now, disabled_by: actor.accountId }),
        created_by: actor.accountId,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await note(tx, actor, endpoint.id, "webhook.created", { url: wish.url, event_types: wish.eventTypes });
    await tell.endpoint(tx, endpoint.id);
    return { view: await viewOf(tx, endpoint), secret };
  }

  /** Deliveries that wait, to another state. A try that is under way at this moment is left to who makes it. */
  async function settleWaiting(tx: Tx, endpointId: number, state: "held" | "failed", doneAt: number | null): Promise<number[]> {
    const moved = await tx
      .updateTable("deliveries")
      .set({ state, next_attempt_at: null, done_at: doneAt })
      .where("endpoint_id", "=", endpointId)
      .where("state", "in", state === "failed" ? ["pending", "held"] : ["pending"])
      .where("lease_until", "is", null)
      // A test goes to a paused endpoint all the same.
      .$if(state === "held", (query) => query.where("is_test", "=", 0))
      .returning("id")
      .execute();
    return moved.map(({ id }) => id);
  }

  function changesOf(actor: Actor, endpoint: Endpoint, { url, eventTypes, description, enabled }: EndpointChanges): Partial<Row<"webhook_endpoints">> {
    const set: Partial<Row<"webhook_endpoints">> = {};
    if (url !== undefined && url !== endpoint.url) {
      demandUrl(url);
      // What another address failed at says nothing of this one.
      Object.assign(set, { url, failing_since: null, not_before: null });
    }
    if (eventTypes !== undefined) {
      demandEventTypes(eventTypes);
      set.event_types = JSON.stringify(eventTypes);
    }
    if (description !== undefined) set.description = description;
    if (enabled === false && endpoint.enabled === 1)
      Object.assign(set, { enabled: 0, disabled_reason: "paused", disabled_at: clock.now(), disabled_by: actor.accountId });
    if (enabled === true && endpoint.enabled === 0)
      Object.assign(set, { enabled: 1, disabled_reason: null, disabled_at: null, disabled_by: null, failing_since: null, not_before: null });
    return set;
  }

  async function rotated(tx: Tx, actor: Actor, endpoint: Endpoint): Promise<Rotated> {
    const now = clock.now();
    const previous = previousSecrets(endpoint, now);
    // One of them may be the one that receivers use.
    if (previous.length >= MOST_PREVIOUS)
      throw conflict(`The secret was rotated ${MOST_PREVIOUS} times within 24 hours. Wait until the oldest of these secrets has run out.`);
    const { secret, sealed } = secrets.make();
    const previousUntil = now + OVERLAP_MS;
    const previous_secrets = JSON.stringify([{ secret: endpoint.secret, until: previousUntil }, ...previous]);
    await tx.updateTable("webhook_endpoints").set({ secret: sealed, previous_secrets, updated_at: now }).where("id", "=", endpoint.id).execute();
    await note(tx, actor, endpoint.id, "webhook.secret_rotated");
    await tell.endpoint(tx, endpoint.id);
    return { secret, previousUntil };
  }

  return {
    /** All of the organisation, oldest first. */
    async list(actor: Actor): Promise<EndpointView[]> {
      demandManager(actor);
      const endpoints = await visibleEndpoints(database.read, actor).selectAll("webhook_endpoints").orderBy("webhook_endpoints.id").execute();
      return endpointViews(database.read, secrets, clock.now(), endpoints);
    },

    async get(actor: Actor, id: number): Promise<EndpointView> {
      const [view] = await endpointViews(database.read, secrets, clock.now(), [await endpointFor(database.read, actor, id)]);
      if (!view) throw new Error("an endpoint has no view");
      return view;
    },

    /** `secret` is null when a repeated request answers an earlier result. */
    async create(actor: Actor, wish: EndpointWish, repeat: Repeat): Promise<{ view: EndpointView; secret: string | null }> {
      demandManager(actor);
      demandUrl(wish.url);
      demandEventTypes(wish.eventTypes);
      return database.write((tx) =>
        once<{ view: EndpointView; secret: string | null }>(
          tx,
          actor,
          repeat,
          clock.now(),
          () => insert(tx, actor, wish),
          ({ view }) => ({ view, secret: null }),
        ),
      );
    },

    update: (actor: Actor, id: number, changes: EndpointChanges): Promise<EndpointView> =>
      database.write(async (tx) => {
        const endpoint = await lockedEndpoint(tx, database.engine, actor, id);
        const set = changesOf(actor, endpoint, changes);
        if (Object.keys(set).length === 0) return viewOf(tx, endpoint);
        const changed = await tx
          .updateTable("webhook_endpoints")
          .set({ ...set, updated_at: clock.now() })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await note(tx, actor, id, "webhook.updated", changes);
        if (set.enabled === 0) await tell.deliveries(tx, await settleWaiting(tx, id, "held", null));
        await tell.endpoint(tx, id);
        return viewOf(tx, changed);
      }),

    /** What was not delivered yet is given up; its log goes from view at once, and from the database with its age. */
    remove: (actor: Actor, id: number): Promise<void> =>
      database.write(async (tx) => {
        const { url } = await lockedEndpoint(tx, database.engine, actor, id);
        const now = clock.now();
        await settleWaiting(tx, id, "failed", now);
        await tx
          .updateTable("webhook_endpoints")
          .set({ deleted_at: now, enabled: 0, secret: "", previous_secrets: "[]", updated_at: now })
          .where("id", "=", id)
          .execute();
        await note(tx, actor, id, "webhook.deleted", { url });
        await tell.endpoint(tx, id);
      }),

    /** A new secret, told this once (null when a repeated request is answered). The one before it signs too until `previousUntil`, earlier ones to their own ends. */
    rotate: (actor: Actor, id: number, repeat: Repeat): Promise<Rotated> =>
      database.write(async (tx) => {
        const endpoint = await lockedEndpoint(tx, database.engine, actor, id);
        return once<Rotated>(
          tx,
          actor,
          repeat,
          clock.now(),
          () => rotated(tx, actor, endpoint),
          ({ previousUntil }) => ({ secret: null, previousUntil }),
        );
      }),
  };
}
