/** An event and its deliveries stand and fall with the change. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../contract/operations/files.ts";
import * as webhooks from "../../contract/operations/webhooks.ts";
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from "../../contract/webhook-events.ts";
import { breakable } from "../testing/breakable.ts";
import { startCast, type Cast } from "../testing/cast.ts";
import { ENGINES } from "../testing/engines.ts";
import { upload } from "../testing/files.ts";
import { deliveriesOf, newEndpoint } from "../testing/webhooks.ts";

describe.each(ENGINES)("events with their deliveries on %s", { timeout: 30_000 }, (engine) => {
  const breaker = breakable(engine);
  let cast: Cast;
  let statuses: number[];
  let turn = 0;
  beforeAll(async () => {
    cast = await startCast(engine, { connect: breaker.connect });
    const rows = await cast.world.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", cast.home.team).orderBy("position").execute();
    statuses = rows.map(({ id }) => id);
  }, 60_000);
  afterAll(() => cast.world.close());

  /** Sets another status than the file has. */
  const setStatus = (file_id = cast.home.file) =>
    cast.world.call(cast.member, files.setFileStatus, { body: { file_id, status_id: statuses[(turn += 1) % statuses.length] ?? 0 } });
  const endpoint = (wish: Parameters<typeof newEndpoint>[2] = {}) => newEndpoint(cast.world, cast.owner, wish);
  const of = (id: number) => deliveriesOf(cast.world, id);
  const bodiesOf = async (endpoint_id: number): Promise<any[]> => {
    const { data } = (await cast.world.call(cast.owner, webhooks.listDeliveries, { params: { endpoint_id }, query: {} })).answer;
    const bodies = data.map(async ({ id }) => (await cast.world.call(cast.owner, webhooks.getDelivery, { params: { delivery_id: id } })).answer.data.body);
    return (await Promise.all(bodies)).map((body) => JSON.parse(body) as unknown).reverse();
  };

  test("every endpoint of the organisation that asked for the type gets one, and nobody else", async () => {
    const [one, two, renames, foreign] = [
      await endpoint(),
      await endpoint({ event_types: ["task.closed", "file.status_changed"] }),
      await endpoint({ event_types: ["file.renamed"] }),
      await newEndpoint(cast.world, cast.foreignOwner),
    ];
    await setStatus();
    const [first, second] = [await of(one), await of(two)];
    expect(first).toMatchObject([{ event_type: "file.status_changed", state: "pending", is_test: 0, step: 0, attempts: 0, lease_until: null, done_at: null }]);
    expect(first[0]?.next_attempt_at).toBe(cast.world.clock.now());
    expect(second[0]?.event_id).toBe(first[0]?.event_id);
    expect(await of(renames)).toEqual([]);
    expect(await of(foreign)).toEqual([]);
  });

  test("the bodies are as documented: the four members, and the file's in data", async () => {
    const id = await endpoint({ event_types: [...WEBHOOK_EVENT_TYPES] });
    const file = await upload(cast.world, cast.member, { parent: cast.home.folder, name: `Bodies ${engine}.wav` });
    await cast.world.call(cast.member, files.renameFile, { body: { file_id: file, name: `Renamed ${engine}.wav` } });
    await setStatus(file);
    const bodies = await bodiesOf(id);
    expect(bodies.map(({ type }) => type)).toEqual(["file.uploaded", "file.renamed", "file.status_changed"]);
    for (const body of bodies) {
      expect(Object.keys(body)).toEqual(["object", "id", "type", "data"]);
      expect(body).toMatchObject({ object: "event", id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
      // What the catalogue shows is sent, each member with the type it is shown with.
      const { example } = WEBHOOK_EVENTS[body.type as "file.uploaded"];
      for (const [member, value] of Object.entries(example)) {
        if (member === "old_status") expect(body.data.old_status).toBeNull();
        else expect(typeof body.data[member], `${body.type}: ${member}`).toBe(typeof value);
      }
      expect(body.data).toMatchObject({
        object: "file",
        id: file,
        team_id: cast.home.team,
        parent_id: cast.home.folder,
        changed_by_account_id: cast.member.id,
      });
    }
    const [, renamed, changed] = bodies;
    expect(renamed.data).toMatchObject({ name: `Renamed ${engine}.wav`, old_name: `Bodies ${engine}.wav`, new_name: `Renamed ${engine}.wav` });
    expect(Object.keys(changed.data.new_status).sort()).toEqual(["color", "id", "position", "title"]);
  });

  test("a change that is rolled back leaves neither event nor delivery nor a word in the live log", async () => {
    const id = await endpoint();
    const events = () => cast.world.database.read.selectFrom("outbound_events").select("id").execute();
    const told = () => cast.world.database.read.selectFrom("events").select("seq").where("topic", "=", "organisation:1").execute();
    const before = [(await events()).length, (await told()).length];
    const reply = await breaker.whileBroken(() => setStatus());
    expect(reply.status).toBe(500);
    expect([(await events()).length, (await told()).length]).toEqual(before);
    expect(await of(id)).toEqual([]);
  });

  test("a paused endpoint's are held; one that was deleted gets none", async () => {
    const [paused, deleted] = [await endpoint({ enabled: false }), await endpoint()];
    await cast.world.call(cast.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: deleted } });
    await setStatus();
    expect(await of(paused)).toMatchObject([{ state: "held", next_attempt_at: null }]);
    expect(await of(deleted)).toEqual([]);
  });

  test("a new delivery is told at once to who manages webhooks", async () => {
    const id = await endpoint();
    await setStatus();
    const [delivery] = await of(id);
    const told = await cast.world.database.read
      .selectFrom("events")
      .select("data")
      .where("topic", "=", "organisation:1")
      .where("type", "=", "delivery.updated")
      .orderBy("seq", "desc")
      .limit(10)
      .execute();
    const { answer } = await cast.world.call(cast.owner, webhooks.listDeliveries, { params: { endpoint_id: id }, query: {} });
    expect(told.map(({ data }) => JSON.parse(data)).find((one) => one.id === delivery?.id)).toEqual(answer.data[0]);
  });

  test("while it is paused and resumed again and again, nothing is lost, and nothing waits at a paused endpoint", async () => {
    const endpoint_id = await endpoint();
    const enable = (enabled: boolean) => cast.world.call(cast.owner, webhooks.updateWebhookEndpoint, { params: { endpoint_id }, body: { enabled } });
    const made = await Promise.all([
      ...Array.from({ length: 12 }, () => upload(cast.world, cast.member, { parent: cast.home.folder, name: "burst.wav" }).then((id) => setStatus(id))),
      ...Array.from({ length: 8 }, (_, index) => enable(index % 2 === 1)),
    ]);
    expect(made.map((reply) => reply.status)).toEqual(Array(20).fill(200));
    await enable(false);
    const states = (await of(endpoint_id)).map(({ state }) => state);
    expect(states).toEqual(Array(12).fill("held"));
  });
});
