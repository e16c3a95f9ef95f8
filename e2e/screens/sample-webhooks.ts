/** Creates endpoints in every state, with the deliveries of a day. */
import { createToken, revokeToken } from "../../contract/operations/accounts.ts";
import { createWebhookEndpoint, listDeliveries, updateWebhookEndpoint } from "../../contract/operations/webhooks.ts";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "../../contract/webhook-events.ts";
import type { Delivery } from "../../contract/webhook-records.ts";
import { call, createProject, type Person } from "../fixtures/api.ts";
import { setStatus, upload } from "../fixtures/files.ts";
import { respondWithStatus, type Receiver } from "../fixtures/receiver.ts";
import { openDatabase, type Service } from "../fixtures/service.ts";
import type { Scene } from "./shot.ts";

const SETTLE_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 150;
const HOUR_MS = 3_600_000;

export async function createSampleWebhooks(service: Service, ana: Person, receiver: Receiver): Promise<Scene["webhooks"]> {
  const project = await createProject(ana, "Release desk");
  const register = async (path: string, types: readonly WebhookEventType[], description = "", project_ids: number[] | null = null) =>
    (await call(ana, createWebhookEndpoint, { body: { url: new URL(path, receiver.url).href, event_types: [...types], description, project_ids } })).data.id;
  const loadDeliveries = async (endpointId: number) => (await call(ana, listDeliveries, { params: { endpoint_id: endpointId } })).data;
  const waitForDeliveries = (endpointId: number, isSettled: (log: Delivery[]) => boolean) => waitUntil(async () => isSettled(await loadDeliveries(endpointId)));

  const failing = await register("/distributor", ["file.status_changed", "file.uploaded"], "Starts the delivery to the distributor.", [project.id]);
  const mix = await upload(ana, project, "nightdrive_mix.wav.txt", "This stands for a mix.");
  await waitForDeliveries(failing, (log) => log.some(({ state }) => state === "delivered"));
  const steady = await register("/ops", WEBHOOK_EVENT_TYPES);
  await upload(ana, project, "halden_take2.txt", "This stands for a take.");
  await waitForDeliveries(steady, (log) => log.some(({ state }) => state === "delivered"));
  backdateDeliveries(service, failing, [0, 2, 1, 3, 0, 5, 4, 6, 9, 7, 8, 10, 6, 4, 8, 9, 3, 5, 0, 0, 0, 0, 0]);
  backdateDeliveries(service, steady, [1, 0, 3, 2, 4, 0, 6, 8, 5, 9, 7, 4, 6, 3, 8, 5, 9, 7, 6, 8, 4, 3, 2]);

  const gone = await register("/old-bridge", ["file.uploaded"]);
  receiver.respondWith(respondWithStatus(410), "/old-bridge");
  await upload(ana, project, "stems_a.txt", "This stands for stems.");
  await waitForDeliveries(gone, (log) => log.some(({ state }) => state === "failed"));
  const paused = await register("/task-board", ["file.uploaded"]);
  await call(ana, updateWebhookEndpoint, { params: { endpoint_id: paused }, body: { enabled: false } });
  await upload(ana, project, "stems_b.txt", "This stands for stems.");

  const token = await call(ana, createToken, { body: { name: "Archive sync", scopes: ["webhooks", "files:read"] } });
  const body = { url: new URL("/archive", receiver.url).href, event_types: ["file.status_changed"] };
  const headers = { authorization: `Bearer ${token.data.token}`, "content-type": "application/json" };
  const created = await fetch(new URL(createWebhookEndpoint.path, ana.url), { method: "POST", headers, body: JSON.stringify(body) });
  const { id: tokenEnded } = ((await created.json()) as { data: { id: number } }).data;
  await call(ana, revokeToken, { params: { token_id: token.data.id } });

  // A pending delivery would be rejected too, and its Retry-After would keep the next delivery from being attempted.
  await waitForDeliveries(failing, (log) => log.every(({ state }) => state === "delivered"));
  receiver.respondWith(
    respondWithStatus(503, { "retry-after": "300", "content-type": "text/plain" }, "The ingest queue is full, try again in five minutes."),
    "/distributor",
  );
  await setStatus(ana, project, mix, "Approved");
  await waitForDeliveries(failing, ([newest]) => newest?.state === "pending" && newest.attempt_count > 0);
  const [newest] = await loadDeliveries(failing);
  return { failing, paused, gone, tokenEnded, delivery: newest?.id ?? 0 };
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + SETTLE_TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error("The deliveries do not settle");
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/** Copies the endpoint's first delivery into earlier hours, oldest first, to simulate a day's history. */
function backdateDeliveries(service: Service, endpointId: number, perHour: readonly number[]): void {
  using database = openDatabase(service);
  const columns = "event_id, event_type, is_test, state, step, attempts, next_attempt_at, lease_until, lease_token";
  const copy = database.prepare(
    `insert into deliveries (endpoint_id, ${columns}, created_at, done_at) select endpoint_id, ${columns}, ?, ? from deliveries where endpoint_id = ? order by id limit 1`,
  );
  const now = Date.now();
  perHour.forEach((count, index) => {
    const createdAt = now - (perHour.length - index) * HOUR_MS;
    for (let copyIndex = 0; copyIndex < count; copyIndex += 1) copy.run(createdAt, createdAt, endpointId);
  });
}
