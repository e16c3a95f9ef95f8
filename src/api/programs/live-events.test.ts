/** Follows live events over connections that break. */
import { describe, expect, it, onTestFinished } from "vitest";
import { operations } from "../../../contract/operations/all.ts";
import { rejection } from "../../../server/testing/cuttable-service.ts";
import { bearerCaller } from "../../../server/testing/test-app.ts";
import { createTalkback } from "../talkback.ts";
import type { LiveItem } from "./live-events.ts";
import { service, setUpPrograms, startStub, talkback } from "./programs.fixture.ts";

setUpPrograms();

describe("events", () => {
  /** Reads items until one fits. */
  async function readUntil(items: AsyncGenerator<LiveItem>, fits: (item: LiveItem) => boolean): Promise<LiveItem[]> {
    const read: LiveItem[] = [];
    for (;;) {
      const { value, done } = await items.next();
      if (done) return expect.fail("the events ended");
      read.push(value);
      if (fits(value)) return read;
    }
  }
  const isMessage = (body: string) => (item: LiveItem) => item.kind === "event" && item.event.type === "message.created" && item.event.data["body"] === body;
  const bodiesOf = (items: LiveItem[]) =>
    items.flatMap((item) => (item.kind === "event" && item.event.type === "message.created" ? [item.event.data["body"]] : []));
  /** Writes past the proxy. */
  const write = (body: string) =>
    service.testApp.call(bearerCaller("owner", service.token), operations.sendMessage, { body: { project_id: service.project, body } });

  it("catch up after a lost connection and in a later run, without gaps or repetitions", async () => {
    const topic = `project:${service.project}`;
    const items = talkback.events([topic]);
    onTestFinished(() => void items.return());
    await readUntil(items, ({ kind }) => kind === "subscribed");
    await write("live");
    await readUntil(items, isMessage("live"));
    service.network.down();
    await write("missed 1");
    await write("missed 2");
    service.network.up();
    const caughtUp = await readUntil(items, isMessage("missed 2"));
    expect(bodiesOf(caughtUp)).toEqual(["missed 1", "missed 2"]);
    const lastSeq = caughtUp.at(-1)?.seq ?? 0;
    await items.return();

    await write("between the runs");
    const later = talkback.events([topic], { since: { [topic]: lastSeq } });
    expect(bodiesOf(await readUntil(later, isMessage("between the runs")))).toEqual(["between the runs"]);
    await later.return();
  });

  it("that a slow consumer has not taken are requested again instead of being stored", async () => {
    const items = talkback.events([`project:${service.project}`], { maxQueued: 3 });
    onTestFinished(() => void items.return());
    await items.next();
    const texts = Array.from({ length: 12 }, (_, index) => `burst ${index}`);
    for (const text of texts) await write(text);
    const read = await readUntil(items, isMessage("burst 11"));
    expect(bodiesOf(read)).toEqual(texts);
    expect(read.some(({ kind }) => kind === "subscribed")).toBe(true);
  });

  it("end with the abort reason, with a refused topic, and with a revoked or wrong token", async () => {
    const controller = new AbortController();
    const items = talkback.events([`project:${service.project}`], { signal: controller.signal });
    await items.next();
    const next = rejection(items.next());
    controller.abort(new Error("stopped"));
    expect(await next).toMatchObject({ message: "stopped" });
    expect(await rejection(talkback.events(["project:999999"]).next())).toMatchObject({ status: 403, detail: expect.stringContaining("project:999999") });
    expect(
      await rejection(
        createTalkback({ baseUrl: service.baseUrl, token: "tb_pat_wrong" })
          .events([`project:${service.project}`])
          .next(),
      ),
    ).toMatchObject({ status: 401, requestId: expect.any(String) });
    const stub = await startStub((_request, response) => void response.writeHead(404).end());
    expect(await rejection(stub.events(["project:1"]).next())).toMatchObject({ status: 404 });
  });
});
