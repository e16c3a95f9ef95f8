/** Tests that processes agree on who has which project open, over a network that loses messages, and that they forget killed ones. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Peers } from "../../events/peers.ts";
import { createRemotePresence, type RemotePresence } from "./remote-presence.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Receive = (data: unknown, origin: string) => void;

function createNetwork() {
  const receivers = new Map<string, Receive>();
  /** Decides whether a message from one process to another is lost. */
  const network = { isLost: (_from: string, _to: string): boolean => false, longest: 0 };
  function connect(origin: string): RemotePresence {
    const peers: Peers = {
      isShared: true,
      send(_kind, data) {
        const text = JSON.stringify(data);
        network.longest = Math.max(network.longest, text.length);
        for (const [to, receive] of receivers)
          if (to !== origin && !network.isLost(origin, to)) setImmediate(() => receivers.get(to) === receive && receive(JSON.parse(text), origin));
      },
      onMessage: (_kind, listener) => void receivers.set(origin, listener),
      receive() {},
    };
    return createRemotePresence({ peers, onChange: () => {} });
  }
  return { network, connect, kill: (origin: string) => void receivers.delete(origin) };
}
const settle = (ms = 100) => vi.advanceTimersByTimeAsync(ms);
const sorted = (ids: number[]) => [...new Set(ids)].toSorted((a, b) => a - b);

it("tells the others who is there, and a process that starts later", async () => {
  const { connect } = createNetwork();
  const [a, b] = [connect("a"), connect("b")];
  a.start();
  a.announce("project:1", [1, 2]);
  b.start();
  b.announce("project:1", [3]);
  await settle();
  expect(a.accountsIn("project:1")).toEqual([3]);
  expect(sorted(b.accountsIn("project:1"))).toEqual([1, 2]);
  a.announce("project:1", [2]);
  const c = connect("c");
  c.start();
  await settle();
  expect(b.accountsIn("project:1")).toEqual([2]);
  expect(sorted(c.accountsIn("project:1"))).toEqual([2, 3]);
  a.close();
  await settle();
  expect(sorted(c.accountsIn("project:1"))).toEqual([3]);
});

it("many people of one project are announced in messages that PostgreSQL accepts", async () => {
  const { connect, network } = createNetwork();
  const [a, b] = [connect("a"), connect("b")];
  b.start();
  a.start();
  const everybody = Array.from({ length: 5_000 }, (_, index) => 2_000_000_000 + index);
  a.announce("project:1", everybody);
  await settle();
  expect(sorted(b.accountsIn("project:1"))).toEqual(everybody);
  expect(network.longest).toBeLessThan(7_000);
});

it("forgets a killed process, and not one that is only silent about changes", async () => {
  const { connect, kill, network } = createNetwork();
  const [a, b, c] = [connect("a"), connect("b"), connect("c")];
  for (const [index, one] of [a, b, c].entries()) {
    one.start();
    one.announce("project:1", [index + 1]);
  }
  await settle(60_000);
  expect(sorted(a.accountsIn("project:1"))).toEqual([2, 3]);
  network.isLost = (from) => from === "c";
  kill("c");
  await settle(10_000);
  expect(sorted(a.accountsIn("project:1"))).toEqual([2, 3]);
  await settle(15_000);
  expect(sorted(a.accountsIn("project:1"))).toEqual([2]);
});

it("agrees again after any messages were lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          process: fc.nat(2),
          project: fc.nat(2),
          accounts: fc.uniqueArray(fc.integer({ min: 1, max: 5 })),
          isLost: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
        }),
        { maxLength: 25 },
      ),
      async (changes) => {
        const { connect, network } = createNetwork();
        const names = ["a", "b", "c"];
        const processes = names.map((name) => connect(name));
        const here = names.map(() => new Map<string, number[]>());
        for (const one of processes) one.start();
        for (const { process, project, accounts, isLost } of changes) {
          let sent = 0;
          network.isLost = () => isLost[(sent += 1) % isLost.length]!;
          here[process]!.set(`project:${project}`, accounts);
          processes[process]!.announce(`project:${project}`, accounts);
          await settle(300);
        }
        network.isLost = () => false;
        await settle(12_000);
        for (const [index, one] of processes.entries())
          for (const topic of ["project:0", "project:1", "project:2"])
            expect(sorted(one.accountsIn(topic))).toEqual(sorted(here.flatMap((known, other) => (other === index ? [] : (known.get(topic) ?? [])))));
        for (const one of processes) one.close();
      },
    ),
    { numRuns: 60 },
  );
});

it("ignores what is no message of presence", () => {
  let receive: Receive = () => {};
  const remote = createRemotePresence({
    peers: { isShared: true, send() {}, onMessage: (_kind, listener) => void (receive = listener), receive() {} },
    onChange: () => {},
  });
  for (const data of [
    null,
    1,
    "x",
    {},
    { n: 1 },
    { n: 1, change: { topic: "project:1", joined: ["1"], left: [] } },
    { n: 1, change: { topic: 1, joined: [1], left: [] } },
  ])
    receive(data, "b");
  expect(remote.accountsIn("project:1")).toEqual([]);
  receive({ n: 1, change: { topic: "project:1", joined: [1], left: [] } }, "b");
  expect(remote.accountsIn("project:1")).toEqual([1]);
});
