/** Tests that an event and its deliveries are stored exactly if the change is. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from "../../../contract/webhook-events.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFailingDatabase } from "../../testing/failing-database.ts";
import { upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { findDeliveries, registerEndpoint } from "../../testing/webhooks.ts";

describe.each(ENGINES)("webhook events and deliveries on %s", { timeout: 30_000 }, (engine) => {
  const breaker = createFailingDatabase(engine);
  let fixtures: Fixtures;
  let statuses: number[];
  let statusIndex = 0;
  beforeAll(async () => {
    fixtures = await createFixtures(engine, { connect: breaker.connect });
    const rows = await fixtures.testApp.database.read
      .selectFrom("file_statuses")
      .select("id")
      .where("team_id", "=", fixtures.home.team)
      .orderBy("position")
      .execute();
    statuses = rows.map(({ id }) => id);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  /** Sets a status that differs from the file's current one. */
  const setStatus = (file_id = fixtures.home.file) =>
    fixtures.testApp.call(fixtures.member, files.setFileStatus, { body: { file_id, status_id: statuses[(statusIndex += 1) % statuses.length] ?? 0 } });
  const createEndpoint = (input: Parameters<typeof registerEndpoint>[2] = {}) => registerEndpoint(fixtures.testApp, fixtures.owner, input);
  const loadDeliveries = (id: number) => findDeliveries(fixtures.testApp, id);
  const loadBodies = async (endpoint_id: number): Promise<any[]> => {
    const { data } = (await fixtures.testApp.call(fixtures.owner, webhooks.listDeliveries, { params: { endpoint_id }, query: {} })).response;
    const bodies = data.map(
      async ({ id }) => (await fixtures.testApp.call(fixtures.owner, webhooks.getDelivery, { params: { delivery_id: id } })).response.data.body,
    );
    return (await Promise.all(bodies)).map((body) => JSON.parse(body) as unknown).reverse();
  };

  test("creates a delivery only for the organization's endpoints that subscribe to the type", async () => {
    const [firstEndpoint, secondEndpoint, renameEndpoint, foreignEndpoint] = [
      await createEndpoint(),
      await createEndpoint({ event_types: ["task.closed", "file.status_changed"] }),
      await createEndpoint({ event_types: ["file.renamed"] }),
      await registerEndpoint(fixtures.testApp, fixtures.foreignOwner),
    ];
    await setStatus();
    const [first, second] = [await loadDeliveries(firstEndpoint), await loadDeliveries(secondEndpoint)];
    expect(first).toMatchObject([{ event_type: "file.status_changed", state: "pending", is_test: 0, step: 0, attempts: 0, lease_until: null, done_at: null }]);
    expect(first[0]?.next_attempt_at).toBe(fixtures.testApp.clock.now());
    expect(second[0]?.event_id).toBe(first[0]?.event_id);
    expect(await loadDeliveries(renameEndpoint)).toEqual([]);
    expect(await loadDeliveries(foreignEndpoint)).toEqual([]);
  });

  test("bodies have the four documented members, with the file's members in data", async () => {
    const id = await createEndpoint({ event_types: [...WEBHOOK_EVENT_TYPES] });
    const file = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: `Bodies ${engine}.wav` });
    await fixtures.testApp.call(fixtures.member, files.renameFile, { body: { file_id: file, name: `Renamed ${engine}.wav` } });
    await setStatus(file);
    const bodies = await loadBodies(id);
    expect(bodies.map(({ type }) => type)).toEqual(["file.uploaded", "file.renamed", "file.status_changed"]);
    for (const body of bodies) {
      expect(Object.keys(body)).toEqual(["object", "id", "type", "data"]);
      expect(body).toMatchObject({ object: "event", id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
      // The sent data has every field of the catalog's example, with the same type.
      const { example } = WEBHOOK_EVENTS[body.type as "file.uploaded"];
      for (const [member, value] of Object.entries(example)) {
        if (member === "old_status") expect(body.data.old_status).toBeNull();
        else expect(typeof body.data[member], `${body.type}: ${member}`).toBe(typeof value);
      }
      expect(body.data).toMatchObject({
        object: "file",
        id: file,
        team_id: fixtures.home.team,
        parent_id: fixtures.home.folder,
        changed_by_account_id: fixtures.member.id,
      });
    }
    const [, renamed, changed] = bodies;
    expect(renamed.data).toMatchObject({ name: `Renamed ${engine}.wav`, old_name: `Bodies ${engine}.wav`, new_name: `Renamed ${engine}.wav` });
    expect(Object.keys(changed.data.new_status).sort()).toEqual(["color", "id", "is_final", "position", "title"]);
  });

  test("a rolled-back change leaves no event, no delivery and no live event", async () => {
    const id = await createEndpoint();
    const loadEvents = () => fixtures.testApp.database.read.selectFrom("outbound_events").select("id").execute();
    const loadLiveEvents = () => fixtures.testApp.database.read.selectFrom("events").select("seq").where("topic", "=", "organisation:1").execute();
    const before = [(await loadEvents()).length, (await loadLiveEvents()).length];
    const reply = await breaker.withFailingCommits(() => setStatus());
    expect(reply.status).toBe(500);
    expect([(await loadEvents()).length, (await loadLiveEvents()).length]).toEqual(before);
    expect(await loadDeliveries(id)).toEqual([]);
  });

  test("holds deliveries of a paused endpoint and creates none for a deleted one", async () => {
    const [paused, deleted] = [await createEndpoint({ enabled: false }), await createEndpoint()];
    await fixtures.testApp.call(fixtures.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: deleted } });
    await setStatus();
    expect(await loadDeliveries(paused)).toMatchObject([{ state: "held", next_attempt_at: null }]);
    expect(await loadDeliveries(deleted)).toEqual([]);
  });

  test("publishes a new delivery in the organization's topic", async () => {
    const id = await createEndpoint();
    await setStatus();
    const [delivery] = await loadDeliveries(id);
    const loggedEvents = await fixtures.testApp.database.read
      .selectFrom("events")
      .select("data")
      .where("topic", "=", "organisation:1")
      .where("type", "=", "delivery.updated")
      .orderBy("seq", "desc")
      .limit(10)
      .execute();
    const { response } = await fixtures.testApp.call(fixtures.owner, webhooks.listDeliveries, { params: { endpoint_id: id }, query: {} });
    expect(loggedEvents.map(({ data }) => JSON.parse(data)).find((record) => record.id === delivery?.id)).toEqual(response.data[0]);
  });

  test("loses no delivery while the endpoint is paused and resumed repeatedly, and leaves none pending once it is paused", async () => {
    const endpoint_id = await createEndpoint();
    const setEnabled = (enabled: boolean) =>
      fixtures.testApp.call(fixtures.owner, webhooks.updateWebhookEndpoint, { params: { endpoint_id }, body: { enabled } });
    const replies = await Promise.all([
      ...Array.from({ length: 12 }, () =>
        upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "burst.wav" }).then((id) => setStatus(id)),
      ),
      ...Array.from({ length: 8 }, (_, index) => setEnabled(index % 2 === 1)),
    ]);
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(200));
    await setEnabled(false);
    const states = (await loadDeliveries(endpoint_id)).map(({ state }) => state);
    expect(states).toEqual(Array(12).fill("held"));
  });
});
