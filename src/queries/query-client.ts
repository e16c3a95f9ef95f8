/** Creates the page's one query cache with its retry policy. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/api-error.ts";

const MAX_RETRIES = 3;

/** Retries only errors that may go away without any change to the request. */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  return failureCount < MAX_RETRIES && error instanceof ApiError && error.isTemporary;
}

/** Returns the delay in milliseconds before retry `failureCount + 1`: the service's Retry-After (at most 30 s), else 0.5, 1, 2 s. */
export function retryDelay(failureCount: number, error: unknown): number {
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfter : undefined;
  return retryAfterSeconds === undefined ? 500 * 2 ** failureCount : Math.min(retryAfterSeconds, 30) * 1000;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: shouldRetry,
      retryDelay,
      // The browser's online status says nothing about a service on the local network.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
