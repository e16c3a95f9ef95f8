import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openSocket, startLiveTestApp, waitUntil, type LiveTestApp, type TestSocket } from "../../testing/live.ts";
import { createSession, joinTeam, createApiToken } from "../../testing/people.ts";
import { registerEndpoint } from "../../testing/webhooks.ts";

describe.each(ENGINES)("webhooks in the live channel on %s", { timeout: 30_000 }, (engine) => {
  let testApp: LiveTestApp;
  let topic: string;
  beforeAll(async () => {
    testApp = await startLiveTestApp(engine, { liveTiming: { heartbeatMs: 25_000, recheckMs: 100 } });
    topic = `organisation:${testApp.organization}`;
  }, 60_000);
  afterAll(() => testApp.close());

  const types = (socket: TestSocket) => socket.events(topic).map(({ type }) => type);

  test("are sent to owners, admins and tokens with the scopes; everyone else receives withheld events", async () => {
    const admin = await joinTeam(testApp, testApp.owner, "admin", { team: testApp.team, role: "admin" });
    const member = await joinTeam(testApp, testApp.owner, "member", { team: testApp.team, role: "member" });
    const guest = await joinTeam(testApp, testApp.owner, "guest", { team: testApp.team, role: "guest", projects: [await testApp.newProject()] });
    const [owners, admins, members, guests, narrow, partial, wide] = [
      await openSocket(testApp.app.server, testApp.owner),
      await openSocket(testApp.app.server, admin),
      await openSocket(testApp.app.server, member),
      await openSocket(testApp.app.server, guest),
      await openSocket(testApp.app.server, await createApiToken(testApp, testApp.owner, ["account:read"])),
      await openSocket(testApp.app.server, await createApiToken(testApp, testApp.owner, ["account:read", "webhooks"])),
      await openSocket(testApp.app.server, await createApiToken(testApp, testApp.owner, ["account:read", "webhooks", "files:read"])),
    ];
    const all = [owners, admins, members, guests, narrow, partial, wide];
    const since = ((await owners.subscribe(topic)) as { subscribed: { seq: number } }).subscribed.seq;
    for (const socket of all.slice(1)) await socket.subscribe(topic);

    const endpoint_id = await registerEndpoint(testApp, testApp.owner);
    await testApp.call(testApp.owner, webhooks.testWebhookEndpoint, { params: { endpoint_id }, body: {} });
    await testApp.call(testApp.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id } });
    for (const socket of all)
      await waitUntil(
        () => socket.events(topic).length === 3,
        "three events",
        () => socket.frames,
      );
    const expectedTypes = ["webhook_endpoint.updated", "delivery.updated", "webhook_endpoint.deleted"];
    for (const socket of [owners, admins, wide]) expect(types(socket)).toEqual(expectedTypes);
    // What is delivered needs the scope of the files and tasks in it, too.
    expect(types(partial)).toEqual(["webhook_endpoint.updated", "withheld", "webhook_endpoint.deleted"]);
    for (const socket of [members, guests, narrow]) {
      expect(types(socket)).toEqual(["withheld", "withheld", "withheld"]);
      expect(socket.events(topic).map(({ data }) => data)).toEqual([{}, {}, {}]);
      expect(socket.seqs(topic)).toEqual(owners.seqs(topic));
    }
    expect(owners.events(topic)[0]?.data).toMatchObject({ id: endpoint_id, enabled: true });
    expect(JSON.stringify(owners.events(topic))).not.toMatch(/whsec_|"secret"/);

    // The same applies to events that a late subscriber catches up on.
    const lateSocket = await openSocket(testApp.app.server, await createSession(testApp, member.id, "late"));
    await lateSocket.subscribe(topic, since);
    await waitUntil(() => lateSocket.events(topic).length === 3, "the same from the log");
    expect(types(lateSocket)).toEqual(["withheld", "withheld", "withheld"]);
    await Promise.all([...all, lateSocket].map((socket) => socket.close()));
  });

  test("are withheld from a former admin", async () => {
    const admin = await joinTeam(testApp, testApp.owner, "short admin", { team: testApp.team, role: "admin" });
    const socket = await openSocket(testApp.app.server, admin);
    await socket.subscribe(topic);
    await registerEndpoint(testApp, testApp.owner);
    await waitUntil(() => types(socket).includes("webhook_endpoint.updated"), "the event");
    const before = socket.events(topic).length;
    await testApp.call(testApp.owner, accounts.updateMember, { params: { account_id: admin.id }, body: { role: "member" } });
    await registerEndpoint(testApp, testApp.owner);
    await waitUntil(
      () => socket.events(topic).length === before + 2,
      "two more",
      () => socket.events(topic),
    );
    expect(types(socket).slice(before)).toEqual(["account.updated", "withheld"]);
    await socket.close();
  });
});
