import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { ENGINES } from "../../testing/engines.ts";
import { freshSession, join, tokenOf } from "../../testing/people.ts";
import { openSocket, startLiveWorld, until, type LiveWorld, type TestSocket } from "../../testing/live.ts";
import { newEndpoint } from "../../testing/webhooks.ts";

describe.each(ENGINES)("webhooks in the live channel on %s", { timeout: 30_000 }, (engine) => {
  let world: LiveWorld;
  let topic: string;
  beforeAll(async () => {
    world = await startLiveWorld(engine, { liveTiming: { heartbeatMs: 25_000, recheckMs: 100 } });
    topic = `organisation:${world.organisation}`;
  }, 60_000);
  afterAll(() => world.close());

  const types = (socket: TestSocket) => socket.events(topic).map(({ type }) => type);

  test("are told to owners and admins, and to tokens that may; everybody else keeps the order and reads nothing", async () => {
    const admin = await join(world, world.owner, "admin", { team: world.team, role: "admin" });
    const member = await join(world, world.owner, "member", { team: world.team, role: "member" });
    const guest = await join(world, world.owner, "guest", { team: world.team, role: "guest", projects: [await world.newProject()] });
    const [owners, admins, members, guests, narrow, wide] = [
      await openSocket(world.app.server, world.owner),
      await openSocket(world.app.server, admin),
      await openSocket(world.app.server, member),
      await openSocket(world.app.server, guest),
      await openSocket(world.app.server, await tokenOf(world, world.owner, ["account:read"])),
      await openSocket(world.app.server, await tokenOf(world, world.owner, ["account:read", "webhooks"])),
    ];
    const all = [owners, admins, members, guests, narrow, wide];
    const since = ((await owners.subscribe(topic)) as { subscribed: { seq: number } }).subscribed.seq;
    for (const socket of all.slice(1)) await socket.subscribe(topic);

    const endpoint_id = await newEndpoint(world, world.owner);
    await world.call(world.owner, webhooks.testWebhookEndpoint, { params: { endpoint_id }, body: {} });
    await world.call(world.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id } });
    for (const socket of all)
      await until(
        () => socket.events(topic).length === 3,
        "three events",
        () => socket.frames,
      );
    const told = ["webhook_endpoint.updated", "delivery.updated", "webhook_endpoint.deleted"];
    for (const socket of [owners, admins, wide]) expect(types(socket)).toEqual(told);
    for (const socket of [members, guests, narrow]) {
      expect(types(socket)).toEqual(["withheld", "withheld", "withheld"]);
      expect(socket.events(topic).map(({ data }) => data)).toEqual([{}, {}, {}]);
      expect(socket.seqs(topic)).toEqual(owners.seqs(topic));
    }
    expect(owners.events(topic)[0]?.data).toMatchObject({ id: endpoint_id, enabled: true });
    expect(JSON.stringify(owners.events(topic))).not.toMatch(/whsec_|"secret"/);

    // The same holds for what is caught up on.
    const late = await openSocket(world.app.server, await freshSession(world, member.id, "late"));
    await late.subscribe(topic, since);
    await until(() => late.events(topic).length === 3, "the same from the log");
    expect(types(late)).toEqual(["withheld", "withheld", "withheld"]);
    await Promise.all([...all, late].map((socket) => socket.close()));
  });

  test("are not told any more to somebody who is no admin any more", async () => {
    const admin = await join(world, world.owner, "short admin", { team: world.team, role: "admin" });
    const socket = await openSocket(world.app.server, admin);
    await socket.subscribe(topic);
    await newEndpoint(world, world.owner);
    await until(() => types(socket).includes("webhook_endpoint.updated"), "the event");
    const before = socket.events(topic).length;
    await world.call(world.owner, accounts.updateMember, { params: { account_id: admin.id }, body: { role: "member" } });
    await newEndpoint(world, world.owner);
    await until(
      () => socket.events(topic).length === before + 2,
      "two more",
      () => socket.events(topic),
    );
    expect(types(socket).slice(before)).toEqual(["account.updated", "withheld"]);
    await socket.close();
  });
});
