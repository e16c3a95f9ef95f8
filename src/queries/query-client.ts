/** The page's one query cache. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/api-error.ts";

const MAX_RETRIES = 3;

/** Only what may succeed without any change is tried again. */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  return failureCount < MAX_RETRIES && error instanceof ApiError && error.isTemporary;
}

/** Milliseconds before try number `failureCount + 1`: what the service asks for, else 0.5, 1, 2 s. */
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
      // The browser's word on being online says nothing about a service in the same house.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
