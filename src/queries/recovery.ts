/** Finds out when a service that was out of reach responds again, and then repeats everything that could not be loaded. */
import type { Query } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { ApiError } from "../api/api-error.ts";
import { type ClientData, useClient } from "../client/client.ts";
import { createEmitter } from "../lib/store.ts";

/** Delays between two probes, of which the second half is random, so that the pages do not all ask a restarted service at once. */
const INITIAL_DELAY_MS = 1_000;
const MAX_DELAY_MS = 20_000;

export type Recovery = ReturnType<typeof createRecovery>;

/**
 * Probes the service while a shown query has failed because the service was out of reach, or something else waits for it. The live channel, which notices
 * more, reports both states. Queries that failed for another temporary reason are repeated only after an outage, so that a broken operation is not called
 * for ever.
 */
export function createRecovery({ api, queryClient }: Pick<ClientData, "api" | "queryClient">) {
  const cache = queryClient.getQueryCache();
  const recovered = createEmitter();
  const waiting = new Set<() => void>();
  let isOutage = false;
  let probeCount = 0;
  let isProbing = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isDisposed = false;

  const isWaiting = (): boolean => waiting.size > 0 || cache.findAll({ type: "active" }).some((query) => hasFailed(query, (error) => error.isUnavailable));

  function schedule(): void {
    if (timer !== null || isProbing || isDisposed || !isWaiting()) return;
    const delayMs = Math.min(MAX_DELAY_MS, INITIAL_DELAY_MS * 2 ** probeCount);
    timer = setTimeout(() => void probe(), (delayMs * (1 + Math.random())) / 2);
  }
  async function probe(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (isProbing || isDisposed || !isWaiting()) return;
    isProbing = true;
    probeCount += 1;
    const isReachable = await api.isReachable();
    isProbing = false;
    if (isDisposed) return;
    if (isReachable) reached();
    else isOutage = true;
    schedule();
  }
  function reached(): void {
    const wasOutage = isOutage;
    isOutage = false;
    const predicate = (query: Query) => hasFailed(query, (error) => (wasOutage ? error.isTemporary : error.isUnavailable));
    void queryClient.refetchQueries({ type: "active", predicate });
    for (const onReachable of waiting) onReachable();
    if (wasOutage) recovered.emit();
  }
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== "updated") return;
    if (event.action.type === "error") schedule();
    if (event.action.type === "success" && probeCount > 0 && !isWaiting()) probeCount = 0;
  });
  const onOnline = () => {
    probeCount = 0;
    void probe();
  };
  globalThis.addEventListener?.("online", onOnline);

  return {
    /** To be called when the live channel is lost. */
    lost(): void {
      isOutage = true;
    },
    /** To be called when the live channel, or polling in its place, works again. */
    reached(): void {
      probeCount = 0;
      reached();
    },
    /** Calls `listener` after each outage. Returns an unsubscribe function. */
    onRecovered: recovered.subscribe,
    /** Calls `onReachable` each time the service responds to a probe, with growing delays, until the returned function is called. */
    wait(onReachable: () => void): () => void {
      waiting.add(onReachable);
      schedule();
      return () => void waiting.delete(onReachable);
    },
    dispose(): void {
      isDisposed = true;
      if (timer !== null) clearTimeout(timer);
      unsubscribe();
      globalThis.removeEventListener?.("online", onOnline);
    },
  };
}

function hasFailed(query: Query, isReason: (error: ApiError) => boolean): boolean {
  const { status, fetchStatus, error } = query.state;
  return status === "error" && fetchStatus === "idle" && error instanceof ApiError && isReason(error) && !query.isDisabled();
}

/** Calls `onReachable` once the service responds, as long as `isNeeded`: for loads that are no queries. */
export function useWhenReachable(isNeeded: boolean, onReachable: () => void): void {
  const { recovery } = useClient();
  const run = useEffectEvent(onReachable);
  useEffect(() => (isNeeded ? recovery.wait(() => run()) : undefined), [recovery, isNeeded]);
}
