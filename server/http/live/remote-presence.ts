/**
 * Exchanges with other processes who has which project open, as numbered changes, so that a process notices a missing one and asks for everything. What a
 * killed process has announced is forgotten when nothing more comes from it.
 */
import * as z from "zod/mini";
import { id } from "../../../contract/text.ts";
import type { Peers } from "../../events/peers.ts";
import { SECOND } from "../../lib/clock.ts";

export interface RemotePresenceOptions {
  peers: Peers;
  /** Called when other people have a project open. */
  onChange(topic: string): void;
  timing?: { aliveMs: number; forgetMs: number };
}

/** How often a process says that it is there, and after how long a silent one is forgotten. */
const TIMING = { aliveMs: 5 * SECOND, forgetMs: 16 * SECOND };
/** Minimum interval between two requests for everything. */
const ASK_INTERVAL_MS = SECOND;
/** Accounts per message, which bounds its bytes. */
const MAX_ACCOUNTS = 300;

/** `n` numbers the changes of a process. `isFirst`: all earlier ones are void. */
const message = z.union([
  z.object({ n: z.int(), isFirst: z.optional(z.boolean()), change: z.object({ topic: z.string(), joined: z.array(id), left: z.array(id) }) }),
  z.object({ n: z.int(), isFirst: z.boolean() }),
  z.object({ alive: z.int() }),
  z.object({ ask: z.literal(true) }),
]);

interface Peer {
  heardAt: number;
  /** The number of the last change; null: changes are missing. */
  n: number | null;
  accounts: Map<string, Set<number>>;
}

export type RemotePresence = ReturnType<typeof createRemotePresence>;

export function createRemotePresence({ peers, onChange, timing: { aliveMs, forgetMs } = TIMING }: RemotePresenceOptions) {
  const peersByOrigin = new Map<string, Peer>();
  const announced = new Map<string, ReadonlySet<number>>();
  let n = 0;
  let timer: NodeJS.Timeout | undefined;
  let nextAskAt = 0;
  let hasAnswered = false;

  const send = (data: z.infer<typeof message>): void => peers.send("presence", data);

  function sendChange(topic: string, joined: readonly number[], left: readonly number[]): void {
    for (let offset = 0; offset < Math.max(joined.length, left.length); offset += MAX_ACCOUNTS)
      send({ n: (n += 1), change: { topic, joined: joined.slice(offset, offset + MAX_ACCOUNTS), left: left.slice(offset, offset + MAX_ACCOUNTS) } });
  }

  function ask(): void {
    if (performance.now() < nextAskAt) return;
    nextAskAt = performance.now() + ASK_INTERVAL_MS;
    send({ ask: true });
  }

  /** Several processes may ask at the same time, of which one gets an answer that all of them use. */
  function answer(): void {
    if (hasAnswered) return;
    hasAnswered = true;
    setTimeout(() => {
      hasAnswered = false;
      send({ n: (n += 1), isFirst: true });
      for (const [topic, accounts] of announced) sendChange(topic, [...accounts], []);
    }, 50).unref();
  }

  function forget(origin: string, peer: Peer): void {
    peersByOrigin.delete(origin);
    for (const topic of peer.accounts.keys()) onChange(topic);
  }

  function tick(): void {
    send({ alive: n });
    for (const [origin, peer] of peersByOrigin) if (performance.now() - peer.heardAt > forgetMs) forget(origin, peer);
  }

  function apply(peer: Peer, { topic, joined, left }: { topic: string; joined: number[]; left: number[] }): void {
    const accounts = peer.accounts.get(topic) ?? new Set();
    for (const account of joined) accounts.add(account);
    for (const account of left) accounts.delete(account);
    if (accounts.size > 0) peer.accounts.set(topic, accounts);
    else peer.accounts.delete(topic);
    onChange(topic);
  }

  peers.onMessage("presence", (data, origin) => {
    const { success, data: received } = message.safeParse(data);
    if (!success) return;
    if ("ask" in received) return answer();
    const peer = peersByOrigin.get(origin) ?? { heardAt: 0, n: null, accounts: new Map<string, Set<number>>() };
    peersByOrigin.set(origin, peer);
    peer.heardAt = performance.now();
    if ("alive" in received) {
      if (received.alive === 0 && peer.n === null) peer.n = 0;
      if (received.alive !== peer.n) ask();
      return;
    }
    if (received.isFirst) {
      const topics = [...peer.accounts.keys()];
      peer.accounts.clear();
      for (const topic of topics) onChange(topic);
    } else if (received.n !== 1 && received.n - 1 !== peer.n) {
      peer.n = null;
      return ask();
    }
    peer.n = received.n;
    if ("change" in received) apply(peer, received.change);
  });

  return {
    /** Starts the exchange, once somebody here has a project open. */
    start(): void {
      if (timer || !peers.isShared) return;
      timer = setInterval(tick, aliveMs).unref();
      ask();
    },
    /** Announces who has the project open here. */
    announce(topic: string, accountIds: readonly number[]): void {
      const before = announced.get(topic) ?? new Set();
      const after = new Set(accountIds);
      if (after.size > 0) announced.set(topic, after);
      else announced.delete(topic);
      sendChange(
        topic,
        accountIds.filter((account) => !before.has(account)),
        [...before].filter((account) => !after.has(account)),
      );
    },
    /** Returns who has the project open in other processes, some more than once. */
    accountsIn: (topic: string): number[] => [...peersByOrigin.values()].flatMap(({ accounts }) => [...(accounts.get(topic) ?? [])]),
    /** Asks for everything, because messages may have been missed. */
    resync(): void {
      nextAskAt = 0;
      if (timer) ask();
    },
    /** Says that nobody has a project open here any more. */
    close(): void {
      if (timer && announced.size > 0) send({ n: (n += 1), isFirst: true });
      clearInterval(timer);
    },
  };
}
