/** Tests that messages between processes arrive in order, and that what is no message is ignored. */
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase, ENGINES } from "../testing/engines.ts";
import { createPeers, PEERS_CHANNEL } from "./peers.ts";
import { listenToPostgres } from "./postgres-notifications.ts";

const failOnWarning = (error: unknown): never => {
  throw error;
};

describe.runIf(ENGINES.includes("postgres"))("messages between processes", () => {
  async function startProcesses() {
    const data = await createTestDatabase("postgres");
    const databases = [data.open(), data.open()];
    const peers = databases.map((database, index) => createPeers(database, `process ${index}`, failOnWarning));
    const sources = databases.map((database, index) =>
      listenToPostgres(
        { database, origin: `process ${index}`, channels: { [PEERS_CHANNEL]: peers[index]!.receive }, warn: () => {} },
        { onEventWritten() {}, onMissed() {}, hasListeners: () => true },
      ),
    );
    await Promise.all(sources.map((source) => source.ready()));
    onTestFinished(async () => {
      for (const source of sources) await source.stop();
      for (const database of databases) await database.close();
      await data.drop();
    });
    return peers;
  }

  it("arrive in order at the others, and not at the sender", async () => {
    const [sender, receiver] = await startProcesses();
    const [own, received]: unknown[][] = [[], []];
    const { promise, resolve } = Promise.withResolvers<void>();
    sender!.onMessage("presence", (data) => own!.push(data));
    receiver!.onMessage("spent", () => expect.fail("another kind"));
    receiver!.onMessage("presence", (data, origin) => {
      received!.push([data, origin]);
      if (data === 499) resolve();
    });
    for (let count = 0; count < 500; count += 1) {
      sender!.send("presence", count);
      if (count % 100 === 0) await new Promise(setImmediate);
    }
    await promise;
    expect(received).toEqual(Array.from({ length: 500 }, (_, count) => [count, "process 0"]));
    expect(own).toEqual([]);
  });

  it("are refused if they are longer than PostgreSQL accepts, and the longest arrives", async () => {
    const [sender, receiver] = await startProcesses();
    expect(() => sender!.send("presence", "é".repeat(4_000))).toThrow("too long");
    const { promise, resolve } = Promise.withResolvers<unknown>();
    receiver!.onMessage("presence", resolve);
    const longest = "é".repeat(3_700);
    sender!.send("presence", longest);
    expect(await promise).toBe(longest);
  });
});

it("ignores what is no message, and its own", () => {
  const peers = createPeers({ engine: "postgres", read: undefined as never }, "ours", failOnWarning);
  const received: unknown[] = [];
  peers.onMessage("presence", (data) => received.push(data));
  for (const payload of [undefined, "", "{", "null", "7", "{}", '{"kind":"else","origin":"a","data":1}', '{"kind":"presence","origin":1,"data":1}'])
    peers.receive(payload);
  peers.receive(JSON.stringify({ kind: "presence", origin: "ours", data: 1 }));
  expect(received).toEqual([]);
  peers.receive(JSON.stringify({ kind: "presence", origin: "theirs", data: 1 }));
  expect(received).toEqual([1]);
});

it("sends nothing where no other process can be", () => {
  const peers = createPeers({ engine: "sqlite", read: undefined as never }, "ours", failOnWarning);
  peers.send("presence", 1);
  expect(peers.isShared).toBe(false);
});
