/** Counts connections or requests by who has them, and ends the oldest one of whoever has too many in favor of a new one. */
import type { Actor } from "../access/access.ts";
import { toNetworkLimits } from "../lib/network.ts";

export interface EvictingCountsOptions {
  /** Entries of one IPv4 address or IPv6 /64 that count for no account. A /56 may have twice as many, a /48 four times. */
  perNetwork: number;
  /** Entries that count for an account. Further ones count for their network. */
  perAccount: number;
  /** The same for all accounts of an organization together. */
  perOrganization: number;
  /** An entry ended because its network, or all networks and organizations together, had too many. */
  onEvicted(name: string, count: number): void;
}

export interface Entry {
  /** Counts the entry for the account instead of its network, if there is space. */
  countFor(account: Pick<Actor, "accountId" | "organisationId">): void;
  /** Counts the entry no longer. */
  release(): void;
}

interface Counted {
  sets: { in: RankedSets; key: string }[];
  end(): void;
}

const STRANGERS = "networks";

export function createEvictingCounts({ perNetwork, perAccount, perOrganization, onEvicted }: EvictingCountsOptions) {
  const networks = createRankedSets();
  /** Strangers are one group, each organization is one. */
  const groups = createRankedSets();
  /** The entries of each group by account, or by the widest network. */
  const membersByGroup = new Map<string, RankedSets>();

  function membersOf(group: string): RankedSets {
    const members = membersByGroup.get(group) ?? createRankedSets();
    membersByGroup.set(group, members);
    return members;
  }

  function remove(counted: Counted): void {
    for (const { in: rankedSets, key } of counted.sets) rankedSets.delete(key, counted);
    counted.sets = [];
  }

  function insert(counted: Counted, group: string, member: string, narrowNetworks: string[] = []): void {
    counted.sets = [{ in: groups, key: group }, { in: membersOf(group), key: member }, ...narrowNetworks.map((key) => ({ in: networks, key }))];
    for (const { in: rankedSets, key } of counted.sets) rankedSets.add(key, counted);
  }

  function evict(counted: Counted | undefined, name: string, count: number): void {
    if (!counted) return;
    remove(counted);
    counted.end();
    onEvicted(name, count);
  }

  return {
    size: (): number => groups.total(),
    /** Counts an entry for the networks of an address. `end`: ends it in favor of a new one. */
    add(address: string, end: () => void): Entry {
      const bounds = toNetworkLimits(address, perNetwork);
      for (const { network, limit } of bounds) if (networks.size(network) >= limit) evict(networks.oldest(network), network, limit);
      const counted: Counted = { sets: [], end };
      const names = bounds.map(({ network }) => network);
      insert(counted, STRANGERS, names.at(-1) ?? address, names);
      let isStranger = true;
      return {
        countFor({ accountId, organisationId }) {
          const [group, member] = [`organization ${organisationId}`, `account ${accountId}`];
          if (!isStranger || counted.sets.length === 0) return;
          if (groups.size(group) >= perOrganization || membersOf(group).size(member) >= perAccount) return;
          isStranger = false;
          remove(counted);
          insert(counted, group, member);
        },
        release: () => remove(counted),
      };
    },
    /** Ends the oldest entry of the account or network that has most, among strangers if they have more than each organization, otherwise in the largest organization. */
    evictFromLargest(): void {
      const group = groups.largest();
      const member = group !== undefined && membersOf(group).largest();
      if (group !== undefined && member) evict(membersOf(group).oldest(member), group, groups.size(group));
    },
  };
}

type RankedSets = ReturnType<typeof createRankedSets>;

/** Sets of entries by key, of which it knows the largest. Every call takes the same time however many there are. */
function createRankedSets() {
  const sets = new Map<string, Set<Counted>>();
  const keysBySize = new Map<number, Set<string>>();
  let largestSize = 0;
  let total = 0;

  function rank(key: string, previousSize: number, size: number): void {
    const previousKeys = keysBySize.get(previousSize);
    if (previousKeys?.delete(key) && previousKeys.size === 0) keysBySize.delete(previousSize);
    if (size > 0) keysBySize.set(size, (keysBySize.get(size) ?? new Set()).add(key));
    if (size > largestSize || !keysBySize.has(largestSize)) largestSize = size;
    total += size - previousSize;
  }

  return {
    total: (): number => total,
    size: (key: string): number => sets.get(key)?.size ?? 0,
    oldest: (key: string): Counted | undefined => sets.get(key)?.values().next().value,
    largest: (): string | undefined => keysBySize.get(largestSize)?.values().next().value,
    add(key: string, counted: Counted): void {
      const set = sets.get(key) ?? new Set();
      sets.set(key, set.add(counted));
      rank(key, set.size - 1, set.size);
    },
    delete(key: string, counted: Counted): void {
      const set = sets.get(key);
      if (!set?.delete(counted)) return;
      if (set.size === 0) sets.delete(key);
      rank(key, set.size + 1, set.size);
    },
  };
}
